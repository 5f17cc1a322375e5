import type {
  OrderInput,
  BalanceInput,
  DepositInput,
  HoldingInput,
  EventLiveInput,
  CommentInput,
  EventStatusInput,
  TouchInput,
  BookInput,
  MarketStatusInput,
  MarketListedInput,
  FeedInput,
} from '../../../../domain/inputs.js';
import type { OrderReport } from '../../../../domain/orders.js';
import type { Shares, Money, Micros } from '../../../../domain/units.js';
import { place, type Placed } from './placed.js';
import { orderReport, type ToldOfOrder } from './orders.js';
import { eventId, marketId, orderId, type EventId } from '../../../../domain/ids.js';
import { readMoney, readPrice, readShares } from '../decimals.js';
import {
  type ReceivedPayloads,
  isRealtimeEventName,
  REALTIME_SHAPES,
  type RealtimeEventName,
} from '../realtime/events.js';
import { readOptionalTimestamp, readTimestamp, readUnixSeconds, TimestampError } from '../timestamps.js';
import { readPosition, readEventStatus, readMarketStatus, readResolution, anyStatus } from './words.js';
import type { EventStatus, MarketStatus } from '../../../../domain/vocabulary.js';
import { readLevels } from './book.js';
import { parseChannel } from '../realtime/channels.js';

/** What a frame tells of an order. */
export interface ToldOrder extends ToldOfOrder, Omit<OrderInput, 'kind' | 'report'> {
  /** null where the frame does not say. */
  readonly filledNow: Shares | null;
}

/** The input for it, made in one place as its report is. */
const orderUpdateOf = (told: ToldOrder): OrderInput => ({
  kind: 'order',
  report: reportOf(told),
  cancelReason: told.cancelReason,
  systemInitiated: told.systemInitiated,
  venueTime: told.venueTime,
});

function reportOf(told: ToldOrder): OrderReport {
  const report = orderReport(told);
  return told.filledNow === null ? report : { ...report, filledNow: told.filledNow };
}

/** Realtime frames of the private channel, as domain inputs. */

const readOrderUpdate = (wire: ReceivedPayloads['order-update']): OrderInput =>
  orderUpdateOf({
    orderId: orderId(wire.order_id),
    marketId: marketId(wire.market_id),
    eventId: eventId(wire.event_id),
    side: wire.side,
    position: readPosition(wire.position, 'position'),
    currency: wire.currency,
    price: wire.price === null ? null : readPrice(wire.price, 'price'),
    status: wire.status,
    requested: readShares(wire.shares_requested, 'shares_requested'),
    filled: readShares(wire.shares_filled, 'shares_filled'),
    filledNow: readOptionalShares(wire.shares_filled_delta, 'shares_filled_delta'),
    averageFillPrice: wire.avg_fill_price ?? null,
    createdAt: null,
    expiresAt: readOptionalTimestamp(wire.expired_at, 'expired_at'),
    cancelReason: wire.cancel_reason ?? null,
    systemInitiated: wire.is_system_initiated ?? false,
    venueTime: readTimestamp(wire.timestamp, 'timestamp'),
  });

const readOptionalShares = (value: number | null | undefined, field: string): Shares | null =>
  value === null || value === undefined ? null : readShares(value, field);

const readPositionUpdate = (wire: ReceivedPayloads['position-update']): HoldingInput => ({
  kind: 'holding',
  holding: {
    marketId: marketId(wire.market_id),
    eventId: eventId(wire.event_id),
    position: readPosition(wire.position, 'position'),
    currency: wire.currency,
    shares: readShares(wire.shares, 'shares', 'floor'),
    purchasesAmount: wire.purchases_amount ?? null,
  },
});

const readBalanceChanged = (wire: ReceivedPayloads['balance-changed']): BalanceInput => ({
  kind: 'balance',
  venueTime: readUnixSeconds(wire.timestamp, 'timestamp'),
});

/** Digits finer than the money grid are floored: never more than was paid in. */
const readDeposit = (wire: ReceivedPayloads['deposit-success']): DepositInput => ({
  kind: 'deposit',
  amount: readMoney(wire.amount, 'amount', 'floor'),
  currency: wire.currency,
});

/** Realtime frames of the global feed about events, as domain inputs. */

const readPriceChange = (wire: ReceivedPayloads['price-change']): EventStatusInput => ({
  kind: 'event-status',
  eventId: eventId(wire.id),
  status: readEventStatus(wire.status, 'status'),
  mode: wire.currency_mode,
  wagerable: wire.is_wagerable,
  volumePlayMoney: volume(wire.volume_play_money, 'volume_play_money'),
  volumeRealMoney: volume(wire.volume_real_money, 'volume_real_money'),
  markets: wire.markets.map((market) => ({
    marketId: marketId(market.id),
    status: readMarketStatus(market.status, 'markets.status'),
    resolution: readResolution(market.resolution, 'markets.resolution'),
  })),
});

