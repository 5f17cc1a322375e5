import { BUY } from '../codes.js';
import type { Floor } from '../floor.js';
import { feeBooked, feeDue, feeReserve } from '../money/fees.js';
import type { Money, Shares } from '../../domain/units.js';
import type { Stake } from '../money/stakes.js';
import type { WagerTrade } from '../wagers/action-table.js';
import { moveLock } from './closing.js';
import { stakeOf } from './order-stake.js';

/**
 * Moves the money and shares of one order's half of a trade. Positional, because every fill comes by here twice.
 * @param price of the order's own position
 * @param rate  fee rate of its role, money units per whole share
 * @returns the fee it paid, negative for a rebate
 */
export function fillOrder(floor: Floor, row: number, price: number, shares: Shares, rate: number): Money {
  const { orders, half } = floor;
  const stake = stakeOf(floor, row);
  const fee = rate === 0 ? (0 as Money) : accrueFee(floor, stake, row, rate * shares);
  orders.addFill(row, shares, (price * shares) as Money);
  half.shares = shares;
  half.price = price;
  half.fee = fee;
  half.orderId = orders.id(row);
  half.at = floor.now;
  if (orders.side(row) === BUY) buy(floor, stake, row, half);
  else sell(floor, stake, row, half);
  return fee;
}

function accrueFee(floor: Floor, stake: Stake, row: number, accrued: number): Money {
  const { orders } = floor;
  const before = orders.accruedFee(row);
  const after = before + accrued;
  orders.setAccruedFee(row, after);
  const due = (feeDue(after) - feeDue(before)) as Money;
  const booked = (feeBooked(after) - feeBooked(before)) as Money;
  stake.book.ledger.bookFee(orders.currency(row), booked, due);
  return due;
}

function buy(floor: Floor, stake: Stake, row: number, trade: WagerTrade): void {
  const { orders, outbox } = floor;
  const currency = orders.currency(row);
  const holding = stake.holding(orders.position(row), currency);
  shrinkCashLock(floor, stake, row);
  outbox.touchCash(stake.account);
  outbox.touchShares(holding);
  stake.pay(currency, (-trade.price * trade.shares - trade.fee) as Money);
  holding.shares += trade.shares;
  floor.wagers.buy(holding, trade);
}

function sell(floor: Floor, stake: Stake, row: number, trade: WagerTrade): void {
  const { orders, outbox } = floor;
  const currency = orders.currency(row);
  const holding = stake.holding(orders.position(row), currency);
  const unlocked = Math.min(orders.locked(row), trade.shares);
  orders.setLocked(row, orders.locked(row) - unlocked);
  holding.locked -= unlocked;
  outbox.touchCash(stake.account);
  outbox.touchShares(holding);
  stake.pay(currency, (trade.price * trade.shares - trade.fee) as Money);
  holding.shares -= trade.shares;
  floor.wagers.sell(holding, trade);
}

/** The lock follows what is left to fill; what the fill got cheaper becomes spendable. */
function shrinkCashLock(floor: Floor, stake: Stake, row: number): void {
  const { orders } = floor;
  const locked = orders.locked(row);
  if (locked === 0) return;
  const left = (orders.requested(row) - orders.filled(row)) as Shares;
  const price = orders.price(row) ?? 0;
  const needed = price * left + feeReserve(orders.accruedFee(row), left, stake.book.fees.worst);
  moveLock(floor, stake, orders.currency(row), (needed - locked) as Money);
  orders.setLocked(row, needed);
}
