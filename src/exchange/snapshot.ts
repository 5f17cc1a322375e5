/** The whole exchange as plain JSON, and back. */
import { UsageError } from '../domain/errors.js';
import type { WagerId } from './contract/ids.js';
import type { LiquidityModels } from '../venues/simulated/models/liquidity.js';
import type { Account, BookAccount } from './accounts/accounts.js';
import { Wager } from './accounts/wagers.js';
import type { ExchangeSnapshot } from './contract.js';
import type { Book } from './markets/book.js';
import type { MarketRegistry } from './markets/market-registry.js';
import type { Market, VenueEvent } from './markets/markets.js';
import { State } from './state.js';

/** Changes whenever an older snapshot cannot be read any more. */
const FORMAT = 3;

type Saved = ReturnType<typeof saved>;
type Owner = ReturnType<typeof ownerOf>;

/** @param others whether the volume of others is kept, which takes a look at every price */
export const saveState = (state: State, others: 'kept' | 'left out'): ExchangeSnapshot =>
  saved(state, others);

function saved(state: State, others: 'kept' | 'left out') {
  const bookAccounts = state.markets.books.flatMap((book) => state.accounts.inBook(book));
  const working = bookAccounts.flatMap((owner) => owner.workingOrders()).sort((a, b) => a.id - b.id);
  return {
    format: FORMAT,
    config: { ...state.config, accounts: state.accounts.list.map(({ config }) => config), events: [] },
    now: state.now,
    accounts: state.accounts.list.map(({ cash, locked, safe }) => ({ cash, locked, safe })),
    deposits: state.deposits,
    events: state.markets.events.map((event) => savedEvent(event, state.markets)),
    books: state.markets.books.map((book) => savedBook(book, others)),
    /** Book by book, in order of first need. */
    bookAccounts: bookAccounts.map(savedBookAccount),
    lastOrderId: state.orders.lastId,
    /** Finished orders in the order in which they ended, then working ones by id. */
    orders: [...state.orders.finished, ...working].map(({ place: _, owner, ...order }) => ({
      ...order,
      owner: ownerOf(owner),
    })),
    lastActionId: state.wagers.lastActionId,
    wagers: state.wagers.list.map(savedWager),
    settlements: state.settlements,
    lastTradeId: state.lastTradeId,
    trades: [...state.trades],
    due: state.schedule.items(),
    lastCommentId: state.lastCommentId,
    comments: [...state.comments.values()],
    answers: [...state.repeats.answers],
    recent: [...state.repeats.recent],
    rebates: [...state.rebates.rows],
  };
}

/** An account, and a place among all books. */
const ownerOf = ({ account, book }: BookAccount) => ({ account: account.id, book: book.index });

function savedEvent(event: VenueEvent, markets: MarketRegistry) {
  const { config, status, isLive, extraData, resolvedAt, volume, wagers, histories } = event;
  return {
    config: { ...config, markets: [] },
    state: { status, isLive, extraData, resolvedAt, volume, wagers },
    histories: { play_money: histories.play_money.samples, real_money: histories.real_money.samples },
    markets: event.markets.map((market) => savedMarket(market, markets.both(market)[0]!.index)),
  };
}

/** @param firstBook place of its book in play money among all books, which is the order in which markets were added */
function savedMarket(market: Market, firstBook: number) {
  const { config, status, disabled, resolution, prices, ownBetEnd } = market;
  const own = ownBetEnd === undefined ? {} : { ownBetEnd };
  return { config, firstBook, state: { status, disabled, resolution, prices }, ...own };
}

const savedBook = (
  { ledger, published, foreign, waiting, lastTrade }: Book,
  others: 'kept' | 'left out',
) => ({
  ledger: ledger.amounts,
  published: published.save(),
  foreign: others === 'kept' ? foreign.save() : foreign.saveOwn(),
  waiting,
  lastTrade,
});

const savedBookAccount = (owner: BookAccount) => ({
  ...ownerOf(owner),
  flow: owner.flow,
  holdings: owner.holdings().map(({ position, currency, shares, locked, wager }) => ({
    position,
    currency,
    shares,
    locked,
    wager,
  })),
});

