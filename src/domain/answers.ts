/** What comes of a request: the one input that has many shapes. */
import type { EventId, MarketId, OrderId } from './ids.js';
import type { Levels } from './levels.js';
import type { EventDescription } from './market.js';
import type { HoldingReport, OrderReport } from './orders.js';
import type { Micros, Money, Shares } from './units.js';
import type { Currency, CurrencyMode } from './vocabulary.js';

/** What a refusal means, whatever the venue calls it. */
export type RefusalMeaning =
  | 'keys-refused'
  /** The request came after its signature had expired. */
  | 'too-late'
  | 'time-missing'
  | 'account-barred'
  | 'no-funds'
  | 'bad-shares'
  | 'bad-amount'
  /** A field or the whole request breaks the rules of the interface. */
  | 'invalid'
  | 'unsupported'
  | 'market-closed'
  | 'conflicting-orders'
  /** It would have traded at once although it was to rest. */
  | 'would-take'
  | 'not-cancelable'
  | 'not-found'
  /** The venue takes it for a copy of the request before. */
  | 'copy'
  | 'throttled'
  | 'venue-failed'
  /** A sentence only, or a code that nobody knows. */
  | 'unstated';

/** Why a request has no usable answer. Only `refused` proves that it had no effect. */
export type RequestFailure =
  /** The venue refused it: nothing happened. */
  | {
      readonly kind: 'refused';
      /** Status and code of the venue's answer, for people: nothing is decided by them. */
      readonly status: number;
      readonly code: string;
      readonly means: RefusalMeaning;
      readonly detail: string;
      readonly retryAfterMs: number | null;
    }
  /** Our own last check dropped it before its first byte left: nothing happened. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** Time-out, reset, 5xx, an answer that is no JSON or of the wrong shape: it may have happened. */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Outcome of one item of a batch: its order, or why not. `code` is one of the venue's codes, or `ItemRefused` when
 * the venue gave a sentence only; `detail` is for people. `fields`: what a validation error is about, by the wire's names.
 */
export type ItemOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly code: string;
      readonly means: RefusalMeaning;
      readonly detail?: string;
      readonly fields?: readonly string[];
    };

/** What an answered request brought, by kind of request. */
export type AnswerBody =
  | {
      readonly kind: 'create-orders';
      readonly items: readonly ItemOutcome<OrderReport>[];
      /** Orders cancelled because of a conflict. */
      readonly canceledIds: readonly OrderId[];
    }
  | { readonly kind: 'replace-orders'; readonly items: readonly ItemOutcome<OrderReport>[] }
  | { readonly kind: 'cancel-orders'; readonly items: readonly ItemOutcome<OrderId>[] }
  | {
      readonly kind: 'cancel-scope';
      readonly canceledIds: readonly OrderId[];
      readonly processingIds: readonly OrderId[];
    }
  /** A complete pass over `processing`, `open` and `partial_filled` in this order, all pages. */
  | {
      readonly kind: 'read-orders';
      readonly orders: readonly OrderReport[];
      /**
       * Of the orders that it missed, those that `filled` and `canceled` showed then; left out when there are none.
       * `unread`: these lists could not be read, and the pass shows what works, but nobody's absence; `pending`: they are
       * being read, and the whole answer follows.
       */
      readonly ended?: readonly OrderReport[] | 'unread' | 'pending';
      /** Those that `filled` showed while `canceled` is still to be read; in a pending answer alone. */
      readonly filled?: readonly OrderReport[];
    }
  | {
      readonly kind: 'read-holdings';
      readonly holdings: readonly HoldingReport[];
      /** Events with a disabled market in which it looked; left out where the venue lists what is held in those with the rest. */
      readonly lookedIn?: readonly EventId[];
    }
  | { readonly kind: 'read-balances'; readonly balances: ReadonlyMap<Currency, Money> }
  | {
      readonly kind: 'read-book';
      readonly marketId: MarketId;
      readonly mode: CurrencyMode;
      readonly bids: Levels;
      readonly asks: Levels;
      /** Our own shares per level, same order as the levels; null when the venue did not say. */
      readonly ownBids: readonly Shares[] | null;
      readonly ownAsks: readonly Shares[] | null;
      /** Money units that taking a whole share costs in fees at least, by what the levels state; zero where none stands. */
      readonly feePerShare: Money;
    }
  | { readonly kind: 'read-event'; readonly event: EventDescription };

/** The answer to one request of ours. */
export interface Answer {
  readonly kind: 'answer';
  readonly requestId: number;
  /** Wall time at which the first byte left, null when it never did. */
  readonly sentAt: Micros | null;
  /** Calls at the venue that it took, pages and second attempts included; left out: as many as at least. */
  readonly calls?: number;
  /** Microseconds that the venue's clock is ahead of ours as known by now; left out where it is not worth mentioning. */
  readonly venueAhead?: number;
  readonly outcome:
    | { readonly ok: true; readonly body: AnswerBody }
    | { readonly ok: false; readonly failure: RequestFailure };
}

/** Whether the rest of the answer follows: what works was listed, and what is over is being read. */
export const isPending = (outcome: Answer['outcome']): boolean =>
  outcome.ok && outcome.body.kind === 'read-orders' && outcome.body.ended === 'pending';
