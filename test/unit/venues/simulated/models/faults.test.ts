import { describe, expect, test } from 'vitest';
import {
  type FaultRule,
  faultProblem,
  faultSchedule,
  REQUEST_FAULTS,
} from '../../../../../src/venues/simulated/models/faults.js';
import { seededRandom } from '../../../../../src/storage/clocks/seeded-random.js';

const schedule = (...rules: readonly FaultRule[]) => faultSchedule({ seed: 1, rules }, seededRandom(0));
const firings = (count: number, decide: () => FaultRule | null): readonly number[] =>
  Array.from({ length: count }, (_, at) => (decide() === null ? 0 : at + 1)).filter((at) => at > 0);

describe('requests', () => {
  test('the n-th match alone fires, whatever else is asked in between', () => {
    const faults = schedule({ on: 'GET /me/', kind: 'reset', nth: 3 });
    const fired = firings(6, () => {
      faults.ofRequest('GET', '/orders/');
      faults.ofRequest('POST', '/me/');
      return faults.ofRequest('GET', '/me/');
    });
    expect(fired).toEqual([3]);
  });

  test('a segment in braces matches any one segment', () => {
    const faults = schedule({ on: 'PATCH /orders/{id}/cancel/', kind: 'reset', probability: 1 });
    expect(faults.ofRequest('PATCH', '/orders/17/cancel/')).not.toBeNull();
    expect(faults.ofRequest('PATCH', '/orders/cancel/')).toBeNull();
    expect(faults.ofRequest('PATCH', '/orders/17/18/cancel/')).toBeNull();
  });

  test('a path with an id matches that id alone', () => {
    const faults = schedule({ on: 'GET /markets/7/book/', kind: 'stale_book', probability: 1 });
    expect(faults.ofRequest('GET', '/markets/7/book/')).not.toBeNull();
    expect(faults.ofRequest('GET', '/markets/8/book/')).toBeNull();
  });

  test('a path may be written with its version', () => {
    const faults = schedule({ on: 'POST /v2.0/pusher/auth/', kind: 'reset', probability: 1 });
    expect(faults.ofRequest('POST', '/pusher/auth/')).not.toBeNull();
  });

  test('a star is any method, and methods have no case', () => {
    const faults = schedule(
      { on: '* /orders/', kind: 'delay', probability: 1 },
      { on: 'get /me/', kind: 'reset', probability: 1 },
    );
    expect(faults.ofRequest('POST', '/orders/')?.kind).toBe('delay');
    expect(faults.ofRequest('GET', '/orders/')?.kind).toBe('delay');
    expect(faults.ofRequest('GET', '/me/')?.kind).toBe('reset');
  });

  test('the first rule of the plan that fires decides, and every matching rule counts', () => {
    const faults = schedule(
      { on: 'GET /me/', kind: 'delay', nth: 1 },
      { on: 'GET /me/', kind: 'reset', nth: 1 },
      { on: 'GET /me/', kind: 'error_before', nth: 2 },
    );
    expect(faults.ofRequest('GET', '/me/')?.kind).toBe('delay');
    expect(faults.ofRequest('GET', '/me/')?.kind).toBe('error_before');
  });

  test('a probability draws the same for the same seed, and differently for another', () => {
    const rule: FaultRule = { on: 'GET /me/', kind: 'reset', probability: 0.3 };
    const run = (seed: number): readonly number[] => {
      const faults = faultSchedule({ seed, rules: [rule] }, seededRandom(0));
      return firings(200, () => faults.ofRequest('GET', '/me/'));
    };
    expect(run(1)).toEqual(run(1));
    expect(run(1)).not.toEqual(run(2));
    expect(run(1).length).toBeGreaterThan(30);
    expect(run(1).length).toBeLessThan(90);
  });

  test('a rule added behind another does not change when the other fires', () => {
    const rule: FaultRule = { on: 'GET /me/', kind: 'reset', probability: 0.3 };
    const alone = schedule(rule);
    const accompanied = schedule(rule, { on: 'GET /me/', kind: 'delay', probability: 0.5 });
    const fired = (faults: ReturnType<typeof schedule>): readonly number[] =>
      firings(100, () => (faults.ofRequest('GET', '/me/')?.kind === 'reset' ? rule : null));
    expect(fired(accompanied)).toEqual(fired(alone));
  });
});