/** A statistic: digits finer than the money grid are rounded to nearest. */
const volume = (value: number | null | undefined, field: string): Money | null =>
  value === null || value === undefined ? null : readMoney(value, field, 'nearest');

const readLiveDataUpdate = (wire: ReceivedPayloads['live-data-update']): EventLiveInput => ({
  kind: 'event-live',
  eventId: eventId(wire.id),
  status: readEventStatus(wire.status, 'status'),
  resolution: wire.resolution ?? null,
  isLive: wire.is_live,
  eventStart: readOptionalTimestamp(wire.event_start_date, 'event_start_date'),
  eventEnd: readOptionalTimestamp(wire.event_end_date, 'event_end_date'),
});

const readComment = (wire: ReceivedPayloads['market-comment']): CommentInput => ({
  kind: 'comment',
  eventId: eventId(wire.question.id),
  commentId: wire.id,
  content: wire.content,
});

/** Realtime frames about books and tradability, as domain inputs. */

const readBookUpdate = (wire: ReceivedPayloads['order-book-update']): BookInput => ({
  kind: 'book',
  eventId: eventId(wire.event_id),
  marketId: marketId(wire.market_id),
  mode: wire.currency_mode,
  topN: wire.top_n,
  bids: readLevels('bid', wire.bid),
  asks: readLevels('ask', wire.ask),
  venueTime: readTimestamp(wire.timestamp, 'timestamp'),
});

const readBestPrices = (wire: ReceivedPayloads['best-prices-change']): TouchInput => ({
  kind: 'touch',
  eventId: eventId(wire.event_id),
  marketId: marketId(wire.market_id),
  mode: wire.currency_mode,
  bid: wire.best_bid === null ? null : readPrice(wire.best_bid, 'best_bid'),
  ask: wire.best_ask === null ? null : readPrice(wire.best_ask, 'best_ask'),
});

const readNewMarket = (wire: ReceivedPayloads['new-market']): MarketListedInput => ({
  kind: 'market-listed',
  eventId: eventId(wire.event.id),
  marketId: marketId(wire.id),
  title: wire.title,
  status: readMarketStatus(wire.status, 'status'),
  betStart: readOptionalTimestamp(wire.bet_start_date, 'bet_start_date'),
  betEnd: readOptionalTimestamp(wire.bet_end_date, 'bet_end_date'),
});

/**
 * `market-status-change` of any payload. What could be read is said; `understood` is false when the event or
 * every one of the tradability fields (status, bet window, disabled) is missing, or one of them is unreadable.
 * @param channelEvent event of the channel it came on, for payloads that do not name it
 */
function readMarketStatusChange(
  wire: ReceivedPayloads['market-status-change'],
  channelEvent: EventId | null,
): MarketStatusInput {
  const [event, market] = [idOf(wire['event_id']), idOf(wire['market_id'])];
  const heardEvent = event === null ? channelEvent : eventId(event);
  const facts = tradability(wire);
  const understood =
    heardEvent !== null && facts !== null && Object.keys(facts).length > 0 && isIdOrAbsent(wire['market_id']);
  return {
    kind: 'market-status',
    understood,
    eventId: heardEvent,
    marketId: market === null ? null : marketId(market),
    ...facts,
    venueTime: timeOrNull(wire['timestamp']),
  };
}

type Tradability = Pick<MarketStatusInput, 'status' | 'betStart' | 'betEnd' | 'disabled'>;

/** Fields that are present; null when one of them cannot be read. */
function tradability(wire: Readonly<Record<string, unknown>>): Tradability | null {
  const status = wire['status'] === undefined ? undefined : statusOf(wire['status']);
  const betStart = optionalTime(wire['bet_start_date']);
  const betEnd = optionalTime(wire['bet_end_date']);
  const disabled = wire['disabled'];
  if (status === null || betStart === 'unreadable' || betEnd === 'unreadable') return null;
  if (disabled !== undefined && typeof disabled !== 'boolean') return null;
  return {
    ...(status !== undefined && { status }),
    ...(betStart !== undefined && { betStart }),
    ...(betEnd !== undefined && { betEnd }),
    ...(disabled !== undefined && { disabled }),
  };
}

const statusOf = (value: unknown): EventStatus | MarketStatus | null =>
  typeof value === 'string' ? anyStatus(value) : null;

const idOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

const isIdOrAbsent = (value: unknown): boolean =>
  value === undefined || value === null || idOf(value) !== null;

function optionalTime(value: unknown): Micros | null | undefined | 'unreadable' {
  if (value === undefined || value === null) return value;
  return timeOrNull(value) ?? 'unreadable';
}

