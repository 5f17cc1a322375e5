import type { EventId } from '../../domain/ids.js';
import type {
  BookInput,
  LinkInput,
  FeedInput,
  MarketListedInput,
  HoldingInput,
  OrderInput,
  SubscriptionInput,
  TouchInput,
} from '../../domain/inputs.js';
import type { EventDescription } from '../../domain/market.js';
import type { Micros } from '../../domain/units.js';
import { modeOf } from '../../domain/vocabulary.js';
import type { MarketRecord } from './events/catalogue.js';
import type { MirrorParts } from './parts.js';
import type { ReadRequest, VenueRequest } from '../../domain/effects.js';
import { type Answer, type AnswerBody, isPending, type RequestFailure } from '../../domain/answers.js';
import { NEVER } from './books/book.js';

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
  link: linkChanged,
  subscription: subscriptionChanged,
  book: bookUpdated,
  'event-status': (parts, input, at) => parts.statuses.priceChanged(input, at),
  'event-live': (parts, input, at) => parts.statuses.liveDataChanged(input, at),
  'market-status': (parts, input, at) => parts.statuses.statusChanged(input, at),
  'market-listed': marketAdded,
  holding: holdingChanged,
  balance: (parts, _input, at) => parts.account.balanceChanged(at),
  deposit: (parts, _input, at) => parts.account.balanceChanged(at),
  malformed: (parts) => void (parts.counters.framesMalformed += 1),
  touch: touchStated,
  // Own orders are mirrored by execution, which knows what was asked for; that one traded says something of the book.
  order: orderReported,
  // Strategies see it, the book does not.
  trade: leave,
  comment: leave,
  test: leave,
};

/** Takes in what the realtime feed said. */
export function applyFrame(parts: MirrorParts, input: FeedInput, at: Micros): void {
  const handle = HANDLERS[input.kind] as (parts: MirrorParts, input: FeedInput, at: Micros) => void;
  handle(parts, input, at);
}

/** Applies one book update; the hot path. */
export function bookUpdated(parts: MirrorParts, input: BookInput, at: Micros): void {
  const market = parts.catalogue.market(input.marketId)?.index;
  if (market === undefined) parts.counters.framesUnplaced += 1;
  else if (input.mode !== parts.settings.mode) parts.counters.framesOfOtherMode += 1;
  else if (parts.books.update(market, input, at)) parts.watch.lookAt(market, at);
}

/** Best prices repeat what book updates say: a witness of them. */
function touchStated(parts: MirrorParts, touch: TouchInput, at: Micros): void {
  const market = parts.catalogue.market(touch.marketId)?.index;
  if (market === undefined || touch.mode !== parts.settings.mode) return;
  if (parts.books.touchStated(market, touch, at)) parts.watch.lookLater(market, at);
}

function orderReported(parts: MirrorParts, { report }: OrderInput, at: Micros): void {
  const market = parts.catalogue.market(report.marketId)?.index;
  if (market === undefined || (report.filledNow ?? 0) === 0) return;
  if (modeOf(report.currency) !== parts.settings.mode) return;
  if (parts.books.traded(market, at)) parts.watch.lookLater(market, at);
}

/** The event, or markets of it that are new, are known from now on. */
export function eventJoined(parts: MirrorParts, description: EventDescription, at: Micros): void {
  const { catalogue, statuses, connection, eventReads } = parts;
  const known = catalogue.event(description.id);
  const event = known ?? catalogue.addEvent(description);
  const added = description.markets.filter(({ id }) => catalogue.market(id) === undefined);
  for (const market of added) beginMarket(parts, catalogue.addMarket(event, market), at);
  if (known === undefined) statuses.added(event, at);
  // What the venue says of a market that is new here it may have said before anybody listened.
  else if (added.length > 0 && connection.joinedSince(event.id) !== null) eventReads.want(event, at);
}

/** An instance quotes the market, or none does, from now on. */
export function marketQuoted(parts: MirrorParts, market: MarketRecord, isQuoted: boolean, at: Micros): void {
  const { dirty, watch, connection, statuses } = parts;
  const isFirst = isQuoted && !market.event.markets.some((one) => one.quoted || one.wasQuoted);
  market.wasQuoted ||= market.quoted;
  market.quoted = isQuoted;
  dirty.add(market.index);
  if (!isQuoted) return;
  watch.reconsider(market.index, at);
  watch.lookAt(market.index, at);
  if (isFirst && connection.joinedSince(market.event.id) !== null) statuses.joined(market.event, at);
}

/** Makes the market's book ready, and looks at it when its channel is joined already. */
function beginMarket(parts: MirrorParts, market: MarketRecord, at: Micros): void {
  parts.books.add(market.tickUnits);
  if (parts.connection.joinedSince(market.event.id) === null) return;
  parts.books.arm(market.index, at);
  parts.watch.lookAt(market.index, at);
}

function linkChanged(parts: MirrorParts, input: LinkInput): void {
  parts.connection.change(input);
  parts.account.disconnected();
  parts.eventReads.disconnected();
  parts.watch.disconnected();
  for (const market of parts.catalogue.markets) {
    parts.books.disarm(market.index);
    parts.dirty.add(market.index);
  }
}

