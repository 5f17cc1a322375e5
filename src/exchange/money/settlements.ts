/**
 * Payout, refund and how to take them back, per book. A payout gives one unit per winning share. A refund gives back
 * every account's net cash flow, fees included (facts, "Trading rules"). Balances may go negative by a refund.
 */
import { PRICE_ONE } from '../../domain/units.js';
import { CURRENCIES } from '../../domain/vocabulary.js';
import type { Holding } from '../accounts/accounts.js';
import type { Wager } from '../accounts/wagers.js';
import type { Book } from '../markets/book.js';
import type { State } from '../state.js';
import { noAmounts, type BookSettlement } from './ledger.js';

/** Pays one unit for a long and a short share together. @param payout what a long share pays, in price units */
export function payOut(state: State, book: Book, payout: number): void {
  const ledger = book.ledger.copy();
  const held = openHoldings(state, book);
  const wagers = held.map((holding) => {
    const wager = state.wagers.of(holding);
    const before = stateOf(wager);
    const amount = (holding.position === 'long' ? payout : PRICE_ONE - payout) * holding.shares;
    state.wagers.payOut(wager, amount, state.now);
    return { wager: wager.id, before, amount };
  });
  const paid = noAmounts();
  const flows = held.map(({ owner, currency }, place) => {
    const amount = wagers[place]?.amount ?? 0;
    paid[currency] += amount;
    return { account: owner.account.id, currency, amount };
  });
  book.ledger.payOut(payout, paid);
  close(state, book, held, { book: book.index, flows, wagers, ledger });
}

/** Undoes every cash flow of the book. */
export function refund(state: State, book: Book): void {
  const ledger = book.ledger.copy();
  const held = openHoldings(state, book);
  const wagers = state.wagers.list
    .filter(({ holding }) => holding.owner.book === book)
    .map((wager) => {
      const before = stateOf(wager);
      const amount = wager.purchased + wager.fees - wager.received;
      state.wagers.refund(wager, amount, state.now);
      return { wager: wager.id, before, amount };
    });
  const flows = state.accounts
    .inBook(book)
    .flatMap(({ account, flow }) =>
      CURRENCIES.map((currency) => ({ account: account.id, currency, amount: -flow[currency] })),
    )
    .filter(({ amount }) => amount !== 0);
  book.ledger.clear();
  close(state, book, held, { book: book.index, flows, wagers, ledger });
}

/** Takes all settlements of a book back, the latest first, as if they had not been. */
export function takeBack(state: State, book: Book): void {
  const [own, others] = [
    settlementsOf(state, book),
    state.settlements.filter((one) => one.book !== book.index),
  ];
  state.settlements = others;
  for (const { ledger, flows, holdings, wagers } of own.reverse()) {
    book.ledger.restore(ledger);
    applyFlows(state, book, flows, -1);
    for (const { account, position, currency, shares } of holdings)
      setShares(
        state,
        state.accounts.open(state.accounts.get(account), book).holding(position, currency),
        shares,
      );
    for (const { wager, before, amount } of wagers) {
      const ended = state.wagers.find(wager);
      if (ended !== null) state.wagers.reverse(ended, before, amount, state.now);
    }
  }
}

/** Payouts and refunds of a book that were not taken back, oldest first. */
export const settlementsOf = ({ settlements }: State, book: Book): BookSettlement[] =>
  settlements.filter((settlement) => settlement.book === book.index);

/** Pays, empties the holdings and remembers what changed. */
function close(
  state: State,
  book: Book,
  held: readonly Holding[],
  settlement: Omit<BookSettlement, 'holdings'>,
): void {
  const holdings = held.map(({ owner, position, currency, shares }) => ({
    account: owner.account.id,
    position,
    currency,
    shares,
  }));
  applyFlows(state, book, settlement.flows, 1);
  for (const holding of held) setShares(state, holding, 0);
  state.settlements.push({ ...settlement, holdings });
}

const openHoldings = ({ accounts }: State, book: Book): Holding[] =>
  accounts
    .inBook(book)
    .flatMap((owner) => owner.holdings())
    .filter(({ shares }) => shares > 0);

const stateOf = ({ status, received, lastProfit }: Wager) => ({ status, received, lastProfit });

function applyFlows(state: State, book: Book, flows: BookSettlement['flows'], sign: 1 | -1): void {
  for (const { account: id, currency, amount } of flows) {
    if (amount === 0) continue;
    const account = state.accounts.get(id);
    state.outbox.touchCash(account);
    state.accounts.open(account, book).pay(currency, sign * amount);
  }
}

function setShares({ outbox }: State, holding: Holding, shares: number): void {
  outbox.touchShares(holding);
  holding.shares = shares;
}
