/** Payloads of the global feed about events (specification 6.3). */
import { Type, type Static } from 'typebox';
import { CurrencyMode, Id, maybe, Time } from '../wire-types.js';

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
