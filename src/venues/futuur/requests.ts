/** Which calls answer each request of the engine. */
import type { VenueRequest } from '../../domain/effects.js';
import type { EventId } from '../../domain/ids.js';
import type { AnswerBody } from '../../domain/answers.js';
import type { MissedBy } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { TickUnitsOf } from './protocol/read/events.js';
import { balances } from './rest/account-calls.js';
import type { Caller } from './rest/call.js';
import { listHoldings, listOrders } from './rest/listings.js';
import { book, event } from './rest/market-calls.js';
import { batchCancel, batchCreate, batchUpdate, cancelScope } from './rest/order-calls.js';
import { mapValue, type Outcome } from './rest/outcome.js';

/** What requests leave unsaid because it is the same for a whole run. */
export interface RunTerms {
  readonly mode: CurrencyMode;
  /** Price units per tick of each market, from configuration. */
  readonly tickUnitsOf: TickUnitsOf;
  /** Events with a market that is disabled now: what is held there is no active wager, and held all the same. */
  readonly eventsWithDisabled: () => readonly EventId[];
  /** Which orders that are known now a listing of what works has missed. */
  readonly missedBy: MissedBy;
}

/** Takes a part of an answer of which the whole follows. @param sentAt when the first byte of the request left */
type Tell = (body: AnswerBody, sentAt: Micros) => void;

type Performers = {
  readonly [Kind in VenueRequest['kind']]: (
    request: Extract<VenueRequest, { readonly kind: Kind }>,
    caller: Caller,
    terms: RunTerms,
    tell: Tell,
  ) => Promise<Outcome<AnswerBody>>;
};

const PERFORMERS: Performers = {
  'create-orders': ({ orders }, caller) => caller(batchCreate(orders)),
  'replace-orders': ({ replacements }, caller) => caller(batchUpdate(replacements)),
  'cancel-orders': ({ orderIds }, caller) => caller(batchCancel(orderIds)),
  'cancel-scope': ({ scope }, caller) => caller(cancelScope(scope)),
  'read-orders': async (_request, caller, { missedBy }, tell) => {
    const outcome = await listOrders(caller, missedBy, (orders, sentAt, filled) =>
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
  'read-holdings': async (_request, caller, { mode, eventsWithDisabled }) =>
    mapValue(await listHoldings(caller, mode, eventsWithDisabled), (holdings) => ({
      kind: 'read-holdings',
      holdings,
    })),
  'read-balances': async (_request, caller) =>
    mapValue(await caller(balances()), (found) => ({ kind: 'read-balances', balances: found })),
  'read-book': ({ marketId, mode }, caller) => caller(book(marketId, mode)),
  'read-event': async ({ eventId }, caller, { tickUnitsOf }) =>
    mapValue(await caller(event(eventId, tickUnitsOf)), (found) => ({ kind: 'read-event', event: found })),
};

/**
 * Makes the calls of one request.
 * @param tell called with what is known of a listing while the rest of it is being read
 * @throws InvariantError at once when the request cannot be encoded as what it is
 */
export const perform = <Kind extends VenueRequest['kind']>(
  request: Extract<VenueRequest, { readonly kind: Kind }>,
  caller: Caller,
  terms: RunTerms,
  tell: Tell,
): Promise<Outcome<AnswerBody>> => PERFORMERS[request.kind](request, caller, terms, tell);

/** Only such a request must not leave unless the journal has it. */
export const mayCreate = (request: VenueRequest): boolean =>
  request.kind === 'create-orders' || request.kind === 'replace-orders';
