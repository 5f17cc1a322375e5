/**
 * A matching book for any program: price and time priority in integer ticks, on typed arrays, pure. Published as
 * `oddsmith/matching`; `docs/guides/match-orders.md` shows its use.
 */
export { orderId } from '../contract/ids.js';
export type { OrderId } from '../contract/ids.js';
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
export { FOREIGN_ORDER } from './foreign-volume.js';
export type { ForeignOptions, LevelSizes } from './foreign-volume.js';
export { ASK, BID, fromBookSide, opposite, toBookSide } from './levels.js';
export type { BookSide } from './levels.js';
export { Fills } from './matcher.js';
export { MatchingBook } from './matching-book.js';
export type { AmountOrder, MatchingBookOptions } from './matching-book.js';
export { MOST_ORDER_SHARES } from './order-records.js';
export type {
  BookLevel,
  BookSnapshot,
  ReadableBook,
  RestingOrder,
  SavedLevel,
  SavedOrder,
} from './readable-book.js';
export type { RecordedSide } from './recorded-flow.js';
