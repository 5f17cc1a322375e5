import { describe, expect, it } from 'vitest';
import type { EngineView } from '../../../../src/core/engine/observing/view.js';
import { marketId } from '../../../../src/domain/ids.js';
import { micros, money, shares } from '../../../../src/domain/units.js';
import { AlertRules } from '../../../../src/ops/alerts/alert-rules.js';
import { alertsSchema } from '../../../../src/settings/alerts-schema.js';
import { engineView, marketView } from '../../../support/bot/engine-view.js';
import { fillOf } from '../../../support/orders/fills.js';

/** Rules of a file, and a bot that says of itself what it is told to. */
function watched(rules: object = {}) {
  const judge = new AlertRules(alertsSchema.parse({ rules }).rules);
  const calm = { requestsLeftToday: 100, freeMiB: 10_000, venueAheadMs: 0 };
  return {
    judge,
    /** @returns what is told at that second, as `rule state: text` */
    at(second: number, view: Partial<EngineView> = {}, facts: Partial<typeof calm> = {}): readonly string[] {
      const found = judge.review(
        { ...calm, ...facts, view: engineView({ counts: COUNTS, ...view }) },
        micros(second * 1e6),
      );
      return found.map(({ rule, state, text }) => `${rule} ${state}: ${text}`.replace(/: $/, ''));
    },
  };
}

const COUNTS = { ...engineView().counts, differences: {} };
const differing = (differences: Record<string, number>) => ({ counts: { ...COUNTS, differences } });
const stale = (id: number) =>
  marketView({
    marketId: marketId(id),
    title: `M${id}`,
    book: { ...marketView().book, freshness: 'stale', reason: 'age' },
  });

