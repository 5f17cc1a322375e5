import { BUY } from '../codes.js';
import type { OrderTable } from '../orders/order-table.js';
import type { Ticket } from '../orders/ticket.js';
import { refuse, type Verdict } from './refusals.js';

/** Can the account pay for it, or has it the shares it sells? */
export function checkFunds(orders: OrderTable, ticket: Ticket): Verdict {
  const enough = ticket.side === BUY ? canPay(orders, ticket) : hasShares(orders, ticket);
  return enough ? null : refuse('UserNotEnoughBalance');
}

function canPay(orders: OrderTable, ticket: Ticket): boolean {
  const cash = ticket.stake.account.cash[ticket.currency] as number;
  return ticket.cost <= cash || ticket.cost <= cash + freed(orders, ticket, isSameCash);
}

function hasShares(orders: OrderTable, ticket: Ticket): boolean {
  const free = ticket.stake.freeShares(ticket.position, ticket.currency);
  return free + freed(orders, ticket, isSameHolding) >= Math.max(ticket.shares, 1);
}

/** Whether an order has locked what a ticket asks for. */
type Frees = (orders: OrderTable, row: number, ticket: Ticket) => boolean;

const isSameCash: Frees = (orders, row, { currency }) =>
  orders.side(row) === BUY && orders.currency(row) === currency;

const isSameHolding: Frees = (orders, row, { position, currency }) =>
  orders.side(row) !== BUY && orders.position(row) === position && orders.currency(row) === currency;

/** What is locked now and will be free by then: by the order to be replaced, or by conflicting ones to be cancelled. */
function freed(orders: OrderTable, ticket: Ticket, frees: Frees): number {
  const { replacing, conflicting } = ticket;
  if (replacing !== 0) return frees(orders, replacing, ticket) ? orders.locked(replacing) : 0;
  let sum = 0;
  for (let place = 0; place < conflicting.count; place++) {
    const row = conflicting.at(place);
    if (frees(orders, row, ticket)) sum += orders.locked(row);
  }
  return sum;
}
