import type { VenueRequest } from '../../domain/effects.js';
import { EXIT, OddsmithError } from '../../domain/errors.js';
import type { OrderId } from '../../domain/ids.js';
import type { Answer } from '../../domain/answers.js';
import type { LimitOrder } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';

/** One line of the journal. `request` is written before the first byte of the request leaves. */
export type JournalRecord =
  | { readonly kind: 'run'; readonly runId: string; readonly at: Micros; readonly configHash: string }
  | {
      readonly kind: 'request';
      readonly requestId: number;
      readonly key: string | null;
      /** By our clock. */
      readonly at: Micros;
      /** Microseconds that the venue's was ahead of it, by which the request was signed; earlier versions did not say. */
      readonly venueAhead?: number;
      readonly request: VenueRequest;
      readonly body: string;
    }
  | {
      readonly kind: 'answer';
      readonly requestId: number;
      readonly at: Micros;
      readonly outcome: Answer['outcome'];
    }
  /** Orders seen in answers of the run before it that may still rest; stands for the records that said so. */
  | { readonly kind: 'own-orders'; readonly orderIds: readonly OrderId[] }
  | ({ readonly kind: 'claims' } & OrderClaims)
  /** What left within the last minute; stands for all requests before it, in that. */
  | { readonly kind: 'sent'; readonly sent: readonly SentOrders[] }
  /** A person did something to the bot. */
  | { readonly kind: 'action'; readonly at: Micros; readonly by: string; readonly text: string }
  | { readonly kind: 'end'; readonly at: Micros; readonly outcome: string };

/** Whose orders of the account are, and which are over, as the run learned otherwise than by an answer about them. */
export interface OrderClaims {
  /** Of creates and updates whose answer was lost: each accounts for one order that was asked for in these terms. */
  readonly ours: readonly ClaimedOrder[];
  readonly foreign: readonly OrderId[];
  /** May be ours or somebody else's: a person has to look. */
  readonly ambiguous: readonly OrderId[];
  /** Orders that ended by themselves, or by other hands. */
  readonly ended: readonly OrderId[];
}

/** An order that took the place of one whose answer was lost. */
export interface ClaimedOrder extends Omit<LimitOrder, 'expiresAt'> {
  /** Null once it is over. */
  readonly orderId: OrderId | null;
}

/** So many creates and updates left at one moment. */
export interface SentOrders {
  readonly at: Micros;
  readonly orders: number;
}

/** Why a journal takes no record: the disk is full, a write or a sync failed, somebody removed it, or it was closed. */
export type JournalFault = 'disk-full' | 'write-failed' | 'sync-failed' | 'removed' | 'closed';

/** The record is not in the journal. What would create an order must not be sent; cancels may. */
export class JournalError extends OddsmithError {
  readonly code = 'ODDSMITH_JOURNAL';
  readonly exit = EXIT.usage;

  constructor(
    readonly fault: JournalFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Append-only memory that survives SIGKILL. */
export interface Journal {
  /** Returns once the record is in the kernel. @throws JournalError when it could not be written: send nothing then */
  append(record: JournalRecord): void;
  close(): Promise<void>;
}
