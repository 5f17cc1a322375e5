/** Requests leave within the step that decides them, each once; whoever lets none leave there is handed them afterwards. */
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

test('a request that has left within a step is not handed over once more', async () => {
  const left: number[] = [];
  const handedOver: number[] = [];
  const stepping =
    (step: Step): Step =>
    (stamped, leave) => {
      const effects = step(stamped, (send) => {
        left.push(send.requestId);
        leave?.(send);
      });
      for (const effect of effects) if (effect.kind === 'send') handedOver.push(effect.requestId);
      return effects;
    };
  await quoting({ seam: seam(stepping) });
  expect(left.length).toBeGreaterThan(5);
  expect(new Set(left).size).toBe(left.length);
  expect(handedOver).toEqual([]);
});

test('a request that could not leave within its step is handed over, and leaves', async () => {
  const handedOver: number[] = [];
  const stepping =
    (step: Step): Step =>
    (stamped) => {
      const effects = step(stamped);
      for (const effect of effects) if (effect.kind === 'send') handedOver.push(effect.requestId);
      return effects;
    };
  await quoting({ seam: seam(stepping) });
  expect(new Set(handedOver).size).toBe(handedOver.length);
  expect(handedOver.length).toBeGreaterThan(5);
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
  bot.loop.fairValue({ kind: 'fair-value', ...moved });
  await world.runUntil('it broke', () => broken > 0);
  const before = left.length;
  await world.run(10_000);
  expect(bot.broken).toMatchObject({ message: 'cannot be written' });
  expect([broken, left.length]).toEqual([1, before]);
});
