import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hearStopSignals } from '../../../src/cli/signals.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const;
let before: Readonly<Record<string, readonly NodeJS.SignalsListener[]>>;

beforeEach(() => {
  before = Object.fromEntries(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
});
afterEach(() => {
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal))
      if (!before[signal]!.includes(listener)) process.removeListener(signal, listener);
});

const kill = (): boolean => process.emit('SIGUSR2', 'SIGUSR2');

it('a kill that nobody has taken is told to who listens next, once', () => {
  const signals = hearStopSignals('');
  kill();
  const cannot = vi.fn<() => boolean>(() => false);
  signals.onKill(cannot);
  const bot = vi.fn<() => boolean>(() => true);
  signals.onKill(bot);
  const later = vi.fn<() => boolean>(() => true);
  signals.onKill(later);
  expect([cannot, bot, later].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
  kill();
  expect(later).toHaveBeenCalledOnce();
});
