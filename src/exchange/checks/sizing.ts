import type { Account } from '../money/accounts.js';
import type { Micros, Money, PriceUnits, Shares, Ticks } from '../../domain/units.js';
import { PRICE_ONE } from '../../domain/units.js';
import type { EventConfig, OrderRequest } from '../contract.js';
import { feeReserve, type FeeRates } from '../money/fees.js';
import type { Market } from '../markets/markets.js';
import type { Floor } from '../floor.js';
import { BID, MOST_ORDER_SHARES, opposite } from '../matching/index.js';
import { ownShares } from '../orders/own-orders.js';
import type { Ticket } from '../orders/ticket.js';
import { sweep, type Sweep } from '../books/sweep.js';
import { refuse, refuseField, type Verdict } from './refusals.js';

/** Beyond, price x shares would leave the safe integers. */
const MOST_SHARES = Math.floor(Number.MAX_SAFE_INTEGER / PRICE_ONE);
/** An amount beside shares and price may be rounded to cents. */
const HALF_A_CENT = 5_000;

/**
 * Reads price, shares and amount of a request against its market's grid and its event's limits. The floor's ticket,
 * whose book, side and position are known, gets price, tick, shares, amount and cost.
 */
export function sizeOrder(floor: Floor, account: Account, request: OrderRequest): Verdict {
  const { ticket, now } = floor;
  const refused = checkFields(request, ticket.book.market, now) ?? checkShares(request.shares);
  if (refused !== null) return refused;
  return request.price === null
    ? sizeMarketOrder(floor, account, request)
    : sizeLimitOrder(request, ticket, request.price);
}

function checkFields(
  { price, shares, amount, expiresAt }: OrderRequest,
  market: Market,
  now: Micros,
): Verdict {
  if (price !== null && !isOnGrid(price, market.config.tickUnits)) {
    return refuseField('price', `A price must be between 0 and 1 and a multiple of ${tickText(market)}.`);
  }
  if (shares === null && amount === null) return refuseField('shares', 'Give shares or an amount.');
  if (amount !== null && !(Number.isSafeInteger(amount) && amount > 0)) {
    return refuseField('amount', 'An amount must be positive with at most 6 decimal places.');
  }
  if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > now))
    return refuseField('expired_at', 'The expiry must be in the future.');
  return null;
}

const isOnGrid = (price: number, tickUnits: number): boolean =>
  price > 0 && price < PRICE_ONE && Number.isInteger(price / tickUnits);

const tickText = ({ config }: Market): string => String(config.tickUnits / PRICE_ONE);

function checkShares(shares: number | null): Verdict {
  const isValid = shares === null || (Number.isInteger(shares) && shares > 0 && shares <= MOST_SHARES);
  return isValid ? null : refuse('InvalidShares');
}

function sizeLimitOrder(request: OrderRequest, ticket: Ticket, price: number): Verdict {
  const { amount } = request;
  const { market, fees } = ticket.book;
  const { event, config } = market;
  const shares = (request.shares ?? Math.floor((amount ?? 0) / price)) as Shares;
  const worth = (price * shares) as Money;
  if (request.shares !== null && amount !== null && Math.abs(amount - worth) > HALF_A_CENT) {
    return refuseField('amount', 'The amount is not price x shares.');
  }
  if (shares > MOST_ORDER_SHARES || isOutOfLimits(worth, event.config))
    return refuse('OrderBookInvalidAmount');
  const longPrice = request.position === 'long' ? price : PRICE_ONE - price;
  ticket.price = price as PriceUnits;
  ticket.tick = Math.trunc(longPrice / config.tickUnits) as Ticks;
  ticket.shares = shares;
  ticket.amount = worth;
  ticket.cost = (worth + feeReserve(0, shares, fees.worst)) as Money;
  return null;
}

/** Without an amount of its own, what the book holds for it is held to the event's limits. */
function sizeMarketOrder(floor: Floor, account: Account, request: OrderRequest): Verdict {
  const { ticket } = floor;
  const { book, bookSide } = ticket;
  const amount = (request.amount ?? 0) as Money;
  const shares = (request.shares ?? 0) as Shares;
  const expected = request.shares === null ? null : expectedOf(floor, account, shares);
  const worth = request.amount ?? expected?.amount ?? 0;
  const isNothing = request.amount === null && worth === 0;
  if (!isNothing && isOutOfLimits(worth, book.market.event.config)) return refuse('OrderBookInvalidAmount');
  ticket.price = null;
  ticket.tick = bookSide === BID ? book.maxTick : book.minTick;
  ticket.shares = shares;
  ticket.amount = amount;
  ticket.cost = marketCost(book.fees, amount, expected);
  return null;
}

/** What others' volume gives it: the account's own is cancelled before it trades, or it is refused for that. */
function expectedOf(floor: Floor, account: Account, shares: Shares): Sweep {
  const { book, bookSide, position } = floor.ticket;
  const stake = floor.stakes.find(account, book);
  if (stake === undefined || stake.facing(bookSide).count === 0)
    return sweep(book, bookSide, position, shares);
  return sweep(book, bookSide, position, shares, ownShares(floor, stake, opposite(bookSide)));
}

function marketCost(fees: FeeRates, amount: Money, expected: Sweep | null): Money {
  if (expected === null) return amount;
  const due = expected.amount + feeReserve(0, expected.shares, fees.taker);
  return (amount === 0 ? due : Math.min(due, amount)) as Money;
}

/** The event's least and most price x shares. */
const isOutOfLimits = (amount: number, { minAmount, maxAmount }: EventConfig): boolean =>
  amount < minAmount || amount > maxAmount;
