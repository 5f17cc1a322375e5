/** Balances and holdings, from REST answers. */
import { eventId, marketId } from '../../../../domain/ids.js';
import type { HoldingReport } from '../../../../domain/orders.js';
import type { Money } from '../../../../domain/units.js';
import type { Currency } from '../../../../domain/vocabulary.js';
import { readMoney, readShares } from '../decimals.js';
import { balanceRows, type BalanceRow } from '../rest/account.js';
import { nextOffset } from '../rest/pagination.js';
import { HELD_WAGER_STATUSES, wagerList, wagerPage, type Wager } from '../rest/wagers.js';
import { place, PlacementError, type Placed } from './placed.js';
import { currencyOf, readCurrency, readPosition } from './words.js';

/** Balances by currency, floored to the money grid; currencies that are not ours are left out. */
export const readBalances = (received: unknown): Placed<ReadonlyMap<Currency, Money>> =>
  place(balanceRows, received, (rows) => new Map(rows.flatMap(balanceEntry)));

function balanceEntry(row: BalanceRow): readonly (readonly [Currency, Money])[] {
  const currency = currencyOf(row.currency);
  return currency === null ? [] : [[currency, readMoney(row.amount, `balance of ${currency}`, 'floor')]];
}

/** One page of `GET /wagers/` and where the next begins. */
export interface HoldingListing {
  readonly holdings: readonly HoldingReport[];
  readonly total: number;
  readonly nextOffset: number | null;
}

/** Wagers that hold shares, those in a disabled market among them; those sold or settled hold none any more. */
export const readWagerPage = (received: unknown): Placed<HoldingListing> =>
  place(wagerPage, received, (page) => ({
    holdings: page.results.filter(isHeld).map(readHolding),
    total: page.pagination.total,
    nextOffset: nextOffset(page.pagination),
  }));

/** The bare array of `GET /events/{id}/wagers/`. */
export const readEventWagers = (received: unknown): Placed<readonly HoldingReport[]> =>
  place(wagerList, received, (wagers) => wagers.filter(isHeld).map(readHolding));

const isHeld = ({ status }: Wager): boolean => HELD_WAGER_STATUSES.includes(status);

const readHolding = (wire: Wager): HoldingReport => ({
  marketId: marketId(idOfReference(wire.market, 'market')),
  eventId: eventId(idOfReference(wire.event, 'event')),
  position: readPosition(wire.position, 'position'),
  currency: readCurrency(wire.currency, 'currency'),
  shares: readShares(wire.shares, 'shares', 'floor'),
  purchasesAmount: wire.purchases_amount ?? null,
});

/** `https://api.example.org/markets/2231/` and plain `2231` are both 2231. */
function idOfReference(reference: string, field: string): number {
  const digits = /(?:^|\/)(\d{1,15})\/?$/.exec(reference)?.[1];
  if (digits === undefined)
    throw new PlacementError(`${field}: no id in ${JSON.stringify(reference.slice(0, 64))}`);
  return Number(digits);
}
