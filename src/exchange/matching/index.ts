export { ASK, BID, fromBookSide, opposite, toBookSide } from './book-side.js';
export type { BookSide } from './book-side.js';
export { Fills } from './fills.js';
export { FOREIGN_ACCOUNT } from './foreign-volume.js';
export type { ForeignOptions } from './foreign-volume.js';
export { MatchingBook } from './matching-book.js';
export type { AmountOrder, MatchingBookOptions } from './matching-book.js';
export type { BookLevel, ReadableBook, RestingOrder } from './readable-book.js';
export type { RecordedSide } from './recorded-flow.js';
