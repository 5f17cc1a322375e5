/** The whole exchange as plain JSON, and back. */
import { UsageError } from '../domain/errors.js';
import type { AccountId, OrderId, WagerId } from './contract/ids.js';
import type { Micros, PriceUnits } from '../domain/units.js';
import type { LiquidityModels } from '../venues/simulated/models/liquidity.js';
import type { Account, BookAccount, Holding, Order } from './accounts/accounts.js';
import { Wager } from './accounts/wagers.js';
import type {
  EventConfig,
  ExchangeConfig,
  ExchangeSnapshot,
  MarketCommentEvent,
  MarketConfig,
  TradeEvent,
  WagerActionView,
} from './contract.js';
import type { Book } from './markets/book.js';
import type { SavedForeignBook } from './markets/foreign-book.js';
import type { MarketRegistry } from './markets/market-registry.js';
import type { Market, VenueEvent } from './markets/markets.js';
import type { PriceSample } from './markets/price-history.js';
import type { SavedPublishedBook } from './markets/published-book.js';
import type { RebateRow } from './money/fees.js';
import type { Amounts, BookSettlement, LedgerAmounts } from './money/ledger.js';
import type { StoredAnswer } from './repetition.js';
import type { DueItem } from './schedule.js';
import { State } from './state.js';

/** Changes whenever an older snapshot cannot be read any more. */
const FORMAT = 2;

/** A place among all books, and an account in it. */
interface Owner {
  readonly account: AccountId;
  readonly book: number;
}

interface SavedMarket {
  readonly config: MarketConfig;
  /** Place of its book in play money among all books, which is the order in which markets were added. */
  readonly firstBook: number;
  readonly state: Pick<Market, 'status' | 'disabled' | 'resolution' | 'prices'>;
  /** Absent: the market has no bet end of its own. */
  readonly ownBetEnd?: Micros | null;
}

interface SavedEvent {
  readonly config: EventConfig;
  readonly state: Pick<VenueEvent, 'status' | 'isLive' | 'extraData' | 'resolvedAt' | 'volume' | 'wagers'>;
  readonly histories: Readonly<Record<'play_money' | 'real_money', readonly PriceSample[]>>;
  readonly markets: readonly SavedMarket[];
}

interface SavedBook {
  readonly ledger: LedgerAmounts;
  readonly published: SavedPublishedBook;
  readonly foreign: SavedForeignBook;
  readonly waiting: readonly OrderId[];
  readonly lastTrade: PriceUnits | null;
}

interface SavedBookAccount extends Owner {
  readonly flow: Amounts;
  readonly holdings: readonly Pick<Holding, 'position' | 'currency' | 'shares' | 'locked' | 'wager'>[];
}

type SavedOrder = Omit<Order, 'owner' | 'place'> & { readonly owner: Owner };

interface SavedWager {
  readonly holding: Owner & Pick<Holding, 'position' | 'currency'>;
  readonly figures: Omit<Wager, 'id' | 'holding' | 'actions'>;
  readonly actions: readonly WagerActionView[];
}

interface SavedExchange {
  readonly format: number;
  readonly config: ExchangeConfig;
  readonly now: Micros;
  readonly accounts: readonly Pick<Account, 'cash' | 'locked' | 'safe'>[];
  readonly deposits: Amounts;
  readonly events: readonly SavedEvent[];
  readonly books: readonly SavedBook[];
  /** Book by book, in order of first need. */
  readonly bookAccounts: readonly SavedBookAccount[];
  readonly lastOrderId: number;
  /** Finished orders in the order in which they ended, then working ones by id. */
  readonly orders: readonly SavedOrder[];
  readonly lastActionId: number;
  readonly wagers: readonly SavedWager[];
  readonly settlements: readonly BookSettlement[];
  readonly lastTradeId: number;
  readonly trades: readonly TradeEvent[];
  readonly due: readonly DueItem[];
  readonly lastCommentId: number;
  readonly comments: readonly MarketCommentEvent[];
  readonly answers: readonly (readonly [string, StoredAnswer])[];
  readonly recent: readonly (readonly [string, Micros])[];
  readonly rebates: readonly (readonly [string, RebateRow])[];
}

export function saveState(state: State): ExchangeSnapshot {
  const bookAccounts = state.markets.books.flatMap((book) => state.accounts.inBook(book));
  const working = bookAccounts.flatMap((owner) => owner.workingOrders()).sort((a, b) => a.id - b.id);
  const saved: SavedExchange = {
    format: FORMAT,
    config: { ...state.config, accounts: state.accounts.list.map(({ config }) => config), events: [] },
    now: state.now,
    accounts: state.accounts.list.map(({ cash, locked, safe }) => ({ cash, locked, safe })),
    deposits: state.deposits,
    events: state.markets.events.map((event) => saveEvent(event, state.markets)),
    books: state.markets.books.map(saveBook),
    bookAccounts: bookAccounts.map(saveBookAccount),
    lastOrderId: state.orders.lastId,
    orders: [...state.orders.finished, ...working].map(({ place: _, owner, ...order }) => ({
      ...order,
      owner: ownerOf(owner),
    })),
    lastActionId: state.wagers.lastActionId,
    wagers: state.wagers.list.map(saveWager),
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
  return { ...saved };
}

const ownerOf = ({ account, book }: BookAccount): Owner => ({ account: account.id, book: book.index });

function saveEvent(event: VenueEvent, markets: MarketRegistry): SavedEvent {
  const { config, status, isLive, extraData, resolvedAt, volume, wagers, histories } = event;
  return {
    config: { ...config, markets: [] },
    state: { status, isLive, extraData, resolvedAt, volume, wagers },
    histories: { play_money: histories.play_money.samples, real_money: histories.real_money.samples },
    markets: event.markets.map((market) => saveMarket(market, markets.both(market)[0]!.index)),
  };
}

function saveMarket(market: Market, firstBook: number): SavedMarket {
  const { config, status, disabled, resolution, prices, ownBetEnd } = market;
  const state = { status, disabled, resolution, prices };
  return ownBetEnd === undefined ? { config, firstBook, state } : { config, firstBook, state, ownBetEnd };
}

const saveBook = ({ ledger, published, foreign, waiting, lastTrade }: Book): SavedBook => ({
  ledger: ledger.amounts,
  published: published.save(),
  foreign: foreign.save(),
  waiting,
  lastTrade,
});

const saveBookAccount = (owner: BookAccount): SavedBookAccount => ({
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

const saveWager = ({ id: _, holding, actions, ...figures }: Wager): SavedWager => ({
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
  const saved = structuredClone(snapshot) as unknown as SavedExchange;
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

function loadMarkets({ markets }: State, { events, books }: SavedExchange): void {
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

function loadAccounts(state: State, saved: SavedExchange): void {
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
function loadActions({ wagers }: State, saved: SavedExchange): void {
  wagers.lastActionId = saved.lastActionId;
  const actions = saved.wagers.flatMap(({ actions }, at) =>
    actions.map((action) => ({ action, wager: wagers.list[at] as Wager })),
  );
  for (const { wager, action } of actions.sort((a, b) => a.action.id - b.action.id))
    wagers.load(wager, action);
}

function loadRecords(state: State, saved: SavedExchange): void {
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
