/** Realtime frames about books and tradability, as domain inputs. */
import { type EventId, eventId, marketId } from '../../../../domain/ids.js';
import type {
  TouchInput,
  BookInput,
  MarketStatusInput,
  MarketListedInput,
} from '../../../../domain/inputs.js';
import type { EventStatus, MarketStatus } from '../../../../domain/vocabulary.js';
import type { Micros } from '../../../../domain/units.js';
import { readPrice } from '../decimals.js';
import type { ReceivedPayloads } from '../realtime/events.js';
import { readOptionalTimestamp, readTimestamp, TimestampError } from '../timestamps.js';
import { readLevels } from './levels.js';
import { anyStatus, readMarketStatus } from './words.js';

export const readBookUpdate = (wire: ReceivedPayloads['order-book-update']): BookInput => ({
  kind: 'book',
  eventId: eventId(wire.event_id),
  marketId: marketId(wire.market_id),
  mode: wire.currency_mode,
  topN: wire.top_n,
  bids: readLevels('bid', wire.bid),
  asks: readLevels('ask', wire.ask),
  venueTime: readTimestamp(wire.timestamp, 'timestamp'),
});

export const readBestPrices = (wire: ReceivedPayloads['best-prices-change']): TouchInput => ({
  kind: 'touch',
  eventId: eventId(wire.event_id),
  marketId: marketId(wire.market_id),
  mode: wire.currency_mode,
  bid: wire.best_bid === null ? null : readPrice(wire.best_bid, 'best_bid'),
  ask: wire.best_ask === null ? null : readPrice(wire.best_ask, 'best_ask'),
});

export const readNewMarket = (wire: ReceivedPayloads['new-market']): MarketListedInput => ({
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
export function readMarketStatusChange(
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
