/** Every rule that an order must pass, in the order of the facts: schema, account, market, order. */
import {
  PRICE_ONE,
  type Micros,
  type Money,
  type PriceUnits,
  type Shares,
  type Ticks,
} from '../../domain/units.js';
import { bookSide, modeOf, type Currency } from '../../domain/vocabulary.js';
import type { Account } from '../accounts/accounts.js';
import { byId, type BookAccount, type Order, type OrderTerms } from '../accounts/book-accounts.js';
import type { EventConfig, OrderRefusal, OrderRefusalCode, OrderRequest } from '../contract.js';
import { sweep, type Book, type Sweep } from '../markets/book.js';
import { isOpen, type Market } from '../markets/markets.js';
import { BID, MOST_ORDER_SHARES, opposite, toBookSide, type BookSide } from '../matching/index.js';
import { feeReserve } from '../money/fees.js';
import type { State } from '../state.js';

/** An order that passed every check, in the units of its book. */
export interface CheckedOrder extends OrderTerms {
  /** Cash that a bid needs, fees included: what a limit order locks, what a market order pays at most. */
  readonly cost: Money;
  /** Own orders to cancel before the order is placed, oldest first. */
  readonly conflicting: readonly Order[];
}

export type Checked =
  { readonly refusal: null; readonly order: CheckedOrder } | { readonly refusal: OrderRefusal };

/** Why an order is refused; null: the check passed. */
type Verdict = OrderRefusal | null;

const refuse = (code: OrderRefusalCode): OrderRefusal => ({ code });

/** A field of the wire (specification 2.4) that is wrong. */
const refuseField = (field: string, problem: string): OrderRefusal => ({
  code: 'ValidationError',
  fields: { [field]: [problem] },
});

/**
 * Checks an order against every rule. Nothing changes yet.
 * @param replacing the order to be replaced, whose locked funds count as free; null: none
 */
export function checkOrder(
  state: State,
  account: Account,
  request: OrderRequest,
  replacing: Order | null,
): Checked {
  const market = state.markets.market(request.marketId);
  const refusal =
    checkSchema(request) ??
    checkAccount(account, request.currency) ??
    checkMarket(market, request, state.now);
  if (refusal !== null || market === null)
    return { refusal: refusal ?? refuseField('market', `There is no market ${request.marketId}.`) };
  return checkTerms(state, account, request, { market, replacing });
}

/** What is wrong with the request itself, whoever sends it and whatever the market. */
function checkSchema({ price, shares, amount }: OrderRequest): Verdict {
  if (price !== null && !(Number.isInteger(price) && price > 0 && price < PRICE_ONE))
    return refuseField('price', 'A price must be between 0 and 1 with at most 4 decimal places.');
  if (shares === null && amount === null) return refuseField('shares', 'Give shares or an amount.');
  if (amount !== null && !(Number.isSafeInteger(amount) && amount > 0))
    return refuseField('amount', 'An amount must be positive with at most 6 decimal places.');
  return null;
}

/** Whether this account may place orders in this currency at all. */
function checkAccount({ config }: Account, currency: Currency): Verdict {
  if (!config.emailConfirmed) return refuse('EmailNotConfirmed');
  if (config.blocked) return refuse('UserBlockedBets');
  if (currency === 'OOM') return null;
  if (config.forbiddenCountry) return refuse('RealMoneyForbiddenCountry');
  return config.realCurrencyEnabled ? null : refuse('RealMoneyBetNotAllowed');
}

/** Whether the market exists, belongs to the named event and takes orders now. */
function checkMarket(market: Market | null, { marketId, eventId }: OrderRequest, now: Micros): Verdict {
  if (market === null) return refuseField('market', `There is no market ${marketId}.`);
  if (eventId !== null && eventId !== market.event.id)
    return refuseField('event', `Market ${market.id} does not belong to event ${eventId}.`);
  if (market.disabled) return refuse('OutcomeDisabled');
  if (!isOpen(market, now)) return refuse('MarketClosed');
  return market.status === 'active' ? null : refuse('OrderBookMarketClosed');
}

/** Price, size and cost of an order. */
type Sizing = Pick<CheckedOrder, 'price' | 'tick' | 'requested' | 'amount' | 'cost'>;

function checkTerms(
  state: State,
  account: Account,
  request: OrderRequest,
  { market, replacing }: { readonly market: Market; readonly replacing: Order | null },
): Checked {
  const { side, position, currency, expiresAt, cancelConflicting } = request;
  const book = state.markets.book(market, modeOf(currency));
  const sideOfBook = toBookSide(bookSide(side, position));
  const refusal =
    checkTick(market, request.price) ?? checkExpiry(expiresAt, state.now) ?? checkShares(request.shares);
  if (refusal !== null) return { refusal };
  const sized =
    request.price === null
      ? sizeMarketOrder(book, sideOfBook, request, state.bookAccounts.find(account, book))
      : sizeLimitOrder(book, request, request.price);
  if ('code' in sized) return { refusal: sized };
  const owner = state.bookAccounts.of(account, book);
  const conflicting = conflictsOf(owner, sideOfBook, sized.tick);
  const order = {
    owner,
    side,
    position,
    currency,
    bookSide: sideOfBook,
    price: sized.price,
    tick: sized.tick,
    requested: sized.requested,
    amount: sized.amount,
    expiresAt,
    cost: sized.cost,
    conflicting,
  };
  const claim = checkConflicts(conflicting, cancelConflicting) ?? checkFunds(order, replacing);
  return claim === null ? { refusal: null, order } : { refusal: claim };
}

