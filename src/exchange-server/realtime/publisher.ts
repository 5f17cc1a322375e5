import type { ExchangeEvent } from '../../exchange/contract.js';
import type { ExchangeCore } from '../../exchange/exchange.js';
import { eventText, byteLength } from '../../venues/futuur/protocol/pusher-frames.js';
import type { Logger } from '../../core/ports/logger.js';
import type { FrameFaults } from '../faults/request-faults.js';
import type { Hub } from './session.js';
import { MESSAGE_BYTES } from '../../venues/futuur/protocol/profile.js';
import type { AccountId, EventId } from '../../exchange/contract/ids.js';
import { currencyUnits } from '../../domain/units.js';
import {
  eventChannel,
  GLOBAL_CHANNEL,
  TEST_CHANNEL,
  userChannel,
} from '../../venues/futuur/protocol/realtime/channels.js';
import {
  type RealtimeEventName,
  type RealtimePayloads,
  EVENT_CHANNELS,
} from '../../venues/futuur/protocol/realtime/events.js';
import { formatMilliseconds } from '../../venues/futuur/protocol/timestamps.js';
import * as payload from '../present/realtime.js';

/** Messages that could not be sent as they are, since the start. */
export interface OversizedCounts {
  /** Sent without their trailing markets. */
  trimmed: number;
  /** Too large, not sent. */
  withheld: number;
}

export interface PublisherParts {
  readonly exchange: ExchangeCore;
  readonly hub: Hub;
  readonly faults: FrameFaults;
  readonly logger: Logger;
}

/** Brings what the core says to whoever listens: each message is written and framed once per channel. */
export class Publisher {
  readonly counts: OversizedCounts = { trimmed: 0, withheld: 0 };

  constructor(private readonly parts: PublisherParts) {}

  publish(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      const message = messageOf(event, this.parts.exchange);
      if (message !== null) this.send(message);
    }
  }

  private send(message: Message): void {
    const heard = message.channels.filter((channel) => this.parts.hub.isHeard(channel));
    if (heard.length === 0) return;
    const json = this.write(message);
    if (json === null) return;
    for (const channel of heard) this.fanOut(channel, eventText(message.event, channel, json));
  }

  private write(message: Message): string | null {
    const { event, channels } = message;
    const longest = channels.reduce((one, other) => (other.length > one.length ? other : one));
    const { json, droppedMarkets } = fitted(message.payload(), (text) => eventText(event, longest, text));
    if (json === null) this.counts.withheld += 1;
    else if (droppedMarkets > 0) this.counts.trimmed += 1;
    else return json;
    this.parts.logger.warn('a realtime message exceeds 10 KB', { event, droppedMarkets });
    return json;
  }

  private fanOut(channel: string, frame: string): void {
    const { hub, faults } = this.parts;
    for (const connection of hub.listeners(channel)) {
      if (faults.active) faults.deliver(connection, channel, frame);
      else connection.send(frame);
    }
  }
}

/** A payload as JSON text that the realtime service would carry. */
export interface Fitted {
  /** null: too large whatever is left out, so it is not sent. */
  readonly json: string | null;
  /** Trailing markets left out. */
  readonly droppedMarkets: number;
}

/** The message around a payload that is JSON text. */
type Framing = (json: string) => string;

/**
 * Writes a payload within the 10 KB of one message. What has a list of markets loses trailing ones until it fits
 * (facts, "Events and markets"); anything else that is too large is not sent at all.
 */
export function fitted(payload: object, framing: Framing): Fitted {
  const whole = JSON.stringify(payload);
  if (fits(whole, framing)) return { json: whole, droppedMarkets: 0 };
  if (!hasMarkets(payload)) return { json: null, droppedMarkets: 0 };
  const kept = mostThatFit(payload, framing);
  const json = kept < 0 ? null : withMarkets(payload, kept);
  return { json, droppedMarkets: payload.markets.length - Math.max(kept, 0) };
}

interface WithMarkets {
  readonly markets: readonly unknown[];
}

