/** `GET /events/{id}/get_tax/` (specification 2.8, 4.16); informational, charges nothing (facts, "Trading rules"). */
import { Type, type Static } from 'typebox';
import { shape, nullable, Probability, Id, Time, maybe } from '../shape.js';
import { pageOf } from './pagination.js';

/** null: no tax applies in that mode. */
export const Tax = Type.Object({
  tax_play_money: nullable(Type.Number()),
  tax_real_money: nullable(Type.Number()),
});
export type Tax = Static<typeof Tax>;

export const tax = shape(Tax);

/** `GET /markets/{id}/book/` (specification 2.7, 4.14). */

/** Columns accumulate from the best level on. The two user columns stand in signed answers only. */
export const BookLevel = Type.Object({
  price: Probability,
  total_shares: Type.Number(),
  total_amount: Type.Number(),
  total_fees: Type.Number(),
  cumulative_shares: Type.Number(),
  cumulative_amount: Type.Number(),
  cumulative_fees: Type.Number(),
  total_user_shares: Type.Optional(Type.Number()),
  total_user_shares_requested: Type.Optional(Type.Number()),
});
export type BookLevel = Static<typeof BookLevel>;

/** `bid` from the highest price down, `ask` from the lowest up. */
export const Book = Type.Object({ bid: Type.Array(BookLevel), ask: Type.Array(BookLevel) });
export type Book = Static<typeof Book>;

export const book = shape(Book);

/** `GET /events/{id}/price_history/` (specification 2.8, 4.15). */

/** Chronological; each point names every outcome with its long price then. */
export const PriceHistory = Type.Object({
  currency_mode: Type.String(),
  time_interval: Type.String(),
  history: Type.Array(
    Type.Object({
      timestamp: Time,
      outcomes: Type.Array(Type.Object({ outcome_id: Id, name: Type.String(), price: Probability })),
    }),
  ),
});
export type PriceHistory = Static<typeof PriceHistory>;

export const priceHistory = shape(PriceHistory);

/** `GET /events/`, `GET /events/{id}/`: public, though not in the specification (facts, "Events and markets"). */

/** Long price: one number, or by currency code. */
const Price = Type.Union([Type.Number(), Type.Record(Type.String(), Type.Number()), Type.Null()]);

/**
 * A market inside an event. Statuses stay text here, because older answers use one-letter codes; the reader
 * knows both. `disabled` and the bet window are the bundled exchange's additions.
 */
export const ListedMarket = Type.Object({
  id: Id,
  title: Type.String(),
  price: Type.Optional(Price),
  status: Type.String(),
  long_label: maybe(Type.String()),
  short_label: maybe(Type.String()),
  resolution: maybe(Type.String()),
  order: maybe(Type.Integer()),
  disabled: Type.Optional(Type.Boolean()),
  bet_start_date: maybe(Time),
  bet_end_date: maybe(Time),
});
export type ListedMarket = Static<typeof ListedMarket>;

/** An event with its markets. `bet_start_date`, `is_live` and the volumes are the bundled exchange's additions. */
export const ListedEvent = Type.Object({
  id: Id,
  title: Type.String(),
  slug: maybe(Type.String()),
  status: Type.String(),
  category: Type.Optional(Type.Unknown()),
  markets: Type.Array(ListedMarket),
  bet_start_date: maybe(Time),
  bet_end_date: maybe(Time),
  event_start_date: maybe(Time),
  event_end_date: maybe(Time),
  resolve_date: maybe(Time),
  resolution_mode: maybe(Type.String()),
  description: maybe(Type.String()),
  is_binary: maybe(Type.Boolean()),
  is_live: Type.Optional(Type.Boolean()),
  volume_play_money: maybe(Type.Number()),
  volume_real_money: maybe(Type.Number()),
});
export type ListedEvent = Static<typeof ListedEvent>;

const EventPage = pageOf(ListedEvent);

export const listedEvent = shape(ListedEvent);
export const eventPage = shape(EventPage);
