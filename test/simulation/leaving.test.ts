/** Requests leave within the step that decides them, each once; whoever lets none leave there is handed them afterwards. */
import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.js';
import { quoting } from '../support/simulation/scenes.js';
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
