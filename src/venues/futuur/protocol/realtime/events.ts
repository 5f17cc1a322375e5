/** Payloads of the private channel (specification 6.3). */
import { Type, type Static } from 'typebox';
import {
  Currency,
  Id,
  maybe,
  nullable,
  OrderStatus,
  PositionWord,
  Probability,
  Side,
  Time,
  Count,
  CurrencyMode,
  shape,
  type Shape,
} from '../shape.js';

/** `balance-changed`: Unix seconds and no amount; clients read `GET /me/balances/`. */
export const BalanceChanged = Type.Object({ timestamp: Type.Number({ minimum: 0 }) });
export type BalanceChanged = Static<typeof BalanceChanged>;

/** `deposit-success`. */
export const DepositSuccess = Type.Object({ amount: Type.Number(), currency: Currency });
export type DepositSuccess = Static<typeof DepositSuccess>;

/** `order-update`: `shares_filled` is cumulative, `shares_filled_delta` what this message adds. */
export const OrderUpdate = Type.Object({
  order_id: Id,
  market_id: Id,
  event_id: Id,
  status: OrderStatus,
  previous_status: maybe(Type.String()),
  side: Side,
  position: PositionWord,
  price: nullable(Probability),
  shares_requested: Type.Number(),
  shares_filled: Type.Number(),
  shares_filled_delta: maybe(Type.Number()),
  avg_fill_price: maybe(Type.Number()),
  currency: Currency,
  timestamp: Time,
  cancel_reason: maybe(Type.String()),
  expired_at: maybe(Time),
  is_system_initiated: maybe(Type.Boolean()),
});
export type OrderUpdate = Static<typeof OrderUpdate>;

/** `position-update`: shares held now. */
export const PositionUpdate = Type.Object({
  market_id: Id,
  event_id: Id,
  position: PositionWord,
  currency: Currency,
  shares: Type.Number(),
  purchases_amount: maybe(Type.Number()),
  avg_price: maybe(Type.Number()),
});
export type PositionUpdate = Static<typeof PositionUpdate>;

/** Payloads about books and tradability (specification 6.3). */

/** `best-prices-change`: a side without orders is null; spread is best ask minus best bid. */
export const BestPricesChange = Type.Object({
  market_id: Id,
  event_id: Id,
  currency_mode: CurrencyMode,
  best_ask: nullable(Probability),
  best_bid: nullable(Probability),
  spread: nullable(Type.Number()),
});
export type BestPricesChange = Static<typeof BestPricesChange>;

const BookUpdateLevel = Type.Object({
  price: Probability,
  total_shares: Type.Number(),
  total_amount: Type.Number(),
});

/** `order-book-update`: absolute best `top_n` levels of the long side, not deltas. */
export const OrderBookUpdate = Type.Object({
  market_id: Id,
  event_id: Id,
  currency: Type.String(),
  currency_mode: CurrencyMode,
  top_n: Count,
  ask: Type.Array(BookUpdateLevel),
  bid: Type.Array(BookUpdateLevel),
  timestamp: Time,
});
export type OrderBookUpdate = Static<typeof OrderBookUpdate>;

/**
 * `market-status-change` as the bundled exchange sends it (facts, "Events and markets"); `market_id` null is the
 * whole event. The venue's own payload is undocumented, so the reader takes any object and says what it understood.
 */
export const MarketStatusChange = Type.Object({
  event_id: Id,
  market_id: nullable(Id),
  status: Type.String(),
  previous_status: nullable(Type.String()),
  bet_start_date: nullable(Time),
  bet_end_date: nullable(Time),
  disabled: Type.Boolean(),
  timestamp: Time,
});
export type MarketStatusChange = Static<typeof MarketStatusChange>;
export const AnyMarketStatusChange = Type.Record(Type.String(), Type.Unknown());

/** `new-market`: a market was added to an event. */
export const NewMarket = Type.Object({
  id: Id,
  title: Type.String(),
  title_verbose: Type.Optional(Type.String()),
  event: Type.Object({
    id: Id,
    title: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
    category: Type.Optional(Type.Unknown()),
  }),
  status: Type.String(),
  suggested_price_play_money: maybe(Type.Number()),
  suggested_price_real_money: maybe(Type.Number()),
  bet_start_date: maybe(Time),
  bet_end_date: maybe(Time),
});
export type NewMarket = Static<typeof NewMarket>;

/** Payloads of the global feed about events (specification 6.3). */

/** `price` is the long mid-price by currency code. */
const PriceChangeMarket = Type.Object({
  id: Id,
  title: Type.String(),
  status: Type.String(),
  price: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()])),
  long_label: Type.String(),
  short_label: Type.String(),
  resolution: maybe(Type.String()),
});