/** At three bytes a unit, what most, this is half the limit; event and channel do not need the other half. */
const SURELY_FITS = MESSAGE_BYTES / 6;

const fits = (json: string, framing: Framing): boolean =>
  json.length < SURELY_FITS || byteLength(framing(json)) <= MESSAGE_BYTES;

const hasMarkets = (payload: object): payload is WithMarkets =>
  'markets' in payload && Array.isArray(payload.markets);

const withMarkets = (payload: WithMarkets, count: number): string =>
  JSON.stringify({ ...payload, markets: payload.markets.slice(0, count) });

/** Bisection: the text grows with the count. @returns -1 when not even none fits */
function mostThatFit(payload: WithMarkets, framing: Framing): number {
  let fitting = -1;
  let tooMany = payload.markets.length;
  while (tooMany - fitting > 1) {
    const count = Math.floor((fitting + tooMany) / 2);
    if (fits(withMarkets(payload, count), framing)) fitting = count;
    else tooMany = count;
  }
  return fitting;
}

/** One message of the realtime service (specification 6.2). Its payload is made only when somebody listens. */
export interface Message<Name extends RealtimeEventName = RealtimeEventName> {
  readonly event: Name;
  readonly channels: readonly string[];
  readonly payload: () => RealtimePayloads[Name];
}

type Writers = {
  readonly [Kind in ExchangeEvent['kind']]: (
    event: Extract<ExchangeEvent, { readonly kind: Kind }>,
    exchange: ExchangeCore,
  ) => Message | null;
};

/** @returns null for what observers inside the house alone see */
export function messageOf(event: ExchangeEvent, exchange: ExchangeCore): Message | null {
  const write = WRITERS[event.kind] as (event: ExchangeEvent, exchange: ExchangeCore) => Message | null;
  return write(event, exchange);
}

const WRITERS: Writers = {
  trade: () => null,
  'order-update': (event) => toUser('order-update', event.account, () => payload.orderUpdate(event)),
  'position-update': (event) => toUser('position-update', event.account, () => payload.positionUpdate(event)),
  'balance-changed': (event) =>
    toUser('balance-changed', event.account, () => payload.balanceChanged(event.at)),
  'deposit-success': (event) =>
    toUser('deposit-success', event.account, () => ({
      amount: currencyUnits(event.amount),
      currency: event.currency,
    })),
  'order-book-update': (event) =>
    aboutEvent('order-book-update', event.eventId, () => payload.orderBookUpdate(event)),
  'best-prices-change': (event) =>
    aboutEvent('best-prices-change', event.eventId, () => payload.bestPricesChange(event)),
  'market-status-change': (event) =>
    aboutEvent('market-status-change', event.eventId, () => payload.marketStatusChange(event)),
  'price-change': (event, exchange) =>
    aboutEvent('price-change', event.eventId, () => payload.priceChange(event, exchange)),
  'new-market': (event, exchange) =>
    aboutEvent('new-market', event.eventId, () => payload.newMarket(event, exchange)),
  'live-data-update': (event) =>
    aboutEvent('live-data-update', event.eventId, () => payload.liveDataUpdate(event)),
  'market-comment': (event, exchange) =>
    aboutEvent('market-comment', event.eventId, () => payload.marketComment(event, exchange)),
  'test-event': (event) => ({
    event: 'test-event',
    channels: [TEST_CHANNEL],
    payload: () => ({ timestamp: formatMilliseconds(event.at) }),
  }),
};

const toUser = <Name extends RealtimeEventName>(
  event: Name,
  account: AccountId,
  write: () => RealtimePayloads[Name],
): Message<Name> => ({ event, channels: [userChannel(account)], payload: write });

const aboutEvent = <Name extends RealtimeEventName>(
  event: Name,
  id: EventId,
  write: () => RealtimePayloads[Name],
): Message<Name> => ({
  event,
  channels: EVENT_CHANNELS[event].map((kind) => (kind === 'global' ? GLOBAL_CHANNEL : eventChannel(id))),
  payload: write,
});
