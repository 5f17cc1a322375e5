import { BUY } from '../codes.js';
import type { Floor } from '../floor.js';
import { feeBooked, feeDue, feeReserve } from '../fees.js';
import type { Money, Shares } from '../../domain/units.js';
import type { Stake } from '../stakes.js';
import type { WagerTrade } from '../wagers/wagers.js';
import { moveLock, stakeOf } from './closing.js';

/** One order's half of a trade. */
export interface OrderFill {
  readonly row: number;
  /** Of the order's own position. */
  readonly price: number;
  readonly shares: Shares;
  /** Fee rate of its role, money units per whole share. */
  readonly rate: number;
}

/** Moves the money and shares of one order's half of a trade. @returns the fee it paid, negative for a rebate */
export function fillOrder(floor: Floor, fill: OrderFill): Money {
  const { orders } = floor;
  const stake = stakeOf(floor, fill.row);
  const fee = accrueFee(floor, stake, fill);
  const amount = (fill.price * fill.shares) as Money;
  orders.addFill(fill.row, fill.shares, amount);
  const trade = {
    shares: fill.shares,
    price: fill.price,
    fee,
    orderId: orders.id(fill.row),
    at: floor.now,
  };
  if (orders.side(fill.row) === BUY) buy(floor, stake, fill.row, trade);
  else sell(floor, stake, fill.row, trade);
  return fee;
}

function accrueFee(floor: Floor, stake: Stake, { row, shares, rate }: OrderFill): Money {
  if (rate === 0) return 0 as Money;
  const { orders } = floor;
  const before = orders.accruedFee(row);
  const after = before + rate * shares;
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
