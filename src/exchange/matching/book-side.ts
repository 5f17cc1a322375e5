import type { Side } from '../../domain/vocabulary.js';

/**
 * The two sides of a book as numbers, because the engine computes with them: a bid is 0, an ask is 1, the
 * opposite of `side` is `1 - side`. In long-side prices throughout ({@link bookSide} of the vocabulary).
 */
export const BID = 0;
export const ASK = 1;
export type BookSide = typeof BID | typeof ASK;

/** The number of a side's word. */
export const toBookSide = (side: Side): BookSide => (side === 'bid' ? BID : ASK);
/** The word of a side's number. */
export const fromBookSide = (side: BookSide): Side => (side === BID ? 'bid' : 'ask');
/** The side that `side` trades with. */
export const opposite = (side: BookSide): BookSide => (1 - side) as BookSide;
