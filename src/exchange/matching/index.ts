export { ASK, BID, fromBookSide, opposite, toBookSide } from './book-side.js';
export type { BookSide } from './book-side.js';
export { Fills } from './fills.js';
export { MatchingBook } from './matching-book.js';
export type { AmountOrder, BookLevel, MatchingBookOptions, RestingOrder } from './matching-book.js';
