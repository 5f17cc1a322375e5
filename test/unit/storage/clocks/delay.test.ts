import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterDelay } from '../../../../src/storage/clocks/delay.js';

const HOUR_MS = 3_600_000;

describe('a delay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([0, 25, 24 * 24 * HOUR_MS, 25 * 24 * HOUR_MS, 100 * 24 * HOUR_MS])(
    'of %i ms is over after that, and not before',
    (delayMs) => {
      const over = vi.fn<() => void>();
      afterDelay(delayMs, over);
      if (delayMs > 0) vi.advanceTimersByTime(delayMs - 1);
      expect(over).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(over).toHaveBeenCalledOnce();
    },
  );

  it('can be cancelled, when it is long and its first part is over, too', () => {
    const over = vi.fn<() => void>();
    const cancel = afterDelay(60 * 24 * HOUR_MS, over);
    vi.advanceTimersByTime(30 * 24 * HOUR_MS);
    cancel();
    vi.advanceTimersByTime(60 * 24 * HOUR_MS);
    expect(over).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
