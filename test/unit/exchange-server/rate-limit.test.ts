import { expect, test } from 'vitest';
import { micros } from '../../../src/domain/units.js';
import { VirtualClock } from '../../support/clocks/virtual-clock.js';
import { RateLimit, type RequestUsage, UsageKeeper } from '../../../src/exchange-server/http/rate-limit.js';

const SECOND = 1_000_000;
const at = (seconds: number) => micros(1_700_000_000_000_000 + seconds * SECOND);

test('so many a minute, then the seconds until the minute is over', () => {
  const limit = new RateLimit({ perMinute: 2, perDay: 100 });
  expect(limit.take('a', at(0))).toBeNull();
  expect(limit.take('a', at(10))).toBeNull();
  expect(limit.take('a', at(10.5))).toBe(50);
  expect(limit.take('a', at(59.9))).toBe(1);
  expect(limit.take('a', at(60))).toBeNull();
});

test('the minute begins with its first request', () => {
  const limit = new RateLimit({ perMinute: 1, perDay: 100 });
  limit.take('a', at(45));
  expect(limit.take('a', at(60))).toBe(45);
  expect(limit.take('a', at(105))).toBeNull();
});

test('a refused request does not count', () => {
  const limit = new RateLimit({ perMinute: 1, perDay: 2 });
  limit.take('a', at(0));
  for (let attempt = 0; attempt < 10; attempt++) limit.take('a', at(1));
  expect(limit.take('a', at(60))).toBeNull();
});

test('the day outlasts the minute', () => {
  const limit = new RateLimit({ perMinute: 10, perDay: 1 });
  limit.take('a', at(0));
  expect(limit.take('a', at(3_600))).toBe(82_800);
  expect(limit.take('a', at(86_400))).toBeNull();
});

test('each key has its own', () => {
  const limit = new RateLimit({ perMinute: 1, perDay: 100 });
  limit.take('a', at(0));
  expect(limit.take('b', at(0))).toBeNull();
});

test('without limits everything passes', () => {
  const limit = new RateLimit(null);
  for (let count = 0; count < 5_000; count++) expect(limit.take('a', at(0))).toBeNull();
});

test('what was used outlives a restart', () => {
  const limits = { perMinute: 2, perDay: 3 };
  const before = new RateLimit(limits);
  before.take('a', at(0));
  before.take('a', at(1));
  const after = new RateLimit(limits, JSON.parse(JSON.stringify(before.save())) as RequestUsage);
  expect(after.take('a', at(2))).toBe(58);
  expect(after.take('a', at(60))).toBeNull();
  expect(after.take('a', at(61))).toBe(86_339);
});

test('counts are saved once a second when they changed, and at the end', () => {
  const clock = new VirtualClock(at(0));
  const limit = new RateLimit({ perMinute: 9, perDay: 9 });
  const saved: RequestUsage[] = [];
  const keeper = new UsageKeeper(limit, { load: () => [], save: (usage) => saved.push(usage) }, clock);
  keeper.start();
  limit.take('a', at(0));
  clock.advanceTo(at(3));
  expect(saved).toHaveLength(1);
  limit.take('a', at(3));
  keeper.stop();
  clock.advanceTo(at(9));
  expect(saved.map(([usage]) => usage?.[1][1]?.used)).toEqual([1, 2]);
});
