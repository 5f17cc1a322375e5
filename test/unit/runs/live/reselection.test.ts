import { expect, it } from 'vitest';
import { VenueUnreachableError } from '../../../../src/domain/errors.js';
import type { Micros } from '../../../../src/domain/units.js';
import { reselecting } from '../../../../src/runs/live/reselection.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';

it('asks the venue again and again, takes over what it says, and leaves all as it is when it does not answer', async () => {
  const clock = new VirtualClock(0 as Micros);
  const told: string[] = [];
  let answers = true;
  const stop = reselecting({
    clock,
    logger: { info: (text) => void told.push(text), warn: (text) => void told.push(text) },
    everyMs: () => 1_000,
    inTurn: (work) => work(),
    select: () =>
      answers
        ? Promise.resolve({ settings: {}, source: {}, chosen: null } as never)
        : Promise.reject(new VenueUnreachableError('no answer')),
    take: () => Promise.resolve({ problem: null, changes: ['a joins'], refused: [], isApplied: true }),
  });
  const pass = async (): Promise<void> => {
    clock.advanceTo((clock.now() + 1_000_000) as Micros);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await pass();
  answers = false;
  await pass();
  stop();
  await pass();
  expect(told).toEqual(['markets of the venue were taken over', 'the markets stay as they are: no answer']);
});
