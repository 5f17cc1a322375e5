import type { Micros, Shares } from '../../domain/units.js';
import { BUY } from '../codes.js';
import type { Misbehaviour } from '../contract.js';
import type { Floor } from '../floor.js';
import { isTradable } from '../markets/tradability.js';
import { closeOrder, moveLock } from './closing.js';
import { stakeOf } from './order-stake.js';
import { executeMarketOrder } from './market-orders.js';
import { engineId, OPEN, PROCESSING } from './order-rows.js';
import { sayCreated, sayProgress } from '../events/order-updates.js';
import { linkOwn, unlinkOwn } from './own-orders.js';
import { settleFills, tellTaker } from './taking.js';

/** How long the orders of a command stay in processing. */
export const processingMs = (floor: Floor, misbehaviour: Misbehaviour | undefined): number =>
  misbehaviour?.processingMs ?? floor.config.processingDelayMs;

/**
 * Places the order of the floor's ticket: cancels what conflicts with it, locks its funds, matches it or lets it wait.
 * @param processingMs 0: it reaches the book at once
 * @returns its row
 */
export function placeOrder(floor: Floor, processingMs: number): number {
  const { ticket, orders } = floor;
  const { conflicting } = ticket;
  for (let place = 0; place < conflicting.count; place++) {
    closeOrder(floor, conflicting.at(place), 'conflicting-order');
  }
  const status = processingMs > 0 ? PROCESSING : OPEN;
  const row = orders.create(ticket, status, floor.now);
  lockFunds(floor, row);
  sayCreated(floor, row);
  if (status === PROCESSING) linkOwn(orders, ticket.stake, row);
  schedule(floor, row, processingMs);
  if (status === OPEN) enterBook(floor, row);
  return row;
}

/**
 * Ends the processing of an order: it opens, or waits until its market is tradable, so that a pause leaves it
 * unmatched.
 */
export function openOrder(floor: Floor, row: number): void {
  const { orders } = floor;
  const stake = stakeOf(floor, row);
  if (!isTradable(stake.book.market, floor.now)) {
    stake.book.waiting.push(orders.id(row));
    return;
  }
  unlinkOwn(orders, stake, row);
  orders.setStatus(row, OPEN);
  sayProgress(floor, row, PROCESSING, 0 as Shares);
  enterBook(floor, row);
}

/** A limit order can rest; a market order never does. */
const rests = (floor: Floor, row: number): boolean => floor.orders.price(row) !== null;

/** A limit bid locks cash, an ask its shares. A market bid pays as it trades. */
function lockFunds(floor: Floor, row: number): void {
  const { stake, side, position, currency, price, shares, cost } = floor.ticket;
  if (side !== BUY) {
    stake.holding(position, currency).locked += shares;
    floor.orders.setLocked(row, shares);
  } else if (price !== null) {
    moveLock(floor, stake, currency, cost);
    floor.orders.setLocked(row, cost);
  }
}

function schedule(floor: Floor, row: number, processingMs: number): void {
  const id = floor.orders.id(row);
  if (processingMs > 0) {
    const at = (floor.now + Math.round(processingMs * 1_000)) as Micros;
    floor.due.schedule({ at, kind: 'open-order', id });
  }
  const at = floor.orders.expiresAt(row);
  if (at !== null && rests(floor, row)) floor.due.schedule({ at, kind: 'expire-order', id });
}

function enterBook(floor: Floor, row: number): void {
  if (rests(floor, row)) enterLimitOrder(floor, row);
  else executeMarketOrder(floor, row);
}

function enterLimitOrder(floor: Floor, row: number): void {
  const { orders, outbox } = floor;
  const stake = stakeOf(floor, row);
  const side = orders.bookSide(row);
  const tick = orders.tick(row);
  const left = stake.book.matching.add(engineId(row), side, tick, orders.requested(row));
  const filled = settleFills(floor, row);
  if (left > 0) {
    linkOwn(orders, stake, row);
    outbox.touchLevel(stake.book, side, tick);
  }
  if (filled > 0) tellTaker(floor, row, left === 0);
}