describe('frames', () => {
  test('requests and frames do not count for each other', () => {
    const faults = schedule(
      { on: 'ws', kind: 'frame_lose', nth: 1 },
      { on: '* /me/', kind: 'reset', nth: 1 },
    );
    expect(faults.ofRequest('GET', '/me/')?.kind).toBe('reset');
    expect(faults.ofFrame('event')?.kind).toBe('frame_lose');
  });

  test('a mute counts private channels alone', () => {
    const faults = schedule({ on: 'ws', kind: 'mute_private', nth: 1 });
    expect(faults.ofFrame('event')).toBeNull();
    expect(faults.ofFrame('private-user-1')?.kind).toBe('mute_private');
  });

  test('without a rule for frames, none needs a decision', () => {
    expect(schedule({ on: 'GET /me/', kind: 'reset', nth: 1 }).touchesFrames).toBe(false);
    expect(schedule({ on: 'ws', kind: 'drop_ws', nth: 1 }).touchesFrames).toBe(true);
  });
});

describe('rules that cannot be', () => {
  test.each([
    ['on', 'no target', { on: 'orders', kind: 'reset', nth: 1 }],
    ['kind', 'a frame fault on a request', { on: 'GET /me/', kind: 'drop_ws', nth: 1 }],
    ['kind', 'a request fault on frames', { on: 'ws', kind: 'lose_answer', nth: 1 }],
    ['on', 'a path that there is not', { on: 'POST /order/batch/', kind: 'reset', nth: 1 }],
    ['on', 'a method that the path does not answer', { on: 'GET /orders/batch/', kind: 'reset', nth: 1 }],
    ['on', 'the admin interface', { on: 'GET /admin/ledger/', kind: 'reset', nth: 1 }],
    ['on', 'a word where the path has a number', { on: 'GET /events/first/', kind: 'reset', nth: 1 }],
    ['kind', 'an empty listing of what lists nothing', { on: 'POST /orders/', kind: 'empty_list', nth: 1 }],
    ['kind', 'an empty listing of a batch', { on: 'POST /orders/batch/', kind: 'empty_list', nth: 1 }],
    ['kind', 'half of what is one', { on: 'POST /orders/', kind: 'half_applied', nth: 1 }],
    ['kind', 'a stale listing', { on: 'GET /orders/', kind: 'stale_book', nth: 1 }],
    ['kind', 'a slow order that is none', { on: 'GET /orders/', kind: 'slow_processing', nth: 1 }],
    ['ms', 'a wrong clock that is right', { on: 'GET /me/', kind: 'clock_skew', nth: 1 }],
    ['ms', 'a delay into the past', { on: 'GET /me/', kind: 'delay', ms: -1, nth: 1 }],
    ['probability', 'neither probability nor nth', { on: 'GET /me/', kind: 'reset' }],
    ['probability', 'a probability above 1', { on: 'GET /me/', kind: 'reset', probability: 2 }],
    ['probability', 'one that is no number', { on: 'GET /me/', kind: 'reset', probability: Number.NaN }],
    ['nth', 'the zeroth match', { on: 'GET /me/', kind: 'reset', nth: 0 }],
  ] as const)('%s: %s', (field, _what, rule) => {
    expect(faultProblem(rule)).toEqual({ field, message: expect.stringMatching(/expected|mean/) });
    expect(() => schedule(rule)).toThrow(RangeError);
  });

  test('a path that nearly is one: the message says which', () => {
    expect(faultProblem({ on: 'POST /order/batch/', kind: 'reset', nth: 1 })?.message).toMatch(
      /no request POST \/order\/batch\/; did you mean POST \/orders\/batch\/\?/,
    );
  });

  test.each(REQUEST_FAULTS)('%s has a place', (kind) => {
    const places = ['GET /orders/', 'POST /orders/batch/', 'GET /markets/{id}/book/'];
    const possible = places.filter((on) => faultProblem({ on, kind, nth: 1, ms: 1 }) === null);
    expect(possible).not.toEqual([]);
  });

  test('a wrong clock may be behind', () => {
    expect(faultProblem({ on: 'GET /me/', kind: 'clock_skew', ms: -90_000, nth: 1 })).toBeNull();
  });
});
