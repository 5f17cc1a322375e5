/** The door between the core and a venue: what differs from venue to venue as data, and who carries inputs and requests. */
import type { Observable } from 'rxjs';
import type { Answer, AnswerBody } from '../domain/answers.js';
import type { SendEffect, VenueRequest } from '../domain/effects.js';
import type { EventId, MarketId } from '../domain/ids.js';
import type { FeedInput } from '../domain/inputs.js';
import type { Micros } from '../domain/units.js';
import type { CurrencyMode } from '../domain/vocabulary.js';
import type { Outcome } from './outcome.js';

/** What differs between venues. Plain JSON: a tape keeps it with the options of its run. */
export interface VenueProfile {
  readonly name: string;
  /** Orders go to a simulated venue beside the live data of this one. Left out: to the venue itself. */
  readonly isPaper?: true;
  readonly orders: {
    /** A create or change whose answer was lost is sent again within this long: the venue does it once. 0: never sent again. */
    readonly retriedWithinMs: number;
    /** The same create is refused as a copy within this long. 0: never. */
    readonly copiesRefusedMs: number;
    /** Whether the venue cancels an order at a time that the order states. */
    readonly expire: boolean;
    /**
     * What can be changed of an open order that has not traded. `null`: it is cancelled, and created once that is
     * confirmed. A changed order gets another id: an adapter whose venue keeps the id adds a revision to it.
     */
    readonly change: { readonly of: readonly ('price' | 'size' | 'expiry')[] } | null;
  };
  readonly batches: BatchSizes;
  readonly calls: RequestCalls;
  /** What one request can cancel whole. Without the scope of a market, its orders are cancelled by id. */
  readonly cancelScopes: readonly ('market' | 'event' | 'account')[];
  /**
   * `both`: long and short shares are held side by side, and only held shares are sold. `net`: they cancel each other.
   * An adapter of a venue that nets sends `ask long` and `bid short` as the same kind of order, tells of an order by the
   * leg that it was sent with (a client id can keep it), and tells a holding as two: one of them is zero.
   */
  readonly legs: 'both' | 'net';
  /** Whether the feed tells of every trade (`trade` inputs). */
  readonly prints: boolean;
  /** Whether a market can be voided, which takes every cash flow in it back. */
  readonly voids: boolean;
  /** Defaults; a bot's file states what its key is allowed. */
  readonly limits: {
    readonly requestsPerMinute: number;
    readonly requestsPerDay: number;
    /** Difference of clocks that a signed request may show. A venue without signatures has its longest delay here. */
    readonly clockWindowMs: number;
  };
}

/** What requests have to keep to. */
export type RequestProfile = Pick<VenueProfile, 'orders' | 'batches' | 'calls' | 'cancelScopes'>;

/** Most items of one request. */
export interface BatchSizes {
  readonly create: number;
  readonly replace: number;
  /** Most ids. A venue that refuses so many is asked with half as many from then on. */
  readonly cancel: number;
}

/** How many calls a request makes at the venue: the allowance counts calls. Whatever is not named here makes one. */
export interface RequestCalls {
  /** A listing of open orders, at least. */
  readonly listing: number;
  /** Orders on a page of a listing at most: every further page is one more call. */
  readonly ordersAPage: number;
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
  /** Tells of these events, and of no others, from now on. A feed that tells of what it began with alone leaves it out. */
  follow?(events: readonly EventId[]): void;
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
