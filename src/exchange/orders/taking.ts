import type { Shares } from '../../domain/units.js';
import type { Floor } from '../floor.js';
import { FOREIGN_ORDER } from '../matching/index.js';
import { stakeOf } from './order-stake.js';
import { FILLED, PARTIAL } from './order-rows.js';
import { sayProgress } from '../events/order-updates.js';
import { FOREIGN } from '../money/trade-register.js';
import { settleMatch } from './trading.js';

/** Settles what the matching engine has just traded for a taker. @returns the shares it has filled by now */
export function settleFills(floor: Floor, taker: number): Shares {
  const { fills } = floor.markets;
  const { book } = stakeOf(floor, taker);
  const takerSide = floor.orders.bookSide(taker);
  for (let entry = 0; entry < fills.count; entry++) {
    const maker = fills.makerId(entry) === FOREIGN_ORDER ? FOREIGN : fills.makerId(entry);
    const tick = fills.tick(entry);
    settleMatch(floor, { book, taker, maker, takerSide, tick, shares: fills.shares(entry) });
  }
  return floor.orders.filled(taker);
}

/** Tells a taker, once for the whole command, what was filled of it, and files it when that is all. */
export function tellTaker(floor: Floor, row: number, isFilled: boolean): void {
  const { orders } = floor;
  const previous = orders.status(row);
  orders.setStatus(row, isFilled ? FILLED : PARTIAL);
  sayProgress(floor, row, previous, orders.filled(row));
  if (isFilled) orders.finish(row);
}
