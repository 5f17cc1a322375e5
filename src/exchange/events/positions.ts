import type { WagerId } from '../../domain/ids.js';
import type { Money, Shares } from '../../domain/units.js';
import { currencyOf, positionAt } from '../codes.js';
import type { PositionUpdateEvent } from '../contract.js';
import type { Floor } from '../floor.js';
import type { Holding } from '../money/stakes.js';
import { POSITION_UPDATE } from './event-log.js';

const ACCOUNT = 0;
const BOOK = 1;
const WAGER = 2;
const POSITION = 3;
const CURRENCY = 4;
const SHARES = 5;
const COST = 6;
const CELLS = 7;

/** Says what a holding has become. */
export function sayPosition(floor: Floor, holding: Holding): void {
  const { log } = floor.outbox;
  const { stake, shares } = holding;
  const wager = floor.wagers.at(holding.wager);
  const start = log.open(POSITION_UPDATE, CELLS);
  const { cells } = log;
  cells[start + ACCOUNT] = stake.account.index;
  cells[start + BOOK] = stake.book.index;
  cells[start + WAGER] = wager.id;
  cells[start + POSITION] = holding.position;
  cells[start + CURRENCY] = holding.currency;
  cells[start + SHARES] = shares;
  cells[start + COST] = shares === 0 ? 0 : wager.cost;
}

export function readPosition(floor: Floor, start: number): PositionUpdateEvent {
  const { cells } = floor.outbox.log;
  const { market } = floor.markets.bookAt(cells[start + BOOK] as number);
  return {
    kind: 'position-update',
    account: floor.accounts.at(cells[start + ACCOUNT] as number).id,
    wagerId: cells[start + WAGER] as WagerId,
    marketId: market.id,
    eventId: market.event.id,
    position: positionAt(cells[start + POSITION] as number),
    currency: currencyOf(cells[start + CURRENCY] as number),
    shares: cells[start + SHARES] as Shares,
    purchasesAmount: cells[start + COST] as Money,
  };
}
