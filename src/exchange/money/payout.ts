/**
 * Payout, refund and how to take them back, per book. A payout gives one unit per winning share. A refund gives back
 * every account's net cash flow, fees included (facts, "Trading rules"); balances may go negative by it.
 */
import { PRICE_ONE, type Money } from '../../domain/units.js';
import type { Book } from '../books/books.js';
import { CURRENCY_COUNT } from '../codes.js';
import type { Floor } from '../floor.js';
import type { BookSettlement } from './book-settlements.js';
import type { Holding, Stake } from './stakes.js';
import type { Wager, WagerState } from '../wagers/wager.js';

/** Pays one unit for each share of the winning position. @param winner code of the position */
export function payOut(floor: Floor, book: Book, winner: number): BookSettlement {
  const ledger = book.ledger.copy();
  const held = openHoldings(floor, book);
  const wagers = held.map(({ holding, shares }) => {
    const amount = holding.position === winner ? PRICE_ONE * shares : 0;
    return endWager(floor, floor.wagers.at(holding.wager), amount);
  });
  const flows = wagers.map(({ wager, amount }) => ({ ...accountOf(wager), amount }));
  book.ledger.payOut(winner, totals(flows));
  applyFlows(floor, flows, 1);
  for (const { holding } of held) setShares(floor, holding, 0);
  return { flows, holdings: held, wagers, ledger };
}

/** Undoes every cash flow of the book. */
export function refund(floor: Floor, book: Book): BookSettlement {
  const ledger = book.ledger.copy();
  const held = openHoldings(floor, book);
  const wagers = wagersOf(floor, book).map((wager) => undoWager(floor, wager));
  const flows = netFlows(floor, book);
  book.ledger.clear();
  applyFlows(floor, flows, 1);
  for (const { holding } of held) setShares(floor, holding, 0);
  return { flows, holdings: held, wagers, ledger };
}

/** Takes a settlement back, as if it had not been. The latest of a book first. */
export function takeBack(floor: Floor, book: Book, settlement: BookSettlement): void {
  book.ledger.restore(settlement.ledger);
  applyFlows(floor, settlement.flows, -1);
  for (const { holding, shares } of settlement.holdings) setShares(floor, holding, shares);
  for (const { wager, before, amount } of settlement.wagers) {
    floor.wagers.reverse(wager, before, amount, floor.now);
  }
}

const openHoldings = (floor: Floor, book: Book): { holding: Holding; shares: number }[] =>
  floor.stakes
    .ofBook(book)
    .flatMap((stake) => stake.allHoldings())
    .filter(({ shares }) => shares > 0)
    .map((holding) => ({ holding, shares: holding.shares }));

const wagersOf = (floor: Floor, book: Book): Wager[] =>
  floor.wagers.list.filter(({ holding }) => holding.stake.book === book);

function endWager(floor: Floor, wager: Wager, amount: number): BookSettlement['wagers'][number] {
  const before = stateOf(wager);
  floor.wagers.payOut(wager, amount, floor.now);
  return { wager, before, amount };
}

function undoWager(floor: Floor, wager: Wager): BookSettlement['wagers'][number] {
  const before = stateOf(wager);
  const amount = wager.purchased + wager.fees - wager.received;
  floor.wagers.refund(wager, amount, floor.now);
  return { wager, before, amount };
}

const stateOf = ({ status, received, lastProfit }: Wager): WagerState => ({ status, received, lastProfit });

const accountOf = ({ holding }: Wager): { stake: Stake; currency: number } => ({
  stake: holding.stake,
  currency: holding.currency,
});

/** What gives every stake back what it put in, and takes from it what it took out. */
function netFlows(floor: Floor, book: Book): BookSettlement['flows'] {
  return floor.stakes
    .ofBook(book)
    .flatMap((stake) =>
      Array.from(stake.flow, (flow, currency) => ({ stake, currency, amount: -flow })).filter(
        ({ amount }) => amount !== 0,
      ),
    );
}

function totals(flows: BookSettlement['flows']): Float64Array {
  const sums = new Float64Array(CURRENCY_COUNT);
  for (const { currency, amount } of flows) sums[currency] = (sums[currency] as number) + amount;
  return sums;
}

function applyFlows(floor: Floor, flows: BookSettlement['flows'], sign: 1 | -1): void {
  for (const { stake, currency, amount } of flows) {
    if (amount === 0) continue;
    floor.outbox.touchCash(stake.account);
    stake.pay(currency, (sign * amount) as Money);
  }
}

function setShares(floor: Floor, holding: Holding, shares: number): void {
  floor.outbox.touchShares(holding);
  holding.shares = shares;
}
