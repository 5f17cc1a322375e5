/** What the engine shows, as the JSON of the local API. */
import type {
  EventStateView,
  LevelView,
  MarketDetailView,
  MarketStateView,
} from '../../core/engine/observing/view.js';
import type { OwnOrder } from '../../core/execution/orders/own-order.js';
import type { KeptPause } from '../../core/risk/risk-state.js';
import type { QuoteScope } from '../../domain/inputs.js';
import type { MarketId } from '../../domain/ids.js';
import { currencyUnits, PRICE_ONE, probability, wholeShares } from '../../domain/units.js';
import type {
  DecisionJson,
  EventLineJson,
  FillJson,
  LevelJson,
  MarketJson,
  MarketRowJson,
  OrderJson,
  PauseJson,
  ScopeJson,
  WhyJson,
} from '../../ops/http/contract.js';
import type { Asked } from '../explain/order-story.js';
import type { Recent, RecentDecision, RecentFill } from './recent.js';

/** Sums of floats that were exact before: nobody reads more digits. */
const rounded = (value: number): number => Math.round(value * 1e8) / 1e8;

const levelJson = (level: LevelView | null): LevelJson | null =>
  level === null ? null : { price: probability(level.price), shares: wholeShares(level.shares) };

export const marketRow = (market: MarketStateView): MarketRowJson => ({
  marketId: market.marketId,
  eventId: market.eventId,
  title: market.title,
  eventTitle: market.eventTitle,
  instance: market.instance,
  status: market.tradability,
  halted: market.halted,
  refusedBy: market.refusedBy,
  book: market.book.freshness,
  bid: levelJson(market.book.bid),
  ask: levelJson(market.book.ask),
  quotes: market.quotes.map(({ side, price, shares, state }) => ({
    side,
    price: probability(price),
    shares: wholeShares(shares),
    state,
  })),
  inventory: {
    long: wholeShares(market.inventory.long),
    short: wholeShares(market.inventory.short),
  },
  profit: currencyUnits(market.profit),
  fair: market.fair === null ? null : rounded(market.fair),
  fills: market.fills,
});

export const eventLine = (
  { eventId, worst, maxLoss }: EventStateView,
  markets: readonly MarketStateView[],
): EventLineJson => ({
  eventId,
  title: markets.find((market) => market.eventId === eventId)?.eventTitle ?? '',
  worst: currencyUnits(worst),
  maxLoss: currencyUnits(maxLoss),
});

interface ShownMarket {
  readonly market: MarketDetailView;
  /** Own orders in it. */
  readonly orders: readonly OwnOrder[];
  readonly recent: Recent;
}

/** @param most how many decisions and fills of it */
export function marketJson(
  { market, orders, recent }: ShownMarket,
  most: number,
  instanceOf: (market: MarketId) => string | null,
): MarketJson {
  const { marketId, book, fairFrom } = market;
  const own = (side: 'bid' | 'ask', price: number): number =>
    wholeShares(
      market.quotes
        .filter((quote) => quote.side === side && quote.price === price)
        .reduce((sum, { shares }) => sum + shares, 0) as LevelView['shares'],
    );
  const levels = (side: 'bid' | 'ask'): MarketJson['bids'] =>
    (side === 'bid' ? market.bids : market.asks).map((level) => ({
      ...levelJson(level)!,
      own: own(side, level.price),
    }));
  return {
    ...marketRow(market),
    tick: market.tickUnits / PRICE_ONE,
    bookReason: book.reason,
    bookAgeMs: book.ageMs,
    bids: levels('bid'),
    asks: levels('ask'),
    mid: market.mid,
    weightedMid: market.weightedMid,
    fairFrom:
      fairFrom === null
        ? null
        : {
            source: fairFrom.source ?? 'weighted mid of the book',
            p: rounded(fairFrom.p),
            ageMs: fairFrom.ageMs,
            confidence: fairFrom.confidence,
          },
    signals: market.signals.map(({ name, ageMs }) => ({
      name,
      ageMs,
      value: recent.signalOf(marketId, name),
    })),
    restriction: { ...market.restriction },
    orders: orders.map((order) => orderJson(order, recent)),
    decisions: recent.decisions
      .filter(({ markets }) => markets.has(marketId))
      .slice(-most)
      .map(decisionJson)
      .toReversed(),
    recentFills: recent.fills
      .filter(({ fill }) => fill.marketId === marketId)
      .slice(-most)
      .map((one) => fillJson(one, instanceOf))
      .toReversed(),
  };
}

