/** `GET /events/`, `GET /events/{id}/`: public, though not in the specification (facts, "Events and markets"). */
import { Type, type Static } from 'typebox';
import { CURRENCY_MODES } from '../../../../domain/vocabulary.js';
import { SEARCH_LENGTH } from '../limits.js';
import { choice, flag, integers, text } from '../query.js';
import { shape } from '../shape.js';
import { Id, maybe, Time } from '../wire-types.js';
import { PAGE_QUERY, pageOf } from './pagination.js';

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

export const EVENTS_QUERY = {
  categories: integers(),
  currency_mode: choice(CURRENCY_MODES),
  live: flag(),
  ordering: text(SEARCH_LENGTH),
  pending_resolution: flag(),
  resolved_only: flag(),
  search: text(SEARCH_LENGTH),
  tag: text(SEARCH_LENGTH),
  ...PAGE_QUERY,
};

export const listedEvent = shape(ListedEvent);
export const eventPage = shape(EventPage);
