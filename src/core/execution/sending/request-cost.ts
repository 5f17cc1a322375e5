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
  /** Pace of the reads of a book that no update confirms, and of one that updates do. */
  readonly silentBookMs: number;
  readonly comparedBookMs: number;
  /** Pace of the listing of orders, and of the reads of holdings and balances. */
  readonly accountMs: number;
  /** Every quote can be moved this often. */
  readonly requoteMs: number;
  /** Most time between two renewals of an order that expires; null: orders do not expire. */
  readonly renewalMs: number | null;
}

/** One use of requests. */
export interface Need {
  readonly what: string;
  readonly perMinute: number;
}

/** What is needed while no market moves, and while all do. */
export interface Demand {
  readonly silent: readonly Need[];
  readonly busy: readonly Need[];
}

/**
 * The least that has to fit. A listing while orders come and go misses those that have just ended, and looks for them;
 * pages beyond these are taken from what is spare. Moves of different markets share batches, the best case; renewals are staggered and share
 * none, the worst. Ordinary moves refresh an expiry, so moving markets renew nothing.
 */
export function demandOf(upkeep: Upkeep, { batches, calls, orders: { change } }: RequestProfile): Demand {
  const { markets, orders, silentBookMs, comparedBookMs, accountMs, requoteMs, renewalMs } = upkeep;
  const isRenewed = change?.of.includes('expiry') ?? false;
  const renewals =
    renewalMs === null ? [] : [need(`renewals of ${orders} orders`, orders * (isRenewed ? 1 : 2), renewalMs)];
  const [most, moves] =
    change === null
      ? [batches.create, Math.ceil(orders / batches.cancel) + Math.ceil(orders / batches.create)]
      : [batches.replace, Math.ceil(orders / batches.replace)];
  return {
    silent: [
      need(`books of ${markets} markets`, markets, silentBookMs),
      ...accountNeeds(calls.listing, accountMs),
      ...renewals,
    ],
    busy: [
      need(`books of ${markets} markets`, markets, comparedBookMs),
      ...accountNeeds(calls.listing + calls.endsLeast, accountMs),
      need(`moves of ${orders} quotes, ${most} a request`, moves, requoteMs),
    ],
  };
}

export const totalOf = (needs: readonly Need[]): number => needs.reduce((sum, one) => sum + one.perMinute, 0);

/** `books of 3 markets every 7 s: 25.7; ...; together 31.7 a minute`. */
export function describeNeeds(needs: readonly Need[]): string {
  const lines = needs.map(({ what, perMinute }) => `${what}: ${tenths(perMinute)}`);
  return `${lines.join('; ')}; together ${tenths(totalOf(needs))} a minute`;
}

export const tenths = (value: number): string => String(Math.round(value * 10) / 10);

const accountNeeds = (listingCalls: number, accountMs: number): readonly Need[] => [
  need(`listing of orders, ${listingCalls} requests,`, listingCalls, accountMs),
  need('holdings and balances', 2, accountMs),
];

const need = (what: string, requests: number, everyMs: number): Need => ({
  what: `${what} every ${everyMs / 1_000} s`,
  perMinute: (requests * 60_000) / Math.max(1, everyMs),
});
