/** Payloads about books and tradability (specification 6.3). */
import { Type, type Static } from 'typebox';
import { Count, CurrencyMode, Id, maybe, nullable, Probability, Time } from '../wire-types.js';

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
