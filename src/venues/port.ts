/** The door between the core and a venue: what differs from venue to venue as data, and who carries inputs and requests. */
import type { Observable } from 'rxjs';
import type { Answer, AnswerBody } from '../domain/answers.js';
import type { SendEffect, VenueRequest } from '../domain/effects.js';
import type { EventId, MarketId } from '../domain/ids.js';
import type { FeedInput } from '../domain/inputs.js';
import type { MissedBy } from '../domain/orders.js';
import type { Micros } from '../domain/units.js';
import type { CurrencyMode } from '../domain/vocabulary.js';
import type { Outcome } from './outcome.js';

/** What differs between venues. Plain JSON: a tape keeps it with the options of its run. */
export interface VenueProfile {
  readonly name: string;
  readonly orders: {
    /** Who names an order: the venue in its answer, we before it is sent, or a hash of the signed order. */
    readonly namedBy: 'venue' | 'client' | 'hash';
    /** How a create whose answer was lost is sent again, and how long the venue remembers it. */
    readonly retriedBy: 'request-key' | 'client-id' | 'never';
    readonly retriedWithinMs: number;
    /** The same create is refused as a copy within this long. */
    readonly copiesRefusedMs: number;
    readonly postOnly: boolean;
    readonly timesInForce: readonly ('until-cancelled' | 'until-date' | 'fill-or-cancel' | 'fill-or-kill')[];
    /** How a resting order is changed, and what of it. `null`: it is cancelled and created anew. */
    readonly change: {
      readonly id: 'kept' | 'new';
      readonly of: readonly ('price' | 'size' | 'expiry')[];
      /** Whether an order that has traded can be changed. */
      readonly whenPartlyFilled: boolean;
      /** Whether a smaller size keeps the place in the queue. */
      readonly keepsQueue: boolean;
    } | null;
  };
  readonly batches: BatchSizes;
  readonly calls: RequestCalls;
  readonly cancelScopes: readonly ('market' | 'event' | 'account')[];
  /** Whether the venue cancels by itself what nobody keeps alive. */
  readonly deadMan: boolean;
  readonly book: {
    /** `top`: the best levels, absolute, in every message; `deltas`: a snapshot, then changes. */
    readonly form: 'top' | 'deltas';
    /** What shows that a message was missed; `reads`: only a comparison with the book as read over REST. */
    readonly gapsSeenBy: 'sequence' | 'reads';
  };
  readonly grid: 'step' | 'bands' | 'odds';
  readonly fees: 'per-share' | 'price-times-rest' | 'share-of-winnings' | 'none';
  /** `both`: long and short are held side by side; `net`: one signed number; `tokens`: only what is held can be sold. */
  readonly legs: 'both' | 'net' | 'tokens';
  readonly collateral: 'full' | 'worst-case';
  readonly settlements: readonly ('long' | 'short' | 'void' | 'price' | 'reversal')[];
  /** Defaults; a bot's file states what its key is allowed. */
  readonly limits: {
    readonly requestsPerMinute: number;
    readonly requestsPerDay: number;
    /** Difference of clocks that a signed request may show. */
    readonly clockWindowMs: number;
  };
}

/** What requests have to keep to. */
export type RequestProfile = Pick<VenueProfile, 'batches' | 'calls'>;

/** Most items of one request. */
export interface BatchSizes {
  readonly create: number;
  readonly replace: number;
  readonly cancel: number;
}

/** How many calls a request makes at the venue: the allowance counts calls. Whatever is not named here makes one. */
export interface RequestCalls {
  /** A listing of open orders, at least. */
  readonly listing: number;
  /** What a listing makes on top when known orders are missing and their ends are looked for: at least, and at most. */
  readonly endsLeast: number;
  readonly endsMost: number;
}

/** One typed observable per thing that the venue says in real time, and for the connection itself. */
export type FeedStreams = {
  readonly [K in FeedInput['kind']]: Observable<Extract<FeedInput, { readonly kind: K }>>;
};

/** The realtime feed. Streams are hot; nothing is replayed to late subscribers. */
export interface Feed {
  readonly streams: FeedStreams;
  /** Begins connecting; subscribe to the streams first. */
  connect(): void;
  /**
   * Called before each input is taken in: a connection that the process slept through (SIGSTOP, a laptop, garbage) is
   * given up here, before anything that waited meanwhile is believed. A feed that cannot sleep leaves it out.
   */
  look?(): void;
  /** Gives up a connection that stands and makes it anew. A feed that loses nothing leaves it out. */
  reconnect?(reason: string): void;
  /** Ends for good; no stream emits afterwards. */
  close(): void;
}

/**
 * Where effects leave. Every submitted request yields exactly one answer, whatever happens to it; answers never
 * come synchronously from within `submit`.
 */
export interface Gateway {
  readonly answers: Observable<Answer>;
  submit(effect: SendEffect): void;
  /** Resolves when nothing is under way any more or the time is over. */
  drain(timeoutMs: number): Promise<void>;
}

/** What the requests of one run leave unsaid, because it is the same for all of them. */
export interface RunTerms {
  readonly mode: CurrencyMode;
  /** Price units per tick of each market, from configuration. */
  readonly tickUnitsOf: (market: MarketId) => number;
  /** Events with a market that is disabled now: what is held there is no active wager, and held all the same. */
  readonly eventsWithDisabled: () => readonly EventId[];
  /** Which orders that are known now a listing of what works has missed. */
  readonly missedBy: MissedBy;
}

/** What the gateway adds to one request. */
export interface Sending {
  /** The same for a repetition of the request, and for no other one; null for a request that creates nothing. */
  readonly key: string | null;
  /**
   * To be called with the body's text right before the first byte of each call.
   * @throws WithheldError to keep that byte back: the call is then answered `not-sent`, with the error's message
   */
  readonly beforeFirstByte: (body: string) => void;
  /** Takes a part of an answer of which the whole follows. @param sentAt when the first byte of the request left */
  readonly tell: (body: AnswerBody, sentAt: Micros) => void;
}

/**
 * Makes the calls of one request; every failure is a value that says what may have happened.
 * @throws InvariantError at once when the request cannot be encoded as what it is
 */
export type Perform = (request: VenueRequest, sending: Sending) => Promise<Outcome<AnswerBody>>;

/** What an adapter brings for {@link Gateway}; the gateway itself is the same for every venue. */
export interface VenueClient {
  performing(terms: RunTerms): Perform;
  /** Microseconds that the venue's clock is ahead of ours; 0 where it is not worth mentioning. */
  readonly venueAhead: number;
  /** Whether `venueAhead` holds for what left then by our clock. */
  canDate(sentAt: Micros): boolean;
}
