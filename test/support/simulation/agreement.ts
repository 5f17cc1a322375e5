/** What venue and bot must agree on when a run is over. */
import * as listed from '../../../src/exchange/contract/ids.js';
import { expect } from 'vitest';
import type { MarketId } from '../../../src/exchange/contract/ids.js';
import { complement } from '../../../src/domain/units.js';
import { bookSide } from '../../../src/domain/vocabulary.js';
import type { EngineView } from '../../../src/core/engine/observing/view.js';
import type { ListedOrderStatus, OrderView } from '../../../src/exchange/contract.js';
import { audit } from '../exchange/auditor.js';
import type { SimulatedBot } from './simulated-bot.js';
import { MAKER, type World } from './world.js';

const ACTIVE: readonly ListedOrderStatus[] = ['processing', 'open', 'partial_filled'];
const ALL = { limit: 100_000, offset: 0 };

/** Working orders of the maker at the venue. */
export const ordersAtVenue = ({ venue }: World): readonly OrderView[] =>
  ACTIVE.flatMap((status) => venue.exchange.orders(MAKER, { status, ...ALL }).results);

/** The books add up, nobody traded with himself, and both sides say the same of orders, holdings and cash. */
export function expectAgreement(world: World, bot: SimulatedBot): void {
  expect(bot.broken).toBeNull();
  expect(bot.faults).toEqual([]);
  audit(world.venue.exchange, { fees: world.exchangeSettings.fees, mayCross: false });
  expectNoSelfTrade(world);
  expect(quotesOf(bot.view)).toEqual(restingAt(world));
  expect(holdingsOf(bot.view)).toEqual(holdingsAt(world));
  expect(bot.view.balance.free).toBe(cashAt(world));
}

export function expectNoSelfTrade({ venue }: World): void {
  const own = venue.exchange.trades(null).filter((trade) => trade.takerAccount === trade.makerAccount);
  expect(own).toEqual([]);
}

const restingAt = (world: World): string[] =>
  ordersAtVenue(world)
    .map(({ marketId, side, position, price, shares, filled }) =>
      line(
        marketId,
        bookSide(side, position),
        position === 'long' ? price! : complement(price!),
        shares - filled,
      ),
    )
    .toSorted();

const quotesOf = (view: EngineView): string[] =>
  view.markets
    .flatMap(({ marketId, quotes }) =>
      quotes.map(({ side, price, shares }) => line(listed.marketId(marketId), side, price, shares)),
    )
    .toSorted();

const line = (market: MarketId, side: string, price: number, shares: number): string =>
  `${market} ${side} ${shares} at ${price}`;

function holdingsAt({ venue }: World): string[] {
  const [row] = venue.exchange
    .ledger()
    .accounts.filter(({ id, currency }) => id === MAKER && currency === 'OOM');
  return (row?.shares ?? [])
    .filter(({ shares }) => shares > 0)
    .map(({ marketId, position, shares }) => `${marketId} ${position} ${shares}`)
    .toSorted();
}

const holdingsOf = (view: EngineView): string[] =>
  view.markets
    .flatMap(({ marketId, inventory: { long, short } }) => [
      ...(long > 0 ? [`${marketId} long ${long}`] : []),
      ...(short > 0 ? [`${marketId} short ${short}`] : []),
    ])
    .toSorted();

function cashAt({ venue }: World): number {
  const row = venue.exchange.ledger().accounts.find(({ id, currency }) => id === MAKER && currency === 'OOM');
  return row?.cash ?? 0;
}
