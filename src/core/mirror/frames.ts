import type { EventId } from '../../domain/ids.js';
import type {
  BookUpdate,
  ConnectionChange,
  FeedInput,
  NewMarket,
  PositionUpdate,
  SubscriptionChange,
} from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { MarketRecord } from './events/catalogue.js';
import type { MirrorParts } from './parts.js';

type FrameHandlers = {
  readonly [K in FeedInput['kind']]: (
    parts: MirrorParts,
    input: Extract<FeedInput, { readonly kind: K }>,
    at: Micros,
  ) => void;
};

/** Someone else's business, or nothing to mirror. */
const leave = (): void => undefined;

const HANDLERS: FrameHandlers = {
  connection: connectionChanged,
  subscription: subscriptionChanged,
  'book-update': bookUpdated,
  'price-change': (parts, input, at) => parts.statuses.priceChanged(input, at),
  'live-data-update': (parts, input, at) => parts.statuses.liveDataChanged(input, at),
  'market-status-change': (parts, input, at) => parts.statuses.statusChanged(input, at),
  'new-market': marketAdded,
  'position-update': holdingChanged,
  'balance-changed': (parts, _input, at) => parts.account.balanceChanged(at),
  'deposit-success': (parts, _input, at) => parts.account.balanceChanged(at),
  'malformed-frame': (parts) => void (parts.counters.framesMalformed += 1),
  // Touches repeat what book updates say, without a time to order them by.
  'best-prices-change': leave,
  // Own orders are mirrored by execution, which knows what was asked for.
  'order-update': leave,
  'market-comment': leave,
  'test-event': leave,
};

/** Takes in what the realtime feed said. */
export function applyFrame(parts: MirrorParts, input: FeedInput, at: Micros): void {
  const handle = HANDLERS[input.kind] as (parts: MirrorParts, input: FeedInput, at: Micros) => void;
  handle(parts, input, at);
}

/** Applies one book update; the hot path. */
export function bookUpdated(parts: MirrorParts, input: BookUpdate, at: Micros): void {
  const market = parts.catalogue.market(input.marketId)?.index;
  if (market === undefined) parts.counters.framesUnplaced += 1;
  else if (input.mode !== parts.settings.mode) parts.counters.framesOfOtherMode += 1;
  else if (parts.books.update(market, input, at)) parts.watch.lookAt(market, at);
}

/** Makes the market's book ready, and looks at it when its channel is joined already. */
export function beginMarket(parts: MirrorParts, market: MarketRecord, at: Micros): void {
  parts.books.add(market.tickUnits);
  if (parts.connection.joinedSince(market.event.id) === null) return;
  parts.books.arm(market.index, at);
  parts.watch.lookAt(market.index, at);
}

function connectionChanged(parts: MirrorParts, input: ConnectionChange): void {
  parts.connection.change(input);
  parts.account.disconnected();
  parts.eventReads.disconnected();
  parts.watch.disconnected();
  for (const market of parts.catalogue.markets) {
    parts.books.disarm(market.index);
    parts.dirty.add(market.index);
  }
}

function subscriptionChanged(parts: MirrorParts, input: SubscriptionChange, at: Micros): void {
  if (!parts.connection.up) return;
  const channel = parts.connection.join(input, at);
  const isJoined = input.state === 'subscribed';
  if (!isJoined)
    parts.findings.push({ kind: 'channel-refused', channel: input.channel, reason: input.reason });
  if (channel.kind === 'user') privateChannel(parts, isJoined, at);
  if (channel.kind === 'event') eventChannel(parts, channel.eventId, isJoined, at);
}

function privateChannel(parts: MirrorParts, isJoined: boolean, at: Micros): void {
  if (isJoined) parts.account.joined(at);
  else parts.account.disconnected();
  touchQuoted(parts);
}

function eventChannel(parts: MirrorParts, id: EventId, isJoined: boolean, at: Micros): void {
  const event = parts.catalogue.event(id);
  if (event === undefined) return;
  for (const { index } of event.markets) {
    parts.dirty.add(index);
    if (!isJoined) parts.books.disarm(index);
    if (!isJoined) continue;
    parts.books.arm(index, at);
    parts.watch.lookAt(index, at);
  }
  if (isJoined) parts.statuses.joined(event, at);
}

function marketAdded(parts: MirrorParts, input: NewMarket, at: Micros): void {
  const market = parts.statuses.marketAdded(input, at);
  if (market !== null) beginMarket(parts, market, at);
}

function holdingChanged(parts: MirrorParts, { holding }: PositionUpdate, at: Micros): void {
  parts.holdings.update(holding, at);
  const market = parts.catalogue.market(holding.marketId);
  if (market !== undefined) parts.dirty.add(market.index);
}

/** Touches every market that an instance quotes. */
export function touchQuoted(parts: MirrorParts): void {
  for (const market of parts.catalogue.markets) if (market.quoted) parts.dirty.add(market.index);
}