function timeOrNull(value: unknown): Micros | null {
  try {
    return readTimestamp(value, 'timestamp');
  } catch (error) {
    if (error instanceof TimestampError) return null;
    throw error;
  }
}

/** From a realtime event, by name and payload, to the engine's input. */

/** The domain input of each event. */
export interface RealtimeInputs {
  readonly 'best-prices-change': Extract<FeedInput, { kind: 'touch' }>;
  readonly 'price-change': Extract<FeedInput, { kind: 'event-status' }>;
  readonly 'new-market': Extract<FeedInput, { kind: 'market-listed' }>;
  readonly 'live-data-update': Extract<FeedInput, { kind: 'event-live' }>;
  readonly 'market-status-change': Extract<FeedInput, { kind: 'market-status' }>;
  readonly 'market-comment': Extract<FeedInput, { kind: 'comment' }>;
  readonly 'order-book-update': Extract<FeedInput, { kind: 'book' }>;
  readonly 'balance-changed': Extract<FeedInput, { kind: 'balance' }>;
  readonly 'deposit-success': Extract<FeedInput, { kind: 'deposit' }>;
  readonly 'order-update': Extract<FeedInput, { kind: 'order' }>;
  readonly 'position-update': Extract<FeedInput, { kind: 'holding' }>;
  readonly 'test-event': Extract<FeedInput, { kind: 'test' }>;
}

type Translate<Name extends RealtimeEventName> = (
  wire: ReceivedPayloads[Name],
  channel: string,
) => RealtimeInputs[Name];

const TRANSLATIONS: { readonly [Name in RealtimeEventName]: Translate<Name> } = {
  'best-prices-change': readBestPrices,
  'price-change': readPriceChange,
  'new-market': readNewMarket,
  'live-data-update': readLiveDataUpdate,
  'market-status-change': (wire, channel) => {
    const carrier = parseChannel(channel);
    return readMarketStatusChange(wire, carrier.kind === 'event' ? carrier.eventId : null);
  },
  'market-comment': readComment,
  'order-book-update': readBookUpdate,
  'balance-changed': readBalanceChanged,
  'deposit-success': readDeposit,
  'order-update': readOrderUpdate,
  'position-update': readPositionUpdate,
  'test-event': () => ({ kind: 'test' }),
};

/** Reads one event. @param payload the frame's `data`, already parsed from its JSON text */
export const readRealtimeEvent = <Name extends RealtimeEventName>(
  name: Name,
  channel: string,
  payload: unknown,
): Placed<RealtimeInputs[Name]> =>
  place(REALTIME_SHAPES[name], payload, (wire) => TRANSLATIONS[name](wire, channel));

/** The same, but what is none of the venue's is malformed, too: for live frames and for those of a tape. */
export const frameInput = (event: string, channel: string, payload: unknown): FeedInput =>
  feedInput(event, channel, payload) ?? {
    kind: 'malformed',
    event,
    channel,
    reason: 'not an event of this venue',
  };

/**
 * What the engine receives for a frame: its input, or a `malformed-frame` that says why not. A
 * `market-status-change` is never malformed: one that is no object is a change that was not understood. Nor is any other
 * message that names its event and states a status which nobody knows: that may be one in which nothing is to be quoted.
 * @returns null for an event that is none of the venue's
 */
export function feedInput(name: string, channel: string, payload: unknown): FeedInput | null {
  if (!isRealtimeEventName(name)) return null;
  const reading = readRealtimeEvent(name, channel, payload);
  if (reading.ok) return reading.value;
  if (name === 'market-status-change') return TRANSLATIONS[name]({}, channel);
  if (statesUnknownStatus(name, payload))
    return TRANSLATIONS['market-status-change']({ event_id: payload.id }, channel);
  return { kind: 'malformed', event: name, channel, reason: reading.reason };
}

const STATING: ReadonlySet<RealtimeEventName> = new Set(['live-data-update', 'price-change']);

type Stating = Readonly<Record<'id' | 'status' | 'is_live' | 'markets', unknown>>;

function statesUnknownStatus(name: RealtimeEventName, payload: unknown): payload is Stating {
  if (!STATING.has(name) || typeof payload !== 'object' || payload === null) return false;
  const { id, status, is_live: isLive, markets } = payload as Partial<Stating>;
  if (typeof id !== 'number') return false;
  const isOfPlay = name === 'live-data-update' && typeof isLive !== 'boolean';
  return isOfPlay || isUnknown(status) || (Array.isArray(markets) && markets.some(hasUnknownStatus));
}

const isUnknown = (status: unknown): boolean => typeof status !== 'string' || anyStatus(status) === null;

const hasUnknownStatus = (market: unknown): boolean =>
  typeof market !== 'object' || market === null || isUnknown((market as Partial<Stating>).status);
