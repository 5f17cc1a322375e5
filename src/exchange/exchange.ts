import type { AccountId, EventId, MarketId, OrderId, WagerId } from './contract/ids.js';
import type { Micros, Money } from '../domain/units.js';
import type { CurrencyMode, Position, TimeInterval } from '../domain/vocabulary.js';
import { CAUTIOUS, type LiquidityModels } from '../venues/simulated/models/liquidity.js';
import { dispatch } from './commands/dispatch.js';
import type {
  AccountView,
  AuthorView,
  BookView,
  Command,
  CommandKind,
  EventQuery,
  EventView,
  EventWagerQuery,
  ExchangeConfig,
  ExchangeCore,
  ExchangeSnapshot,
  Executed,
  LedgerView,
  MarketView,
  OrderQuery,
  OrderView,
  OutcomeOf,
  Page,
  PriceHistoryView,
  RebateQuery,
  TradeRow,
  WagerDetailView,
  WagerQuery,
  WagerView,
  DepthView,
  QueuePlace,
} from './contract.js';
import { nextDue, passTime } from './due.js';
import { scheduleEventWindow } from './markets/lifecycle.js';
import { accountView, authorView, listTrades, readLedger } from './reads/accounts.js';
import { readBook, readDepth, readQueuePlace } from './reads/books.js';
import { eventView, listEvents, marketView, readPriceHistory } from './reads/events.js';
import { listOrders, readOrder } from './reads/orders.js';
import { listEventWagers, listWagers, readWager } from './reads/wagers.js';
import { type Creating, isCreating } from './repetition.js';
import { loadState, saveState } from './snapshot.js';
import { State } from './state.js';

const DUPLICATED = { ok: false, refusal: { code: 'wager_action_duplicated' } } as const;

/** The bundled exchange: see {@link ExchangeCore}. */
export class Exchange implements ExchangeCore {
  private state: State;

  /** @param liquidity how others' volume behaves towards our orders */
  constructor(config: ExchangeConfig, liquidity: LiquidityModels = CAUTIOUS) {
    this.state = new State(config, liquidity);
    for (const event of this.state.markets.events) scheduleEventWindow(this.state, event);
  }

  /**
   * An exchange that goes on where another stood when its snapshot was taken.
   * @throws UsageError when the snapshot is of another format
   */
  static restore(snapshot: ExchangeSnapshot, liquidity: LiquidityModels = CAUTIOUS): Exchange {
    const state = loadState(snapshot, liquidity);
    const exchange = new Exchange({ ...state.config, events: [] }, liquidity);
    exchange.state = state;
    return exchange;
  }

  snapshot(): ExchangeSnapshot {
    return saveState(this.state);
  }

  /** The configuration of a new exchange with the accounts, events and markets of this one. */
  configuration(): ExchangeConfig {
    const { config, accounts, markets } = this.state;
    return {
      ...config,
      accounts: accounts.list.map((account) => account.config),
      events: markets.events.map((event) => ({
        ...event.config,
        markets: event.markets.map((market) => market.config),
      })),
    };
  }

  execute<C extends Command>(command: C, at: Micros): Executed<C['kind']> {
    const { state } = this;
    passTime(state, Math.max(at, state.now) as Micros);
    if (isCreating(command)) return this.create(command);
    return this.answer(dispatch(state, command), false);
  }

  private create(command: Creating): Executed<Creating['kind']> {
    const { repeats, now } = this.state;
    const stored = repeats.find(command, now);
    if (stored !== null) return this.answer(stored, true);
    if (repeats.isDuplicate(command, now)) return this.answer(DUPLICATED, false);
    const outcome = dispatch(this.state, command);
    repeats.store(command, outcome, now);
    return this.answer(outcome, false);
  }

  private answer<Kind extends CommandKind>(outcome: OutcomeOf[Kind], replayed: boolean): Executed<Kind> {
    return { outcome, events: this.state.outbox.take(this.state), replayed };
  }

  nextDue(): Micros | null {
    return nextDue(this.state);
  }

  now(): Micros {
    return this.state.now;
  }

  account(id: AccountId): AccountView | null {
    const account = this.state.accounts.find(id);
    return account === null ? null : accountView(account);
  }

  author(id: AccountId): AuthorView | null {
    return authorView(this.state, id);
  }

  orders(account: AccountId, query: OrderQuery): Page<OrderView> {
    return listOrders(this.state, account, query);
  }

  order(account: AccountId, id: OrderId): OrderView | null {
    return readOrder(this.state, account, id);
  }

  wagers(query: WagerQuery): Page<WagerView> {
    return listWagers(this.state, query);
  }

  wager(id: WagerId, viewer: AccountId | null): WagerDetailView | null {
    return readWager(this.state, id, viewer);
  }

  eventWagers(query: EventWagerQuery): readonly WagerView[] | null {
    return listEventWagers(this.state, query);
  }

  book(market: MarketId, mode: CurrencyMode, position: Position, viewer: AccountId | null): BookView | null {
    return readBook(this.state, { market, mode, position, viewer });
  }

  depth(market: MarketId, mode: CurrencyMode, viewer: AccountId | null): DepthView | null {
    return readDepth(this.state, { market, mode, viewer });
  }

  queuePlace(market: MarketId, mode: CurrencyMode, order: OrderId): QueuePlace | null {
    return readQueuePlace(this.state, { market, mode, order });
  }

  priceHistory(event: EventId, mode: CurrencyMode, interval: TimeInterval | null): PriceHistoryView | null {
    return readPriceHistory(this.state, event, mode, interval ?? undefined);
  }

  events(query: EventQuery): Page<EventView> {
    return listEvents(this.state, query);
  }

  event(id: EventId): EventView | null {
    const event = this.state.markets.event(id);
    return event === null ? null : eventView(this.state, event);
  }

  market(id: MarketId): MarketView | null {
    const market = this.state.markets.market(id);
    return market === null ? null : marketView(this.state, market);
  }

  rebates({ account, day, eventId }: RebateQuery): Money {
    return this.state.rebates.total(account, day, eventId);
  }

  ledger(): LedgerView {
    return readLedger(this.state);
  }

  trades(market: MarketId | null): readonly TradeRow[] {
    return listTrades(this.state, market);
  }
}
