import type { Effect } from '../../../src/domain/effects.js';
import type { Micros } from '../../../src/domain/units.js';
import { engineOptionsOfHouse, houseOf, LEVELS } from './house.js';
import { Rig } from './rig.js';

/**
 * What a book update leads to: nothing, for it is new behind the touch alone; a fair value within the same tick; the
 * outermost level of each side moved across; every level moved.
 */
export const STEPS = ['hold', 'nudge', 'move', 'rebuild'] as const;
export type Step = (typeof STEPS)[number];

const MARKETS = 10;
const UPDATES = 20_000;
const WARM_UP_PASSES = 3;
const COUNTED_PASSES = 7;
/** Low enough for bids on both outcomes of an event to be coherent wherever it moves. */
const MID = 45;
/** The venue allows 2,000 requests a minute, and every update may lead to one. */
const GAP = 30_000;
const MID_AWAY = { hold: MID, nudge: MID, move: MID + 1, rebuild: MID + LEVELS } as const;
const REPLACED = { hold: 0, nudge: 0, move: 2, rebuild: 2 * LEVELS } as const;

/** Microseconds of one step. */
export interface StepTimes {
  readonly p50: number;
  readonly p99: number;
}

/** Times every step by itself, from the book update handed over to the effects; answers come untimed in between. */
export async function measureSteps(step: Step): Promise<StepTimes> {
  const rig = new Rig(await engineOptionsOfHouse(houseOf(MARKETS)), MID);
  const times = new Float64Array(UPDATES * COUNTED_PASSES);
  for (let pass = -WARM_UP_PASSES; pass < COUNTED_PASSES; pass++)
    for (let update = 0; update < UPDATES; update++) {
      const us = timeOne(rig, step, update);
      if (pass >= 0) times[pass * UPDATES + update] = us;
    }
  times.sort();
  const at = (share: number): number => times[Math.floor(times.length * share)]!;
  return { p50: at(0.5), p99: at(0.99) };
}

function timeOne(rig: Rig, step: Step, update: number): number {
  const isAway = Math.floor(update / MARKETS) % 2 === 0;
  rig.now = (rig.now + GAP) as Micros;
  const market = rig.markets[update % MARKETS]!;
  const salt = 100 * (update % 100);
  const mid = isAway ? MID_AWAY[step] : MID;
  const input = rig.stamp(rig.book(market, mid, salt, step === 'nudge' ? salt : 0));
  const before = performance.now();
  const effects = rig.engine.step(input);
  const us = (performance.now() - before) * 1_000;
  expectReplaced(effects, REPLACED[step]);
  rig.answer(effects);
  return us;
}

/** @throws Error when the step did other work than it was timed for */
function expectReplaced(effects: readonly Effect[], expected: number): void {
  let replaced = 0;
  for (const effect of effects)
    if (effect.kind === 'send' && effect.request.kind === 'replace-orders')
      replaced += effect.request.replacements.length;
  if (replaced !== expected) throw new Error(`a step replaced ${replaced} orders, not ${expected}`);
}
