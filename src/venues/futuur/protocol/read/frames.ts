/** From a realtime event, by name and payload, to the engine's input. */
import type { FeedInput } from '../../../../domain/inputs.js';
import { parseChannel } from '../realtime/channels.js';
import {
  isRealtimeEventName,
  REALTIME_SHAPES,
  type RealtimeEventName,
  type ReceivedPayloads,
} from '../realtime/events.js';
import { readBalanceChanged, readDeposit, readOrderUpdate, readPositionUpdate } from './account-events.js';
import { readComment, readLiveDataUpdate, readPriceChange } from './event-events.js';
import { readBestPrices, readBookUpdate, readMarketStatusChange, readNewMarket } from './market-events.js';
import { place, type Placed } from './placed.js';
import { anyStatus } from './words.js';

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