/** `price-change`: trailing markets are missing when the message would exceed 10 KB (facts). */
export const PriceChange = Type.Object({
  id: Id,
  title: Type.String(),
  status: Type.String(),
  currency_mode: CurrencyMode,
  is_wagerable: Type.Boolean(),
  wagers_count_play_money: Type.Number(),
  wagers_count_real_money: Type.Number(),
  wagers_count_total: Type.Number(),
  volume_play_money: maybe(Type.Number()),
  volume_real_money: maybe(Type.Number()),
  markets: Type.Array(PriceChangeMarket),
});
export type PriceChange = Static<typeof PriceChange>;

/** `live-data-update`: live data, status or resolution of an event changed. */
export const LiveDataUpdate = Type.Object({
  id: Id,
  status: Type.String(),
  resolution: maybe(Type.String()),
  resolve_date: maybe(Time),
  event_start_date: maybe(Time),
  event_end_date: maybe(Time),
  event_extra_data: maybe(Type.Record(Type.String(), Type.Unknown())),
  is_live: Type.Boolean(),
});
export type LiveDataUpdate = Static<typeof LiveDataUpdate>;

/** `market-comment`: sent about five seconds after posting. The event is called `question` here. */
export const MarketComment = Type.Object({
  id: Id,
  content: Type.String(),
  created_on: Time,
  user: Type.Object({
    id: Id,
    username: maybe(Type.String()),
    picture: maybe(Type.String()),
    win_rate: maybe(Type.Number()),
    wagers_count: maybe(Type.Number()),
    net_earnings: maybe(Type.Number()),
  }),
  question: Type.Object({
    id: Id,
    title: maybe(Type.String()),
    slug: maybe(Type.String()),
    status: maybe(Type.String()),
    resolve_date: maybe(Time),
    bet_end_date: maybe(Time),
    is_binary: maybe(Type.Boolean()),
  }),
});
export type MarketComment = Static<typeof MarketComment>;

/** `test-event` on the test channel: any object. */
export const TestEvent = Type.Record(Type.String(), Type.Unknown());
export type TestEvent = Static<typeof TestEvent>;

/** The eleven events of the venue and the test event, by name (specification 6.2). */

/** What each event carries when sent. */
export interface RealtimePayloads {
  readonly 'best-prices-change': Static<typeof BestPricesChange>;
  readonly 'price-change': Static<typeof PriceChange>;
  readonly 'new-market': Static<typeof NewMarket>;
  readonly 'live-data-update': Static<typeof LiveDataUpdate>;
  readonly 'market-status-change': MarketStatusChange;
  readonly 'market-comment': Static<typeof MarketComment>;
  readonly 'order-book-update': Static<typeof OrderBookUpdate>;
  readonly 'balance-changed': Static<typeof BalanceChanged>;
  readonly 'deposit-success': Static<typeof DepositSuccess>;
  readonly 'order-update': Static<typeof OrderUpdate>;
  readonly 'position-update': Static<typeof PositionUpdate>;
  readonly 'test-event': Static<typeof TestEvent>;
}
export type RealtimeEventName = keyof RealtimePayloads;

/** What each event must look like when received: as sent, but `market-status-change` may be any object. */
export type ReceivedPayloads = Omit<RealtimePayloads, 'market-status-change'> & {
  readonly 'market-status-change': Static<typeof AnyMarketStatusChange>;
};

export const REALTIME_SHAPES: { readonly [Name in RealtimeEventName]: Shape<ReceivedPayloads[Name]> } = {
  'best-prices-change': shape(BestPricesChange),
  'price-change': shape(PriceChange),
  'new-market': shape(NewMarket),
  'live-data-update': shape(LiveDataUpdate),
  'market-status-change': shape(AnyMarketStatusChange),
  'market-comment': shape(MarketComment),
  'order-book-update': shape(OrderBookUpdate),
  'balance-changed': shape(BalanceChanged),
  'deposit-success': shape(DepositSuccess),
  'order-update': shape(OrderUpdate),
  'position-update': shape(PositionUpdate),
  'test-event': shape(TestEvent),
};

/** Which kinds of channel carry an event (specification 6.2). */
export const EVENT_CHANNELS: {
  readonly [Name in RealtimeEventName]: readonly ('global' | 'event' | 'user' | 'test')[];
} = {
  'best-prices-change': ['global', 'event'],
  'price-change': ['global'],
  'new-market': ['global'],
  'live-data-update': ['global'],
  'market-status-change': ['global', 'event'],
  'market-comment': ['global'],
  'order-book-update': ['event'],
  'balance-changed': ['user'],
  'deposit-success': ['user'],
  'order-update': ['user'],
  'position-update': ['user'],
  'test-event': ['test'],
};

export const REALTIME_EVENT_NAMES = Object.keys(REALTIME_SHAPES).filter(isRealtimeEventName);

/** Whether the venue has an event of this name. */
export function isRealtimeEventName(name: string): name is RealtimeEventName {
  return Object.hasOwn(REALTIME_SHAPES, name);
}

/** Realtime writes positions in the short form, REST in words (facts, "Events and markets"). */
export const POSITION_LETTERS = { long: 'l', short: 's' } as const;