function subscriptionChanged(parts: MirrorParts, input: SubscriptionInput, at: Micros): void {
  if (!parts.connection.up) return;
  const { about } = input;
  parts.connection.join(input, at);
  const isJoined = input.state === 'subscribed';
  if (input.state === 'refused')
    parts.findings.push({ kind: 'channel-refused', channel: input.channel, reason: input.reason });
  if (about.kind === 'account') privateChannel(parts, isJoined, at);
  if (about.kind === 'event') eventChannel(parts, about.eventId, isJoined, at);
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

function marketAdded(parts: MirrorParts, input: MarketListedInput, at: Micros): void {
  const market = parts.statuses.marketAdded(input, at);
  if (market !== null) beginMarket(parts, market, at);
}

function holdingChanged(parts: MirrorParts, { holding }: HoldingInput, at: Micros): void {
  parts.holdings.update(holding, at);
  const market = parts.catalogue.market(holding.marketId);
  if (market !== undefined) parts.dirty.add(market.index);
}

/** Touches every market that an instance quotes. */
export function touchQuoted(parts: MirrorParts): void {
  for (const market of parts.catalogue.markets) if (market.quoted) parts.dirty.add(market.index);
}

type ReadBody = Extract<AnswerBody, { readonly kind: ReadRequest['kind'] }>;

/** A request was handed to the gateway; what is no read is none of the mirror's business. */
export function noteIssued(parts: MirrorParts, requestId: number, request: VenueRequest): void {
  switch (request.kind) {
    case 'read-orders':
      return parts.account.issued(requestId, 'orders');
    case 'read-holdings':
      return parts.account.issued(requestId, 'holdings');
    case 'read-balances':
      return parts.account.issued(requestId, 'balances');
    case 'read-event':
      return parts.eventReads.issued(requestId, request);
    case 'read-book':
      return parts.watch.issued(requestId, request);
    case 'create-orders':
    case 'replace-orders':
    case 'cancel-orders':
    case 'cancel-scope':
  }
}

/** Takes in the answer to a read. */
export function applyAnswer(parts: MirrorParts, answer: Answer, at: Micros): void {
  const { requestId, outcome } = answer;
  if (!outcome.ok) return applyFailure(parts, requestId, outcome.failure, at);
  if (!isRead(outcome.body) || isPending(outcome)) return;
  // Nothing is proved by an answer to a request that never left.
  applyRead(parts, requestId, outcome.body, answer.sentAt ?? NEVER, at);
}

const isRead = (body: AnswerBody): body is ReadBody => body.kind.startsWith('read-');

function applyRead(parts: MirrorParts, requestId: number, body: ReadBody, sentAt: Micros, at: Micros): void {
  switch (body.kind) {
    case 'read-book':
      return parts.watch.answered(requestId, body, sentAt, at);
    case 'read-event':
      return applyEvent(parts, requestId, body, sentAt, at);
    case 'read-orders':
    case 'read-holdings':
    case 'read-balances':
      return applyAccount(parts, requestId, body, sentAt);
  }
}

function applyEvent(
  parts: MirrorParts,
  requestId: number,
  body: Extract<ReadBody, { kind: 'read-event' }>,
  sentAt: Micros,
  at: Micros,
): void {
  const event = parts.eventReads.answered(requestId, sentAt);
  if (event === null) return;
  for (const market of parts.statuses.readOver(event, body.event, at)) beginMarket(parts, market, at);
}

/** Whether it is a read of holdings that did not look in an event which has a disabled market by now. */
export const leavesOut = ({ catalogue }: MirrorParts, body: AnswerBody): boolean =>
  body.kind === 'read-holdings' &&
  body.lookedIn !== undefined &&
  catalogue.markets.some(({ disabled, event }) => disabled && !body.lookedIn!.includes(event.id));

function applyAccount(
  parts: MirrorParts,
  requestId: number,
  body: Extract<ReadBody, { kind: 'read-orders' | 'read-holdings' | 'read-balances' }>,
  sentAt: Micros,
): void {
  const wasAllRead = parts.account.isAllRead;
  if (leavesOut(parts, body)) return parts.account.overlooked(requestId);
  if (!parts.account.answered(requestId, sentAt)) return;
  if (body.kind === 'read-balances') parts.account.balances = body.balances;
  if (body.kind === 'read-holdings')
    for (const id of parts.holdings.replace(body.holdings, sentAt)) {
      const market = parts.catalogue.market(id);
      if (market !== undefined) parts.dirty.add(market.index);
    }
  if (!wasAllRead && parts.account.isAllRead) touchQuoted(parts);
}

function applyFailure(parts: MirrorParts, requestId: number, failure: RequestFailure, now: Micros): void {
  const { account, watch, eventReads, statuses, counters } = parts;
  const { isOurs, unreadable } = eventReads.failed(requestId, failure, now);
  if (unreadable !== null) statuses.unreadable(unreadable, now);
  if (isOurs || account.failed(requestId, failure, now) || watch.failed(requestId, failure, now))
    counters.readsFailed += 1;
}
