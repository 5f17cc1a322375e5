/** Which message each thing the core says becomes, and on which channels (specification 6.2). */
import type { AccountId, EventId } from '../../domain/ids.js';
import { currencyUnits } from '../../domain/units.js';
import type { ExchangeCore, ExchangeEvent } from '../../exchange/contract.js';
import {
  eventChannel,
  GLOBAL_CHANNEL,
  TEST_CHANNEL,
  userChannel,
} from '../../venues/futuur/protocol/realtime/channels.js';
import type { RealtimeEventName, RealtimePayloads } from '../../venues/futuur/protocol/realtime/events.js';
import { EVENT_CHANNELS } from '../../venues/futuur/protocol/realtime/events.js';
import { formatMilliseconds } from '../../venues/futuur/protocol/timestamps.js';
import * as payload from '../present/realtime.js';

/** One message, not yet written: nobody may be listening. */
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
