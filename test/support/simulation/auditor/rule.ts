import type { Micros } from '../../../../src/domain/units.js';
import type { Currency } from '../../../../src/domain/vocabulary.js';
import type { ExchangeCore } from '../../../../src/exchange/exchange.js';
import type { VenueEntry } from '../venue-record.js';
import type { Register, RegisteredOrder } from './register.js';

/** What is read of a venue's own books. */
export type AuditedExchange = Pick<ExchangeCore, 'orders' | 'ledger' | 'book'>;

/** What is written down of the house: what it promised, not what it did. */
export interface Charter {
  readonly account: number;
  /** That the bot trades. */
  readonly currency: Currency;
  /** Events that the bot trades in, with the markets it quotes and their limits, in share and money units. */
  readonly events: readonly CharterEvent[];
  readonly replayMaxAgeMs: number;
  readonly privateFrameMs: number;
  /** How slow the bot's clock may go. */
  readonly slowestClock: number;
  /** How much later than by the venue's clock a date may come by what the bot knows of it, in microseconds. */
  readonly behind: number;
  /** And how much earlier. */
  readonly ahead: number;
  /** Microseconds before a market closes that the bot is out of it. */
  readonly outBefore: number;
  /** Money units per whole share, the larger of both fees. */
  readonly fee: number;
  /** The same of a fill that rested; a rebate counts as nothing. */
  readonly restingFee: number;
  /** Of the instance that may send the most. */
  readonly ordersPerMinute: number;
  /** How long after its decision a create or update may leave at the latest. */
  readonly quoteLifetimeMs: number;
}

export interface CharterEvent {
  readonly event: number;
  readonly isExclusiveScope: boolean;
  readonly isExclusiveOutcome: boolean;
  /** Whether one of its markets is sure to win. */
  readonly isExhaustive: boolean;
  /** Whether quotes in several of its markets must not add up to a certain loss. */
  readonly areCoherent: boolean;
  readonly markets: readonly number[];
  readonly maxPositionShares: number;
  readonly maxEventLoss: number;
  /** Times of news, in microseconds. */
  readonly windows: readonly { readonly from: number; readonly to: number }[];
}

export interface Finding {
  readonly rule: string;
  readonly text: string;
  readonly at: Micros;
}

/** One promise. Reads along and says when it is broken. */
export interface Rule {
  readonly name: string;
  /** @returns what is wrong, or null */
  note(entry: VenueEntry, moment: Moment): string | null;
}

/** Where the venue stands when an entry is read; the entry itself is already in it. */
export interface Moment {
  readonly at: Micros;
  readonly register: Register;
  /** Orders of the account that this entry created; filled for `served` and `said` by hand. */
  readonly created: readonly RegisteredOrder[];
}

export const describe = (order: RegisteredOrder): string =>
  `order ${order.id} (${order.side} ${order.requested / 100} ${order.position} of ${order.marketId} at ${order.price / 10_000})`;
