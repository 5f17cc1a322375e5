import type { Account } from '../accounts.js';
import { checkAccount } from '../checks/account-checks.js';
import { checkConflicts, conflicts } from '../checks/conflicts.js';
import { checkFunds, type Claim } from '../checks/funds.js';
import { checkMarket } from '../checks/market-checks.js';
import { refuseField } from '../checks/refusals.js';
import { isSizing, sizeOrder } from '../checks/sizing.js';
import { currencyCode, modeOfCurrency, positionCode, sideCode } from '../codes.js';
import type { OrderRefusal, OrderRequest } from '../contract.js';
import type { Floor } from '../floor.js';
import type { Market } from '../markets.js';
import type { BookSide } from '../matching/index.js';

/** An order that passed every check; nothing has changed yet. */
export interface Admission extends Claim {
  readonly request: OrderRequest;
  /** Own orders to cancel before it is placed. */
  readonly conflicting: readonly number[];
}

export const isAdmitted = (result: Admission | OrderRefusal): result is Admission => 'sizing' in result;

/**
 * Holds an order against every rule in the order of the facts: account, market, order.
 * @param replacing row of the order it is to replace, whose lock counts as free; 0: none
 */
export function admit(
  floor: Floor,
  account: Account,
  request: OrderRequest,
  replacing: number,
): Admission | OrderRefusal {
  const market = floor.markets.market(request.marketId);
  const refused = checkAccount(account, request.currency) ?? checkListed(floor, market, request);
  if (refused !== null || market === null) return refused ?? unknownMarket(request);
  return admitSized(floor, account, market, request, replacing);
}

const unknownMarket = ({ marketId }: OrderRequest): OrderRefusal =>
  refuseField('market', `There is no market ${marketId}.`);

const checkListed = (floor: Floor, market: Market | null, request: OrderRequest): OrderRefusal | null =>
  market === null ? unknownMarket(request) : checkMarket(market, request, floor.now);

function admitSized(
  floor: Floor,
  account: Account,
  market: Market,
  request: OrderRequest,
  replacing: number,
): Admission | OrderRefusal {
  const side = sideCode(request.side);
  const position = positionCode(request.position);
  const currency = currencyCode(request.currency);
  const bookSide = (side ^ position) as BookSide;
  const book = floor.markets.book(market, modeOfCurrency(currency));
  const sizing = sizeOrder(request, { book, bookSide, position }, floor.now);
  if (!isSizing(sizing)) return sizing;
  const stake = floor.stakes.at(account, book);
  const conflicting = conflicts(floor.orders, stake.facing(bookSide), sizing.tick);
  const freed = replacing === 0 ? conflicting : [replacing];
  const admission = { request, stake, side, position, currency, bookSide, sizing, freed, conflicting };
  return (
    checkConflicts(floor.orders, conflicting, request.cancelConflicting) ??
    checkFunds(floor.orders, admission) ??
    admission
  );
}
