/** How many calls at the venue a request of ours is: the allowance counts calls. */
import type { VenueRequest } from '../../../domain/effects.js';
import type { Answer } from '../../../domain/answers.js';
import type { RequestCalls, RequestProfile } from '../../../venues/port.js';

/** Pages of ended orders that a listing may read. @param spare calls that nothing else needs now */
export const endsPages = ({ endsLeast, endsMost }: RequestCalls, spare: number): number =>
  Math.max(endsLeast, Math.min(spare, endsMost));

/** Calls that a request makes at least. */
export const callsOf = ({ kind }: VenueRequest, { listing }: RequestCalls): number =>
  kind === 'read-orders' ? listing : 1;

/**
 * Complete listings in a row without an order of ours that prove that none stands. The last one begins after every
 * signed request can take effect no more.
 * Three things use this proof and know different things. A bot's withdrawal (`execution/withdrawal.ts`) never waits,
 * knows its own orders and requests, and gives up in the end. A guard and `oddsmith kill` stand outside of the bot:
 * they know what the journal names, leave a person's orders alone, and go on as long as it takes. `oddsmith kill --all`
 * knows nothing and cancels whatever is listed. A mistake found in one of them is to be looked for in the others.
 */
export const EMPTY_LISTINGS = 2;

/** Holdings and balances. */
const ACCOUNT_READS = 2;

/** Calls that cancel so many orders, each asked for twice, prove that they are gone, and read the account once more. */
export const callsToWithdraw = (orders: number, { batches, calls }: RequestProfile): number =>
  2 * Math.ceil(orders / batches.cancel) + EMPTY_LISTINGS * calls.listing + ACCOUNT_READS;

/**
 * Calls that it made beyond those: further pages, and what was signed again after its time was refused. Negative for
 * what never left.
 */
export const furtherCallsOf = (
  request: VenueRequest,
  { calls: made }: Pick<Answer, 'calls'>,
  calls: RequestCalls,
): number => (made === undefined ? 0 : made - callsOf(request, calls));

/** What a configuration needs of the request budget, minute after minute, before anything happens. */

/** What keeps a run going. */
export interface Upkeep {
  /** Markets that are quoted, and the orders that rest in all of them together. */
  readonly markets: number;
  readonly orders: number;
  /** How often each book is compared with a read. */
  readonly booksMs: number;
  /** Pace of the listing of orders, and of the reads of holdings and balances. */
  readonly accountMs: number;
  /** Every quote can be moved this often; null: as often as the rest allows. */
  readonly requoteMs: number | null;
  /** Time in which every order that expires is renewed once; null: orders do not expire. */
  readonly renewalMs: number | null;
}

/** Calls that read the account once, while so many orders come and go. */
export const callsOfAccount = (orders: number, calls: RequestCalls): number =>
  listingCalls(orders, calls) + calls.endsLeast + ACCOUNT_READS;

/** Nearly all orders have one status, and so stand in one listing. */
const listingCalls = (orders: number, { listing, ordersAPage }: RequestCalls): number =>
  listing + Math.max(0, Math.ceil(orders / ordersAPage) - 1);

/** One use of requests. */
export interface Need {
  readonly what: string;
  readonly perMinute: number;
  /** How it grows with the number of markets. */
  readonly scales: 'not' | 'books' | 'orders';
}

/** What is needed while no market moves, and while all do. */
export interface Demand {
  readonly silent: readonly Need[];
  readonly busy: readonly Need[];
}

/**
 * The least that has to fit. A listing while orders come and go misses those that have just ended, and looks for them;
 * pages of ended orders beyond these are taken from what is spare. Moves of different markets share batches, and so do renewals that wait.
 * Ordinary moves refresh an expiry, so moving markets renew nothing.
 */
export function demandOf(upkeep: Upkeep, venue: RequestProfile): Demand {
  const { markets, orders, booksMs, accountMs, requoteMs, renewalMs } = upkeep;
  const { batches, calls } = venue;
  const listing = listingCalls(orders, calls);
  const most = venue.orders.change === null ? batches.create : batches.replace;
  const shared = renewalsOf(orders, venue);
  const renewals =
    renewalMs === null
      ? []
      : [need(`renewals of ${orders} orders, ${most} a request`, shared, renewalMs, 'orders')];
  const moves = (everyMs: number): Need =>
    need(`moves of ${orders} quotes, ${most} a request`, movesOf(orders, venue), everyMs, 'orders');
  return {
    silent: [
      need(`books of ${markets} markets`, markets, booksMs, 'books'),
      ...accountNeeds(listing, accountMs),
      ...renewals,
    ],
    busy: [
      need(`books of ${markets} markets`, markets, booksMs, 'books'),
      ...accountNeeds(listing + calls.endsLeast, accountMs),
      ...(requoteMs === null ? [] : [moves(requoteMs)]),
    ],
  };
}

/** Requests that move so many quotes at once: a venue that changes no order has them cancelled and created. */
export const movesOf = (orders: number, venue: RequestProfile): number =>
  changesOf(orders, venue, venue.orders.change !== null);

/** Requests that renew so many orders at once. */
export const renewalsOf = (orders: number, venue: RequestProfile): number =>
  changesOf(orders, venue, venue.orders.change?.of.includes('expiry') ?? false);

const changesOf = (orders: number, { batches }: RequestProfile, isInPlace: boolean): number =>
  isInPlace
    ? Math.ceil(orders / batches.replace)
    : Math.ceil(orders / batches.cancel) + Math.ceil(orders / batches.create);

export const totalOf = (needs: readonly Need[]): number => needs.reduce((sum, one) => sum + one.perMinute, 0);

/** `books of 3 markets every 7 s: 25.7; ...; together 31.7 a minute`. */
export function describeNeeds(needs: readonly Need[]): string {
  const lines = needs.map(({ what, perMinute }) => `${what}: ${tenths(perMinute)}`);
  return `${lines.join('; ')}; together ${tenths(totalOf(needs))} a minute`;
}

export const tenths = (value: number): string => String(Math.round(value * 10) / 10);

const accountNeeds = (listing: number, accountMs: number): readonly Need[] => [
  need(`listing of orders, ${listing} requests,`, listing, accountMs, 'not'),
  need('holdings and balances', ACCOUNT_READS, accountMs, 'not'),
];

const need = (what: string, requests: number, everyMs: number, scales: Need['scales']): Need => ({
  scales,
  what: `${what} every ${tenths(everyMs / 1_000)} s`,
  perMinute: (requests * 60_000) / Math.max(1, everyMs),
});
