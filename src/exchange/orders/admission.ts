import type { Account } from '../money/accounts.js';
import { checkAccount } from '../checks/account-checks.js';
import { checkConflicts, findConflicts } from '../checks/conflicts.js';
import { checkFunds } from '../checks/funds.js';
import { checkMarket } from '../checks/market-checks.js';
import { refuseField, type Verdict } from '../checks/refusals.js';
import { sizeOrder } from '../checks/sizing.js';
import { currencyCode, modeOfCurrency, positionCode, sideCode } from '../codes.js';
import type { OrderRequest } from '../contract.js';
import type { Floor } from '../floor.js';
import type { Market } from '../markets/markets.js';
import type { BookSide } from '../matching/index.js';

/**
 * Holds an order against every rule in the order of the facts: account, market, order. Nothing changes yet.
 * @param replacing row of the order it is to replace, whose lock counts as free; 0: none
 * @returns null: it is admitted and stands in the floor's ticket until the next one is asked for
 */
export function admit(floor: Floor, account: Account, request: OrderRequest, replacing: number): Verdict {
  const market = floor.markets.market(request.marketId);
  if (market === null) return checkAccount(account, request.currency) ?? unknownMarket(request);
  const refused = checkAccount(account, request.currency) ?? checkMarket(market, request, floor.now);
  if (refused !== null) return refused;
  fillIn(floor, market, request, replacing);
  return sizeOrder(floor, account, request) ?? checkClaims(floor, account, request);
}

const unknownMarket = ({ marketId }: OrderRequest): Verdict =>
  refuseField('market', `There is no market ${marketId}.`);

function fillIn({ ticket, markets }: Floor, market: Market, request: OrderRequest, replacing: number): void {
  ticket.side = sideCode(request.side);
  ticket.position = positionCode(request.position);
  ticket.currency = currencyCode(request.currency);
  ticket.bookSide = (ticket.side ^ ticket.position) as BookSide;
  ticket.book = markets.book(market, modeOfCurrency(ticket.currency));
  ticket.expiresAt = request.expiresAt;
  ticket.replacing = replacing;
}

function checkClaims({ ticket, stakes, orders }: Floor, account: Account, request: OrderRequest): Verdict {
  ticket.stake = stakes.at(account, ticket.book);
  findConflicts(orders, ticket);
  return checkConflicts(orders, ticket.conflicting, request.cancelConflicting) ?? checkFunds(orders, ticket);
}
