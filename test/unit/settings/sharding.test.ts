import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type EventId, eventId } from '../../../src/domain/ids.js';
import {
  type BotSettings,
  eachShard,
  loadBotSettings,
  mostEvents,
  ofShard,
  shardOfEvent,
  venueOfShard,
  wholeAccount,
} from '../../../src/settings/index.js';

const FILE = fileURLToPath(new URL('../../../config/local.yaml', import.meta.url));
const OF = 3;
const LIMITS = [
  'maxCategoryLoss',
  'maxAccountLoss',
  'maxLocked',
  'maxLoss',
  'maxDrawdown',
  'maxTakenAmount',
  'taking',
  'ordersPerMinute',
] as const;

const load = (...sharding: readonly string[]): BotSettings =>
  loadBotSettings(FILE, { ODDSMITH_PRIVATE_KEY: 'key' }, sharding).settings;

/** Sixty events of one market each, with every limit stated. */
function settings(): BotSettings {
  const base = load(`sharding={ of: ${OF} }`);
  const [event] = base.events;
  const [instance] = base.instances;
  const events = Array.from({ length: 60 }, (_, at) => ({
    ...event!,
    id: eventId(1_000 + at),
    markets: [{ ...event!.markets[0]!, id: String(9_000 + at) as never }],
  }));
  const limits = { ...instance!.limits, ...Object.fromEntries(LIMITS.map((name) => [name, 1_000])) };
  return {
    ...base,
    events,
    instances: [{ ...instance!, markets: events.map(({ markets }) => markets[0]!.id), limits }],
  };
}

describe('the shards of an account', () => {
  it('have each event once, and the instances its markets', () => {
    const whole = settings();
    const parts = eachShard(whole).map(ofShard);
    const ids = (all: readonly BotSettings[]): readonly EventId[] =>
      all.flatMap(({ events }) => events.map(({ id }) => id)).toSorted();
    expect(ids(parts)).toEqual(ids([whole]));
    for (const { events, instances } of parts) {
      expect(events.length).toBeGreaterThan(10);
      expect(instances[0]!.markets).toEqual(events.map(({ markets }) => markets[0]!.id));
    }
  });

  it('never add up to more than the account, in no limit and no allowance', () => {
    const whole = settings();
    const parts = eachShard(whole).map(ofShard);
    const sum = (of: (one: BotSettings) => number): number => parts.reduce((all, one) => all + of(one), 0);
    for (const name of LIMITS) {
      const most = whole.instances[0]!.limits[name]!;
      const all = sum(({ instances }) => instances[0]!.limits[name]!);
      expect(all, name).toBeLessThanOrEqual(most);
      expect(all, name).toBeGreaterThan(0.9 * most);
    }
    for (const name of ['requestsPerMinute', 'requestsPerDay'] as const)
      expect(sum(({ guard }) => guard[name])).toBeLessThanOrEqual(whole.guard[name]);
    for (const name of ['perMinute', 'perDay'] as const) {
      const most = whole.venue!.rateLimit[name];
      const all = eachShard(whole).reduce(
        (rate, one) => rate + venueOfShard(whole.venue!, one).rateLimit[name],
        0,
      );
      expect(all).toBeLessThanOrEqual(most);
    }
    expect(parts[0]!.instances[0]!.limits.maxEventLoss).toBe(whole.instances[0]!.limits.maxEventLoss);
  });

  it('name the same sources of fair values, whatever is selected now', () => {
    const whole = settings();
    const markets = [
      { id: '9000', key: null, maxAgeMs: null },
      { id: '7', key: null, maxAgeMs: null },
    ];
    const source = {
      kind: 'push',
      name: 'own',
      markets,
      maxAgeMs: 1_000,
      whenStale: 'halt',
      signalsOnly: false,
    };
    const valued = { ...whole, fairValues: [source as never] };
    for (const one of eachShard(valued).map(ofShard)) expect(one.fairValues).toEqual(valued.fairValues);
  });

  it('need as many channels as the fullest of them has events, or the one that is stated', () => {
    const whole = settings();
    const counts = eachShard(whole).map((one) => ofShard(one).events.length);
    expect(mostEvents(whole)).toBe(Math.max(...counts));
    expect(eachShard(whole).map(mostEvents)).toEqual(counts);
    expect(eachShard(whole).map(ofShard).map(mostEvents)).toEqual(counts);
    expect(mostEvents({ ...whole, sharding: null })).toBe(60);
  });

  it('divide once: what is a shard already stays as it is', () => {
    const [one] = eachShard(settings()).map(ofShard);
    expect(ofShard(one!)).toBe(one);
    expect(wholeAccount(one!).sharding).toMatchObject({ shard: null, of: OF });
  });

  it('keep an event for ever: the number of its shard is part of what is promised', () => {
    expect(['10', '11', '2231', 'abc'].map((id) => shardOfEvent(id as EventId, 4))).toMatchInlineSnapshot(`
      [
        2,
        3,
        1,
        4,
      ]
    `);
  });

  it.each([
    ['sharding={ of: 1 }', /sharding\.of/],
    ['sharding={ of: 2, shard: 3 }', /expected a shard from 1 to sharding\.of/],
    ['sharding={ of: 2, lease: { redis: "redis://:secret@one" } }', /ODDSMITH_REDIS_PASSWORD/],
    [
      'sharding={ of: 2, lease: { redis: "redis://one", leaseMs: 5000, withdrawMs: 4000 } }',
      /at most half of leaseMs/,
    ],
    [
      'sharding={ of: 7 }',
      /sharding\.of: expected at most 6, found 7: .* guard\.requestsPerMinute, which is 60, and a guard needs 10/,
    ],
  ])('are refused where they make no sense: %s', (override, message) => {
    expect(() => load(override)).toThrow(message);
  });
});
