import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { keepAwake } from '../../../../src/storage/clocks/wakefulness.js';

it('turns the event loop again and again until it may sleep', async () => {
  const turns = vi.spyOn(globalThis, 'setImmediate');
  const sleep = keepAwake();
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(turns.mock.calls.length).toBeGreaterThanOrEqual(10);
  sleep();
  const { length } = turns.mock.calls;
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(turns.mock.calls).toHaveLength(length);
  turns.mockRestore();
});
