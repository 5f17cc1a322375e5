import type { ReadRequest, VenueRequest } from '../../domain/effects.js';
import { type Answer, type AnswerBody, isPending, type RequestFailure } from '../../domain/answers.js';
import type { Micros } from '../../domain/units.js';
import { NEVER } from './books/book.js';
import { beginMarket, touchQuoted } from './frames.js';
import type { MirrorParts } from './parts.js';

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

function applyAccount(
  parts: MirrorParts,
  requestId: number,
  body: Extract<ReadBody, { kind: 'read-orders' | 'read-holdings' | 'read-balances' }>,
  sentAt: Micros,
): void {
  const wasAllRead = parts.account.isAllRead;
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
