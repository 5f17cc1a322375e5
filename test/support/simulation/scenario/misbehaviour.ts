import type { FaultRule } from '../../../../src/venues/simulated/models/faults.js';
import type { Draws } from './draws.js';

/** What the venue can do wrong: each kind where it can happen, and how often at most. */
const REPERTOIRE: readonly (readonly [FaultRule['kind'], readonly string[], number])[] = [
  [
    'lose_answer',
    [
      'POST /orders/batch/',
      'POST /orders/batch-update/',
      'POST /orders/batch-cancel/',
      'POST /orders/cancel-all/',
    ],
    0.2,
  ],
  ['delay', ['POST /orders/batch/', 'POST /orders/batch-update/', '* /orders/'], 0.3],
  [
    'error_before',
    ['POST /orders/batch/', 'POST /orders/batch-cancel/', 'GET /orders/', 'GET /wagers/'],
    0.2,
  ],
  ['error_after', ['POST /orders/batch/', 'POST /orders/batch-update/', 'POST /orders/batch-cancel/'], 0.2],
  ['rate_limit', ['POST /orders/batch/', 'GET /orders/', 'GET /markets/{id}/book/'], 0.05],
  ['reset', ['POST /orders/batch/', 'POST /orders/batch-update/', 'GET /orders/', 'GET /me/balances/'], 0.2],
  ['half_applied', ['POST /orders/batch/', 'POST /orders/batch-update/', 'POST /orders/batch-cancel/'], 0.1],
  ['stale_book', ['GET /markets/{id}/book/'], 0.5],
  ['empty_list', ['GET /orders/'], 0.3],
  ['html_answer', ['POST /orders/batch/', 'GET /orders/', 'GET /me/balances/', 'GET /wagers/'], 0.2],
  ['clock_skew', ['POST /orders/batch/', 'GET /orders/'], 0.1],
  ['slow_processing', ['POST /orders/batch/', 'POST /orders/batch-update/'], 0.3],
  ['drop_ws', ['ws'], 0.005],
  ['frame_delay', ['ws'], 0.2],
  ['frame_dup', ['ws'], 0.2],
  ['frame_reorder', ['ws'], 0.2],
  ['frame_lose', ['ws'], 0.05],
  ['mute_private', ['ws'], 0.01],
];

/** Durations in milliseconds, where a kind takes one. */
const DURATIONS: Partial<Record<FaultRule['kind'], readonly [number, number]>> = {
  delay: [100, 7_000],
  rate_limit: [1_000, 5_000],
  clock_skew: [-90_000, 90_000],
  slow_processing: [100, 6_000],
  frame_delay: [10, 2_500],
  frame_reorder: [10, 1_500],
  mute_private: [2_000, 25_000],
};

const EVERYTHING = [
  '/orders/',
  '/orders/{a}/',
  '/wagers/',
  '/me/balances/',
  '/events/{a}/',
  '/markets/{a}/book/',
];

/** Every request that the bot makes is answered 429. @param ms what it is asked to wait */
export const turningAway = (ms: number): readonly FaultRule[] =>
  EVERYTHING.map((path) => ({ on: `* ${path}`, kind: 'rate_limit', ms, probability: 1 }));

/** A few rules, each of another kind. */
export function misbehaviourOf(draws: Draws): readonly FaultRule[] {
  return REPERTOIRE.filter(() => draws.chance(0.3)).map(([kind, places, most]) => {
    const on = draws.oneOf(places);
    const probability = draws.between(0, most);
    const span = DURATIONS[kind];
    return span === undefined
      ? { on, kind, probability }
      : { on, kind, probability, ms: Math.round(draws.between(...span)) };
  });
}