describe('alert rules', () => {
  it('say nothing of a bot that works', () => {
    const bot = watched({ fill: { above: 1 }, loss: { above: 1 }, drawdown: { above: 1 }, summary: {} });
    expect([0, 1, 60, 3_600].flatMap((second) => bot.at(second))).toEqual([]);
  });

  it.each<readonly [string, Partial<EngineView>, string]>([
    ['kill', { killed: 'a person' }, 'a person'],
    ['alarm', { alarms: [{ code: 'journal', text: 'the disk is full' }] }, 'the disk is full'],
    ['strategy', { instances: [{ name: 'rain', strategy: 'bands', fault: 'threw' }] }, 'rain: threw'],
    ['loss', { profit: money(-30_500_000) }, 'profit -30.50 OOM'],
    [
      'doubt',
      { markets: [marketView({ quotes: [{ ...marketView().quotes[0]!, state: 'unknown' }] })] },
      'Candidate A (market 2231): 1 orders',
    ],
    ['feed', { connection: { state: 'waiting', reason: 'closed (1006)' } }, 'waiting: closed (1006)'],
    ['book', { markets: [stale(7)] }, 'M7 (market 7): the book is stale: age'],
    [
      'limit',
      { markets: [marketView({ refusedBy: 'position-limit' })] },
      'Candidate A (market 2231): position-limit',
    ],
    [
      'cash',
      {
        cashShort: {
          now: { needed: money(5_000_000), there: money(2_000_000) },
          worst: null,
        },
      },
      '5.00 OOM needed, 2.00 OOM there',
    ],
    ['paced', { alarms: [{ code: 'orders-paced', text: 'binds' }] }, 'binds'],
  ])('tell of %s, and when it is over', (rule, view, text) => {
    const bot = watched({ loss: { above: 30 } });
    const told = [0, 10, 30, 60, 61].flatMap((second) => bot.at(second, view));
    expect(told).toEqual([`${rule} firing: ${text}`]);
    expect(bot.at(62)).toEqual([`${rule} resolved`]);
    expect(bot.at(63)).toEqual([]);
  });

  it.each([
    ['disk', { freeMiB: 100 }, '100 MiB are free for stateDir'],
    ['clock', { venueAheadMs: -2_500 }, '2500 ms ahead of the clock of the venue'],
    ['paced', { requestsLeftToday: 0 }, 'the requests of 24 hours (venue.rateLimit.perDay) are used up'],
  ])('tell of %s of the machine, and when it is over', (rule, facts, text) => {
    const bot = watched();
    expect([...bot.at(0, {}, facts), ...bot.at(60, {}, facts)]).toEqual([`${rule} firing: ${text}`]);
    expect(bot.at(61)).toEqual([`${rule} resolved`]);
  });

  it('tell of a drawdown from the best moment', () => {
    const bot = watched({ drawdown: { above: 5 } });
    bot.at(0, { profit: money(20_000_000) });
    expect(bot.at(1, { profit: money(15_000_000) })).toEqual([]);
    expect(bot.at(2, { profit: money(14_000_000) })).toEqual([
      'drawdown firing: profit 14.00 OOM, 20.00 OOM at its best',
    ]);
  });

  it('wait for what may pass by itself', () => {
    const bot = watched({ feed: { forMs: 10_000 } });
    const lost = { connection: { state: 'waiting', reason: 'closed' } };
    expect(bot.at(0, lost)).toEqual([]);
    expect(bot.at(9, lost)).toEqual([]);
    expect(bot.at(10)).toEqual([]);
    expect(bot.at(11, lost)).toEqual([]);
    expect(bot.at(20, lost)).toEqual([]);
    expect(bot.at(21, lost)).toHaveLength(1);
  });

  it('tell of many markets in one message, and of later ones after the cool-down', () => {
    const bot = watched({ book: { forMs: 0, cooldownMs: 60_000 } });
    const many = Array.from({ length: 7 }, (_, at) => stale(at + 1));
    const [first] = bot.at(0, { markets: many });
    expect(first?.split('\n')).toHaveLength(6);
    expect(first).toMatch(/M5 .*\nand 2 more$/);
    const more = [...many, stale(8)];
    expect(bot.at(59, { markets: more })).toEqual([]);
    expect(bot.at(60, { markets: more })).toEqual(['book firing: M8 (market 8): the book is stale: age']);
    expect(bot.at(61, { markets: [stale(8)] })).toEqual([]);
    expect(bot.at(62)).toEqual(['book resolved']);
  });

  it('tell again of what went and came back while another of its kind stood', () => {
    const bot = watched({ book: { forMs: 0, cooldownMs: 60_000 } });
    expect(bot.at(0, { markets: [stale(1)] })).toHaveLength(1);
    expect(bot.at(60, { markets: [stale(1), stale(2)] })).toHaveLength(1);
    expect(bot.at(100, { markets: [stale(1)] })).toEqual([]);
    expect(bot.at(119, { markets: [stale(1), stale(2)] })).toEqual([]);
    expect(bot.at(120, { markets: [stale(1), stale(2)] })).toEqual([
      'book firing: M2 (market 2): the book is stale: age',
    ]);
  });

  it('are not over while another of their kind waits for the end of the cool-down', () => {
    const bot = watched({ book: { forMs: 0, cooldownMs: 60_000 } });
    expect(bot.at(0, { markets: [stale(1)] })).toHaveLength(1);
    expect(bot.at(10, { markets: [stale(1), stale(2)] })).toEqual([]);
    expect(bot.at(20, { markets: [stale(2)] })).toEqual([]);
    expect(bot.at(60, { markets: [stale(2)] })).toEqual([
      'book firing: M2 (market 2): the book is stale: age',
    ]);
    expect(bot.at(70, { markets: [stale(3)] })).toEqual([]);
    expect(bot.at(80)).toEqual(['book resolved']);
  });

  it('tell of a condition that comes and goes once in a cool-down', () => {
    const bot = watched({ limit: { forMs: 0, cooldownMs: 60_000 } });
    const refused = { markets: [marketView({ refusedBy: 'position-limit' })] };
    expect(bot.at(0, refused)).toHaveLength(1);
    expect(bot.at(1)).toEqual(['limit resolved']);
    expect(bot.at(2, refused)).toEqual([]);
    expect(bot.at(3)).toEqual([]);
    expect(bot.at(59, refused)).toEqual([]);
    expect(bot.at(60, refused)).toHaveLength(1);
  });

  it('tell of large fills, and together of those within the cool-down', () => {
    const bot = watched({ fill: { above: 5, cooldownMs: 60_000 } });
    bot.judge.filled(fillOf(50, 10));
    expect(bot.at(0)).toEqual([]);
    bot.judge.filled(fillOf(50, 20));
    expect(bot.at(1)).toEqual(['fill firing: bought 20 long of market 2231 for 10.00 OOM']);
    for (let at = 0; at < 6; at += 1)
      bot.judge.filled(fillOf(60, 10 + at, { side: 'ask', position: 'short' }));
    expect(bot.at(60)).toEqual([]);
    const [later] = bot.at(61);
    expect(later).toContain('sold 10 short of market 2231 for 6.00 OOM\n');
    expect(later).toMatch(/and 1 more$/);
  });

  it('tell of differences that are money', () => {
    const bot = watched();
    expect(bot.at(0, differing({ book: 5 }))).toEqual([]);
    expect(bot.at(1, differing({ book: 6, holding: 2 }))).toEqual([
      'difference firing: holding: 2 differences',
    ]);
    expect(bot.at(400, differing({ book: 9, holding: 2 }))).toEqual([]);
  });

  it('tell a summary once a day, not at the start', () => {
    const bot = watched({ summary: { at: '07:30' } });
    const day = 86_400;
    const half = 7.5 * 3_600;
    expect(bot.at(10 * day)).toEqual([]);
    expect(bot.at(10 * day + half - 1)).toEqual([]);
    const [told] = bot.at(10 * day + half, {
      profit: money(1_500_000),
      markets: [
        marketView(),
        marketView({ halted: 'pre-close', inventory: { long: shares(0), short: shares(0) } }),
      ],
    });
    expect(told).toBe(
      'summary firing: profit of the run 1.50 OOM, balance 2.00\n3 fills of 12.5 shares\n' +
        '1 of 2 markets quoted, shares held in 1\n0 strategies stopped',
    );
    expect(bot.at(10 * day + half + 1)).toEqual([]);
    expect(bot.at(11 * day + half)).toHaveLength(1);
  });

  it('tell of an end that is not clean', () => {
    const { judge } = watched();
    expect(judge.ended({ kind: 'end', outcome: 'clean', text: '' })).toEqual([]);
    expect(judge.ended({ kind: 'end', outcome: 'orders-may-remain', text: 'two orders' })).toMatchObject([
      { rule: 'end', title: 'the run ended: orders-may-remain', text: 'two orders' },
    ]);
  });

  it('tell nothing of a rule that is null', () => {
    const bot = watched({ kill: null, end: false });
    expect(bot.at(0, { killed: 'a person' })).toEqual([]);
    expect(bot.judge.ended({ kind: 'end', outcome: 'invariant', text: '' })).toEqual([]);
  });

  it('show text of the venue without control characters', () => {
    const bot = watched({ book: { forMs: 0 } });
    const market = { ...stale(7), title: 'a\u001B[31m\nb' };
    expect(bot.at(0, { markets: [market] })[0]).toContain('a\uFFFD[31m b (market 7)');
  });
});