function checkTick({ config: { tickUnits } }: Market, price: number | null): Verdict {
  if (price === null || Number.isInteger(price / tickUnits)) return null;
  const tick = String(tickUnits / PRICE_ONE);
  return refuseField('price', `A price in this market must be a multiple of ${tick}.`);
}

function checkExpiry(expiresAt: Micros | null, now: Micros): Verdict {
  if (expiresAt === null || (Number.isSafeInteger(expiresAt) && expiresAt > now)) return null;
  return refuseField('expired_at', 'The expiry must be in the future.');
}

/** With more shares price x shares would leave the safe integers. */
const MOST_SHARES = Math.floor(Number.MAX_SAFE_INTEGER / PRICE_ONE);

function checkShares(shares: number | null): Verdict {
  const isValid = shares === null || (Number.isInteger(shares) && shares > 0 && shares <= MOST_SHARES);
  return isValid ? null : refuse('InvalidShares');
}

/** An amount beside shares and price may be rounded to cents. */
const HALF_A_CENT = 5_000;

function sizeLimitOrder(
  { market: { event, config }, fees }: Book,
  request: OrderRequest,
  price: number,
): Sizing | OrderRefusal {
  const { amount, position } = request;
  const shares = (request.shares ?? Math.floor((amount ?? 0) / price)) as Shares;
  const worth = (price * shares) as Money;
  if (request.shares !== null && amount !== null && Math.abs(amount - worth) > HALF_A_CENT)
    return refuseField('amount', 'The amount is not price x shares.');
  if (shares > MOST_ORDER_SHARES || isOutOfLimits(worth, event.config))
    return refuse('OrderBookInvalidAmount');
  const longPrice = position === 'long' ? price : PRICE_ONE - price;
  return {
    price: price as PriceUnits,
    tick: Math.trunc(longPrice / config.tickUnits) as Ticks,
    requested: shares,
    amount: worth,
    cost: (worth + feeReserve(0, shares, fees.worst)) as Money,
  };
}

/** Without an amount, the event's limits apply to what the book holds for the order. */
function sizeMarketOrder(
  book: Book,
  side: BookSide,
  request: OrderRequest,
  owner: BookAccount | undefined,
): Sizing | OrderRefusal {
  const { market, fees } = book;
  const { shares, position } = request;
  const amount = (request.amount ?? 0) as Money;
  // Own orders do not count: they are cancelled before the order trades, or it is refused because of them.
  const expected =
    shares === null ? null : sweep(book, side, position, shares, owner?.ownShares(opposite(side)));
  const worth = request.amount ?? expected?.amount ?? 0;
  const isNothing = request.amount === null && worth === 0;
  if (!isNothing && isOutOfLimits(worth, market.event.config)) return refuse('OrderBookInvalidAmount');
  return {
    price: null,
    tick: side === BID ? market.maxTick : market.minTick,
    requested: (shares ?? 0) as Shares,
    amount,
    cost: marketCost(fees.taker, amount, expected),
  };
}

function marketCost(takerFee: number, amount: Money, expected: Sweep | null): Money {
  if (expected === null) return amount;
  const due = expected.amount + feeReserve(0, expected.shares, takerFee);
  return (amount === 0 ? due : Math.min(due, amount)) as Money;
}

/** The event's least and most price x shares. */
const isOutOfLimits = (amount: number, { minAmount, maxAmount }: EventConfig): boolean =>
  amount < minAmount || amount > maxAmount;

/** Own working orders, those in processing included, that a new one could trade with, oldest first. */
function conflictsOf(owner: BookAccount, side: BookSide, tick: Ticks): Order[] {
  const conflicting: Order[] = [];
  for (const order of owner.ordersOn(opposite(side)))
    if (side === BID ? order.tick <= tick : order.tick >= tick) conflicting.push(order);
  return conflicting.sort(byId);
}

/** Conflicts are refused, unless they may be cancelled and can be: an order in processing cannot. */
function checkConflicts(conflicting: readonly Order[], mayCancel: boolean): Verdict {
  if (conflicting.length === 0) return null;
  const canCancel = mayCancel && conflicting.every(({ status }) => status !== 'processing');
  return canCancel ? null : refuse('OrderBookConflictingOrders');
}

/** Whether the account can pay for the order, or holds the shares it sells. */
function checkFunds(order: CheckedOrder, replacing: Order | null): Verdict {
  const { owner, position, currency } = order;
  const freed = freedBy(replacing === null ? order.conflicting : [replacing], order);
  const isEnough =
    order.side === 'bid'
      ? order.cost <= owner.account.cash[currency] + freed
      : owner.freeShares(position, currency) + freed >= Math.max(order.requested, 1);
  return isEnough ? null : refuse('UserNotEnoughBalance');
}

/** Cash or shares that an order needs and others have locked, which end before it is placed. */
function freedBy(others: readonly Order[], { side, position, currency }: OrderTerms): number {
  let freed = 0;
  for (const other of others) {
    if (other.side !== side || other.currency !== currency) continue;
    if (side === 'bid' || other.position === position) freed += other.locked;
  }
  return freed;
}
