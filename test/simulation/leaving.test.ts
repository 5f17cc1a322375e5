/** Requests are handed over within the step that decides them, each once. */
import { expect, test } from 'vitest';
import { InvariantError } from '../../src/domain/errors.js';
import type { Engine } from '../../src/core/engine/engine.js';
import { quoting, RAIN_YES } from '../support/simulation/scenes.js';
import { type Seam, UNCHANGED } from '../support/simulation/seam.js';

type Step = Engine['step'];

/** @param stepping stands in the place of the engine's own step, which it is given */
const seam = (stepping: (step: Step) => Step): Seam => ({
  ...UNCHANGED,
  engine: (engine) => {
    engine.step = stepping(engine.step.bind(engine));
  },
});

test('a request is handed to the gateway once, before the next input is taken in', async () => {
  const said: string[] = [];
  const stepping =
    (step: Step): Step =>
    (stamped) => {
      said.push('step');
      const effects = step(stamped);
      for (const effect of effects) if (effect.kind === 'send') said.push('decided');
      return effects;
    };
  const calls: Seam['wire'] = (wire) => ({
    call: (call, sending) => {
      said.push('called');
      return wire.call(call, sending);
    },
  });
  await quoting({ seam: { ...seam(stepping), wire: calls } });
  const steps = said
    .join(' ')
    .split('step')
    .map((step) => step.trim().split(' '));
  const count = (step: readonly string[], what: string): number =>
    step.filter((word) => word === what).length;
  expect(said.filter((word) => word === 'decided').length).toBeGreaterThan(5);
  for (const step of steps.filter((words) => words.includes('decided')))
    expect(count(step, 'called')).toBeGreaterThanOrEqual(count(step, 'decided'));
});

test('a request that cannot be written breaks its step: nothing leaves any more, and those before it had', async () => {
  const left: string[] = [];
  let broken = 0;
  const unwritable: Seam = {
    ...UNCHANGED,
    wire: (wire) => ({
      call: (call, sending) => {
        if (call.endpoint === 'batchUpdate') broken += 1;
        if (call.endpoint === 'batchUpdate') throw new InvariantError('cannot be written');
        left.push(call.endpoint);
        return wire.call(call, sending);
      },
    }),
  };
  const { world, bot } = await quoting({ seam: unwritable });
  const moved = { marketId: RAIN_YES, p: 0.55, confidence: 1, at: world.now };
  bot.loop.outside({ kind: 'fair-value', ...moved });
  await world.runUntil('it broke', () => broken > 0);
  const before = left.length;
  await world.run(10_000);
  expect(bot.broken).toMatchObject({ message: 'cannot be written' });
  expect([broken, left.length]).toEqual([1, before]);
});
