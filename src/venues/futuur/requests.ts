/** Which calls answer each request of the engine. */
import type { VenueRequest } from '../../domain/effects.js';
import type { AnswerBody } from '../../domain/answers.js';
import type { Perform, RunTerms, Sending, VenueClient } from '../port.js';
import {
  balances,
  type Caller,
  book,
  event,
  batchCancel,
  batchCreate,
  batchUpdate,
  cancelScope,
} from './rest/calls.js';
import { listHoldings, listOrders } from './rest/listings.js';
import { mapValue, type Outcome } from '../outcome.js';
import type { Wire } from './rest/wire.js';

type Performers = {
  readonly [Kind in VenueRequest['kind']]: (
    request: Extract<VenueRequest, { readonly kind: Kind }>,
    caller: Caller,
    terms: RunTerms,
    tell: Sending['tell'],
  ) => Promise<Outcome<AnswerBody>>;
};

const PERFORMERS: Performers = {
  'create-orders': ({ orders }, caller) => caller(batchCreate(orders)),
  'replace-orders': ({ replacements }, caller) => caller(batchUpdate(replacements)),
  'cancel-orders': ({ orderIds }, caller) => caller(batchCancel(orderIds)),
  'cancel-scope': ({ scope }, caller) => caller(cancelScope(scope)),
  'read-orders': async ({ known }, caller, _terms, tell) => {
    const outcome = await listOrders(caller, known, (orders, sentAt, filled) =>
      tell(
        { kind: 'read-orders', orders, ended: 'pending', ...(filled !== undefined && { filled }) },
        sentAt,
      ),
    );
    return mapValue(outcome, ({ working, ended }) => ({
      kind: 'read-orders',
      orders: working,
      ...(ended.length > 0 && { ended }),
    }));
  },
  'read-holdings': async ({ disabledIn = [] }, caller, { mode }) =>
    mapValue(await listHoldings(caller, mode, disabledIn), (holdings) => ({
      kind: 'read-holdings',
      holdings,
      lookedIn: disabledIn,
    })),
  'read-balances': async (_request, caller) =>
    mapValue(await caller(balances()), (found) => ({ kind: 'read-balances', balances: found })),
  'read-book': ({ marketId, mode }, caller) => caller(book(marketId, mode)),
  'read-event': async ({ eventId }, caller, { tickUnitsOf }) =>
    mapValue(await caller(event(eventId, tickUnitsOf)), (found) => ({ kind: 'read-event', event: found })),
};

/** The venue's client over a wire. */
export const clientOf = (wire: Pick<Wire, 'call' | 'venueAhead' | 'canDate'>): VenueClient => ({
  performing: (terms) => performing(wire, terms),
  canDate: (sentAt) => wire.canDate(sentAt),
  get venueAhead() {
    return wire.venueAhead;
  },
});

/** Makes the calls of requests over a wire. */
export const performing =
  (wire: Pick<Wire, 'call'>, terms: RunTerms): Perform =>
  (request, { key, beforeFirstByte, tell }) => {
    const sending = key === null ? { beforeFirstByte } : { beforeFirstByte, idempotencyKey: key };
    return perform(request, (call) => wire.call(call, sending), terms, tell);
  };

const perform = <Kind extends VenueRequest['kind']>(
  request: Extract<VenueRequest, { readonly kind: Kind }>,
  caller: Caller,
  terms: RunTerms,
  tell: Sending['tell'],
): Promise<Outcome<AnswerBody>> => PERFORMERS[request.kind](request, caller, terms, tell);
