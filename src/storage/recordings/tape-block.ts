/** Decoded recordings: lines of the neutral form as columns of numbers. */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { BookCut } from '../../domain/recorded.js';
import type { Resolution, Side } from '../../domain/vocabulary.js';

/** What a row is. */
export const ROW = { book: 0, trade: 1, status: 2, order: 3 } as const;

/**
 * Consecutive rows of one recording. Nobody changes a block once it is made, and its columns lie in shared memory, so
 * threads read it without a copy.
 */
export interface TapeBlock {
  readonly rows: number;
  /** Exchange time, microseconds; never decreasing, from block to block neither. */
  readonly at: Float64Array;
  /** One of {@link ROW}. */
  readonly kind: Uint8Array;
  /** Place in the list of markets of the tape. */
  readonly market: Uint16Array;
  /**
   * Place of the row's first level; bids stand before asks, best first. A trade has one level: what traded. An order has
   * two at its price: its shares, and others' shares ahead of it; `bids` or `asks` is 1 as it stands on that side.
   */
  readonly first: Int32Array;
  readonly bids: Uint8Array;
  readonly asks: Uint8Array;
  /** Of an order a {@link changeOf}, of a book a {@link cutOf}, of a trade a {@link takerOf}, of a status a {@link statusOf}. */
  readonly word: Uint8Array;
  /** Number of the line in its file, from 1. */
  readonly line: Int32Array;
  /** Of each level: price units of the long side. */
  readonly prices: Int32Array;
  /** Of each level: share units. */
  readonly shares: Float64Array;
}

/** A market as lines name it. */
export interface TapeMarket {
  readonly eventId: EventId;
  readonly marketId: MarketId;
}

/** A status line. */
export interface StatusWord {
  readonly status: 'open' | 'closed' | 'resolved';
  readonly resolution: Resolution | null;
  readonly inPlay: boolean;
}

const TAKERS: readonly (Side | null)[] = [null, 'bid', 'ask'];
const STATUSES = ['open', 'closed', 'resolved'] as const;
const RESOLUTIONS: readonly (Resolution | null)[] = [null, 'long', 'short', 'void'];
const BIDS_CUT = 1;
const ASKS_CUT = 2;
const WHOLE: BookCut = { bids: false, asks: false };
const IN_PLAY = 4;
const RESOLUTION = 8;

export const cutWord = (cut: BookCut | undefined): number =>
  cut === undefined ? 0 : (cut.bids ? BIDS_CUT : 0) + (cut.asks ? ASKS_CUT : 0);
export const cutOf = (word: number): BookCut =>
  word === 0 ? WHOLE : { bids: (word & BIDS_CUT) !== 0, asks: (word & ASKS_CUT) !== 0 };

const CHANGES = ['join', 'leave', 'restate'] as const;
/** What happens to an order: it joins a queue, shares of it leave, or what trades left of its level is stated. */
export type OrderChange = (typeof CHANGES)[number];
export const changeWord = (change: OrderChange): number => CHANGES.indexOf(change);
export const changeOf = (word: number): OrderChange => CHANGES[word] ?? 'join';

export const takerWord = (side: Side | null): number => TAKERS.indexOf(side);
export const takerOf = (word: number): Side | null => TAKERS[word] ?? null;

export const statusWord = ({ status, resolution, inPlay }: StatusWord): number =>
  STATUSES.indexOf(status) + (inPlay ? IN_PLAY : 0) + RESOLUTION * RESOLUTIONS.indexOf(resolution);

export const statusOf = (word: number): StatusWord => ({
  status: STATUSES[word % IN_PLAY] ?? 'open',
  resolution: RESOLUTIONS[Math.floor(word / RESOLUTION)] ?? null,
  inPlay: word % RESOLUTION >= IN_PLAY,
});
