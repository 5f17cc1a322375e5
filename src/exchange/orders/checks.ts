/** Every rule that an order must pass, in the order of the facts: schema, account, market, order. */
import {
  PRICE_ONE,
  ZERO_MONEY,
  ZERO_SHARES,
  type Micros,
  type Money,
  type PriceUnits,
  type Shares,
  type Ticks,
} from '../../domain/units.js';
import { bookSide, modeOf, type Currency, type Position } from '../../domain/vocabulary.js';
import { type Account, byId, type BookAccount, type Order } from '../accounts/accounts.js';
import type { OrderId } from '../contract/ids.js';
import type { EventConfig, OrderRefusal, OrderRefusalCode, OrderRequest } from '../contract.js';
import { ownPrice, sweep, type Book } from '../markets/book.js';
import { isOpen, type Market } from '../markets/markets.js';
import { BID, MOST_ORDER_SHARES, opposite, toBookSide, type BookSide } from '../matching/index.js';
import { feeReserve } from '../money/ledger.js';
import type { State } from '../state.js';

/** An order that passed every check and is not placed yet. */
export interface Admitted {
  readonly refusal: null;
  readonly order: Order;
  /** Cash that a bid needs, fees included: what a limit order locks, what a market order pays at most. */
  readonly cost: number;
  /** Own orders to cancel before the order is placed, oldest first. */
  readonly conflicting: readonly Order[];
}

export type Checked = Admitted | { readonly refusal: OrderRefusal };

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

function checkTerms(
  state: State,
  account: Account,
  request: OrderRequest,
  { market, replacing }: { readonly market: Market; readonly replacing: Order | null },
): Checked {
  const { side, position, currency, price, expiresAt } = request;
  const refusal =
    checkTick(market, price) ?? checkExpiry(expiresAt, state.now) ?? checkShares(request.shares);
  if (refusal !== null) return { refusal };
  const book = state.markets.book(market, modeOf(currency));
  const sideOfBook = toBookSide(bookSide(side, position));
  const owner = account.inBook.get(book);
  const requested = (request.shares ?? sharesFor(request.amount, price)) as Shares;
  const cost =
    price === null
      ? marketCost(book, sideOfBook, request, owner)
      : limitCost(book, request, price, requested);
  if (typeof cost !== 'number') return { refusal: cost };
  const order: Order = {
    id: 0 as OrderId,
    owner: owner ?? state.accounts.open(account, book),
    side,
    position,
    currency,
    bookSide: sideOfBook,
    price: price as PriceUnits | null,
    tick: tickOf(market, sideOfBook, position, price),
    requested,
    amount: (price === null ? (request.amount ?? 0) : 0) as Money,
    expiresAt,
    createdAt: state.now,
    place: 0,
    status: 'open',
    filled: ZERO_SHARES,
    filledAmount: ZERO_MONEY,
    locked: 0,
    accruedFee: 0,
  };
  const conflicting = conflictsOf(order);
  const claim =
    checkConflicts(conflicting, request.cancelConflicting) ?? checkFunds(order, cost, replacing, conflicting);
  return claim === null ? { refusal: null, order, cost, conflicting } : { refusal: claim };
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

/** Shares of an order that names an amount alone; a market order has none before it trades. */
const sharesFor = (amount: number | null, price: number | null): number =>
  price === null ? 0 : Math.floor((amount ?? 0) / price);

/** Long-side tick of a price; of a market order the worst one. */
function tickOf(market: Market, side: BookSide, position: Position, price: number | null): Ticks {
  if (price === null) return side === BID ? market.maxTick : market.minTick;
  return Math.trunc(ownPrice(price, position) / market.config.tickUnits) as Ticks;
}

/** An amount beside shares and price may be rounded to cents. */
const HALF_A_CENT = 5_000;

/** @returns what a limit order locks when it buys, fees included */
function limitCost(
  { market, fees }: Book,
  request: OrderRequest,
  price: number,
  shares: Shares,
): number | OrderRefusal {
  const { amount } = request;
  const worth = price * shares;
  if (request.shares !== null && amount !== null && Math.abs(amount - worth) > HALF_A_CENT)
    return refuseField('amount', 'The amount is not price x shares.');
  if (shares > MOST_ORDER_SHARES || isOutOfLimits(worth, market.event.config))
    return refuse('OrderBookInvalidAmount');
  return worth + feeReserve(0, shares, fees.worst);
}

/**
 * Without an amount, the event's limits apply to what the book holds for the order.
 * @returns what a market order pays at most
 */
function marketCost(
  book: Book,
  side: BookSide,
  { shares, position, amount }: OrderRequest,
  owner: BookAccount | undefined,
): number | OrderRefusal {
  // Own orders do not count: they are cancelled before the order trades, or it is refused because of them.
  const expected =
    shares === null ? null : sweep(book, side, position, shares, owner?.ownShares(opposite(side)));
  const worth = amount ?? expected?.amount ?? 0;
  const isNothing = amount === null && worth === 0;
  if (!isNothing && isOutOfLimits(worth, book.market.event.config)) return refuse('OrderBookInvalidAmount');
  if (expected === null) return worth;
  const due = expected.amount + feeReserve(0, expected.shares, book.fees.taker);
  return amount === null ? due : Math.min(due, amount);
}

/** The event's least and most price x shares. */
const isOutOfLimits = (amount: number, { minAmount, maxAmount }: EventConfig): boolean =>
  amount < minAmount || amount > maxAmount;

const NONE: readonly Order[] = [];

/** Own working orders, those in processing included, that a new one could trade with, oldest first. */
function conflictsOf({ owner, bookSide: side, tick }: Order): readonly Order[] {
  // Own orders that are open stand in the book: where nothing there would trade, none of them would.
  if (owner.processing === 0 && !owner.book.matching.wouldMatch(side, tick)) return NONE;
  const conflicting = owner
    .ordersOn(opposite(side))
    .filter((order) => (side === BID ? order.tick <= tick : order.tick >= tick));
  return conflicting.length > 1 ? conflicting.sort(byId) : conflicting;
}

/** Conflicts are refused, unless they may be cancelled and can be: an order in processing cannot. */
function checkConflicts(conflicting: readonly Order[], mayCancel: boolean): Verdict {
  if (conflicting.length === 0) return null;
  const canCancel = mayCancel && conflicting.every(({ status }) => status !== 'processing');
  return canCancel ? null : refuse('OrderBookConflictingOrders');
}

/** Whether the account can pay for the order, or holds the shares it sells. */
function checkFunds(
  order: Order,
  cost: number,
  replacing: Order | null,
  conflicting: readonly Order[],
): Verdict {
  const { owner, position, currency } = order;
  const freed = freedBy(replacing === null ? conflicting : [replacing], order);
  const isEnough =
    order.side === 'bid'
      ? cost <= owner.account.cash[currency] + freed
      : (owner.held(position, currency)?.free ?? 0) + freed >= Math.max(order.requested, 1);
  return isEnough ? null : refuse('UserNotEnoughBalance');
}

/** Cash or shares that an order needs and others have locked, which end before it is placed. */
function freedBy(others: readonly Order[], { side, position, currency }: Order): number {
  let freed = 0;
  for (const other of others) {
    if (other.side !== side || other.currency !== currency) continue;
    if (side === 'bid' || other.position === position) freed += other.locked;
  }
  return freed;
}
