import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { pauseFor } from '../../../../src/storage/clocks/pause.js';
import { SystemClock } from '../../../../src/storage/clocks/system-clock.js';

it('leaves no listener on the signal after a pause', async () => {
  const { signal } = new AbortController();
  await pauseFor(new SystemClock(), 1, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('ends at the signal, and does not begin after it', async () => {
  const stop = new AbortController();
  const paused = pauseFor(new SystemClock(), 3_600_000, stop.signal);
  stop.abort();
  await paused;
  await pauseFor(new SystemClock(), 3_600_000, stop.signal);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});