export function orderJson(order: OwnOrder, recent: Recent): OrderJson {
  const { orderId } = order;
  const asked = orderId === null ? null : recent.reasonOf(orderId);
  const ahead = orderId === null ? null : recent.aheadOf(orderId);
  return {
    orderId,
    marketId: order.marketId,
    eventId: order.eventId,
    bookSide: order.bookSide,
    longPrice: probability(order.longPrice),
    side: order.side,
    position: order.position,
    price: probability(order.price),
    shares: wholeShares(order.requested),
    filled: wholeShares(order.filled),
    remaining: wholeShares(order.remaining),
    state: order.state,
    ownership: order.ownership,
    since: order.bornAt / 1_000,
    expiresAt: order.expiresAt === null ? null : order.expiresAt / 1_000,
    aheadAtMost: ahead === null ? null : wholeShares(ahead),
    why: asked === null ? null : whyJson(asked),
  };
}

const whyJson = ({ at, input, setting, pricing }: Asked): WhyJson => ({
  at: at / 1_000,
  input,
  instance: setting?.instance ?? null,
  strategy: setting?.strategy ?? null,
  steps: pricing?.steps.map(({ label, value }) => ({ label, value: rounded(value) })) ?? [],
  wanted: pricing === null ? null : rounded(pricing.wanted),
  rounding: rounded(pricing?.rounding ?? 0),
  moved: rounded(pricing?.moved ?? 0),
  fair:
    setting === null || setting.fair === null
      ? null
      : {
          p: rounded(setting.fair.p),
          ageMs: setting.fair.ageMs,
          source: setting.fair.source ?? 'weighted mid of the book',
        },
  inventory: setting === null ? null : { long: setting.inventory.long, short: setting.inventory.short },
  refusals: pricing?.refusals ?? [],
});

export const decisionJson = ({
  seq,
  at,
  input,
  requestId,
  kind,
  markets,
  orders,
}: RecentDecision): DecisionJson => ({
  seq,
  at: at / 1_000,
  input,
  requestId,
  kind,
  markets: [...markets],
  orders,
});

export function fillJson(
  { id, at, fill }: RecentFill,
  instanceOf: (market: MarketId) => string | null,
): FillJson {
  const { orderId, marketId, eventId, side, position, shares, amount, fee, currency } = fill;
  const price = shares === 0 ? null : rounded(amount / shares / PRICE_ONE);
  return {
    id,
    at: at / 1_000,
    orderId,
    marketId,
    eventId,
    instance: instanceOf(marketId),
    side,
    position,
    price,
    longPrice: price === null || position === 'long' ? price : rounded(1 - price),
    shares: wholeShares(shares),
    amount: currencyUnits(amount),
    fee: currencyUnits(fee),
    currency,
    liquidity: fill.liquidity,
    isInferred: fill.isInferred,
  };
}

export const pauseJson = ({ scope, isPaused, until, widenTicks, by, at }: KeptPause): PauseJson => ({
  scope: scopeJson(scope),
  isPaused,
  until: until === null ? null : until / 1_000,
  widenTicks,
  by,
  at: at / 1_000,
});

function scopeJson(scope: QuoteScope): ScopeJson {
  switch (scope.kind) {
    case 'all':
      return {};
    case 'event':
      return { event: scope.eventId };
    case 'market':
      return { market: scope.marketId };
    case 'instance':
      return { instance: scope.instance };
  }
}