const savedWager = ({ id: _, holding, actions, ...figures }: Wager) => ({
  holding: { ...ownerOf(holding.owner), position: holding.position, currency: holding.currency },
  figures,
  actions: [...actions],
});

/** @throws UsageError when the snapshot is of another format */
export function loadState(snapshot: ExchangeSnapshot, liquidity: LiquidityModels): State {
  if (snapshot['format'] !== FORMAT) {
    throw new UsageError(
      `the snapshot has format ${String(snapshot['format'])}, this version reads ${FORMAT}`,
    );
  }
  // The snapshot may share objects with the exchange that it was taken of.
  const saved = structuredClone(snapshot) as unknown as Saved;
  const state = new State(saved.config, liquidity);
  state.now = saved.now;
  for (const [index, saidOf] of saved.accounts.entries()) {
    const account = Object.assign(state.accounts.list[index] as Account, saidOf);
    Object.assign(account.published, account.cash);
  }
  Object.assign(state.deposits, saved.deposits);
  loadMarkets(state, saved);
  loadAccounts(state, saved);
  loadRecords(state, saved);
  return state;
}

function loadMarkets({ markets }: State, { events, books }: Saved): void {
  for (const saved of events) {
    const event = Object.assign(markets.addEvent(saved.config), saved.state);
    event.histories.play_money.samples = [...saved.histories.play_money];
    event.histories.real_money.samples = [...saved.histories.real_money];
  }
  // Books are named by their place. A market may have joined an event after later events had begun.
  const inOrder = events.flatMap((event, at) => event.markets.map((market) => ({ market, at })));
  for (const { market, at } of inOrder.sort((one, other) => one.market.firstBook - other.market.firstBook)) {
    const { config, state, ownBetEnd } = market;
    Object.assign(markets.addMarket(markets.events[at]!, config), state, { ownBetEnd });
  }
  for (const [index, { ledger, published, foreign, waiting, lastTrade }] of books.entries()) {
    const book = markets.books[index] as Book;
    book.ledger.restore(ledger);
    book.published.load(published);
    book.foreign.load(foreign);
    book.waiting = [...waiting];
    book.lastTrade = lastTrade;
  }
}

function loadAccounts(state: State, saved: Saved): void {
  const find = ({ account, book }: Owner): BookAccount =>
    state.accounts.open(state.accounts.get(account), state.markets.books[book] as Book);
  for (const { flow, holdings, ...owner } of saved.bookAccounts) {
    const opened = find(owner);
    Object.assign(opened.flow, flow);
    for (const { position, currency, ...figures } of holdings)
      Object.assign(opened.holding(position, currency), figures, { published: figures.shares });
  }
  state.orders.lastId = saved.lastOrderId;
  for (const order of saved.orders) state.orders.load({ ...order, owner: find(order.owner), place: 0 });
  for (const { holding, figures } of saved.wagers) {
    const id = (state.wagers.list.length + 1) as WagerId;
    const held = find(holding).holding(holding.position, holding.currency);
    state.wagers.list.push(Object.assign(new Wager(id, held, figures.lastPurchase), figures));
  }
  loadActions(state, saved);
}

/** Actions of all wagers are forgotten in the order in which they happened. */
function loadActions({ wagers }: State, saved: Saved): void {
  wagers.lastActionId = saved.lastActionId;
  const actions = saved.wagers.flatMap(({ actions }, at) =>
    actions.map((action) => ({ action, wager: wagers.list[at] as Wager })),
  );
  for (const { wager, action } of actions.sort((a, b) => a.action.id - b.action.id))
    wagers.load(wager, action);
}

function loadRecords(state: State, saved: Saved): void {
  state.settlements = [...saved.settlements];
  state.lastTradeId = saved.lastTradeId;
  for (const trade of saved.trades) state.addTrade(trade);
  for (const item of saved.due) state.schedule.add(item);
  state.lastCommentId = saved.lastCommentId;
  for (const comment of saved.comments) state.comments.set(comment.commentId, comment);
  for (const [name, answer] of saved.answers) state.repeats.put(name, answer);
  for (const [content, at] of saved.recent) state.repeats.take(content, at);
  for (const [name, row] of saved.rebates) state.rebates.rows.set(name, row);
}
