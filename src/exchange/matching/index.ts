/**
 * A matching book for any program: price and time priority in integer ticks, on typed arrays, pure. Published as
 * `oddsmith/matching`; `docs/guides/match-orders.md` shows its use.
 */
export { orderId } from '../../domain/ids.js';
export type { OrderId } from '../../domain/ids.js';
export { money, shares, ticks } from '../../domain/units.js';
export type { Money, Shares, Ticks } from '../../domain/units.js';
export { front, log, power, riskAverse } from '../../venues/simulated/models/queue.js';
export type { QueueModel } from '../../venues/simulated/models/queue.js';
export {
  type ConsumptionModel,
  returns,
  untilRefreshed,
  untilVanished,
} from '../../venues/simulated/models/liquidity.js';
export { ASK, BID, fromBookSide, opposite, toBookSide } from './book-side.js';
export type { BookSide } from './book-side.js';
export type { BookSnapshot, SavedLevel, SavedOrder } from './book-snapshot.js';
export { Fills } from './fills.js';
export { FOREIGN_ORDER } from './foreign-volume.js';
export type { ForeignOptions } from './foreign-volume.js';
export { MatchingBook } from './matching-book.js';
export { MOST_ORDER_SHARES } from './order-records.js';
export type { AmountOrder, MatchingBookOptions } from './matching-book.js';
export type { BookLevel, ReadableBook, RestingOrder } from './readable-book.js';
export type { LevelSizes } from './recorded-sizes.js';
export type { RecordedSide } from './recorded-side.js';
