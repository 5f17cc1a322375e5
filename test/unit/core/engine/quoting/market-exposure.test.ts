import { expect, it } from 'vitest';
import { eventId, type MarketId, marketId } from '../../../../../src/domain/ids.js';
import { money, shares } from '../../../../../src/domain/units.js';
import type { ResolutionMode } from '../../../../../src/domain/vocabulary.js';
import type { EngineParts } from '../../../../../src/core/engine/parts.js';
import { Exposure } from '../../../../../src/core/engine/quoting/exposure.js';
import { Positions } from '../../../../../src/core/engine/accounting/positions.js';
import { MarketExposure } from '../../../../../src/core/engine/quoting/gate.js';
import { EventExposure } from '../../../../../src/core/portfolio/event-exposure.js';
import { OrderCosts } from '../../../../../src/core/portfolio/worst-case.js';
import { proposalOf } from '../../../../../src/core/risk/index.js';
import { orderOf, riskTerms } from '../../../../support/bot/risk-view.js';

const MARKET = marketId(11);

it('limits go by the worse of what fills say and what the venue says, whichever way orders lead', () => {
  const positions = {
    netBetween: () => ({ least: -1_153, most: -600 }),
    worstFee: () => 0,
    exposureOf: () => ({}),
  };
  const terms = new Map([[MARKET, { eventId: eventId(1), tickUnits: 100, takerFee: 0, makerFee: 0 }]]);
  const parts = { positions, terms, quoted: new Map() } as unknown as EngineParts;
  const run = {
    mayFill: () => ({ bid: 100, ask: 50 }),
    promised: { in: () => ({ bid: 7, ask: 3 }) },
  } as unknown as Exposure;
  const view = new MarketExposure(parts, run, MARKET);
  expect(view.netRange()).toEqual({ low: -1_153 - 50 - 3, high: -600 + 100 + 7 });
  expect(view.heldRange()).toEqual({ low: -1_153, high: -600 });
});

/** Markets of one event, of which none needs to win, each with a gate's view of what all of them quote. */
function eventOf(resolutionMode: ResolutionMode, ids: readonly number[]) {
  const markets = ids.map(marketId);
  const rules = {
    resolutionMode,
    nonePossible: true,
    voidPossible: true,
    mayExclude: resolutionMode === 'exclusive',
    markets,
  };
  const event = new EventExposure(rules);
  const positions = {
    currency: 'OOM',
    netBetween: () => ({ least: 0, most: 0 }),
    worstFee: () => 0,
    restingFee: () => money(1_000),
    exposureOf: () => event,
    open: (market: MarketId, costs: OrderCosts) => {
      event.order(market, costs);
      return event;
    },
    roomIn: (...asked: Parameters<Positions['roomIn']>) =>
      Positions.prototype.roomIn.apply(positions as never, asked),
  };
  const terms = { eventId: eventId(1), tickUnits: 100, takerFee: 0, makerFee: 0 };
  const orders = { watch: () => new Set(), own: () => ({ working: [] }), unheardEnds: () => [] };
  const parts = {
    positions,
    desk: { orders },
    funds: { heed: () => undefined },
    terms: new Map(markets.map((id) => [id, terms])),
    quoted: new Map(),
  } as unknown as EngineParts;
  const run = new Exposure(parts);
  return { event, rules, run, views: markets.map((id) => new MarketExposure(parts, run, id)) };
}

it('what is promised in one market leaves that much less room in the others, its fee and theirs put by', () => {
  const { views } = eventOf('exclusive', [11, 12, 13]);
  const [first, second] = [views[0]!, views[1]!];
  expect([first.quoteRoom('long'), second.quoteRoom('short')]).toEqual([999_000, 2_999_000]);
  const creates = [
    orderOf({ marketId: MARKET }),
    orderOf({ marketId: MARKET, position: 'short', price: 4_900 as never }),
  ];
  for (const order of creates) first.promise(order as never, proposalOf(order, null, riskTerms()));
  expect([first.quoteRoom('long'), second.quoteRoom('long')]).toEqual([999_000, 999_000 - 480_000 - 1_000]);
  expect(second.quoteRoom('short')).toBe(2_999_000 - 490_000 - 1_000);
});

it('a market waits for other quotes of its event, if there are any that count', () => {
  const { event, run, views } = eventOf('exclusive', [11, 12]);
  event.quotes?.quote(marketId(12), { long: 600_000, short: 0 });
  views[0]!.awaitQuotes();
  event.quotes?.quote(marketId(12), { long: 500_000, short: 0 });
  expect(run.awaited.take()).toEqual(['11']);
  for (const [mode, ids] of [
    ['non_exclusive', [11, 12]],
    ['exclusive', [11]],
  ] as const) {
    const { run: alone, views: found } = eventOf(mode, ids);
    found[0]!.awaitQuotes();
    expect([found[0]!.quoteRoom('long'), alone.awaited.areNone]).toEqual([null, true]);
  }
});

it('what is quoted is compared from the moment on that outcomes exclude each other, and no longer than they do', () => {
  const { event, rules, views } = eventOf('exclusive', [11, 12]);
  const held = { long: shares(0), short: shares(100), cost: money(400_000) };
  for (const id of [11, 12]) event.hold(marketId(id), held, new OrderCosts());
  event.quotes?.quote(marketId(12), { long: 600_000, short: 0 });
  const worstAs = (mode: ResolutionMode): readonly (number | null)[] => {
    rules.resolutionMode = mode;
    return [views[0]!.quoteRoom('long'), event.worst()];
  };
  // Both shares pay nothing if both outcomes come true, 0.8 was paid for them.
  expect(worstAs('non_exclusive')).toEqual([null, -800_000]);
  expect(worstAs('exclusive')).toEqual([399_000, -400_000]);
  expect(worstAs('non_exclusive')).toEqual([null, -800_000]);
});
