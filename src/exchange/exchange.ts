import type { AccountId, EventId, MarketId, OrderId, WagerId } from './contract/ids.js';
import type { Micros, Money } from '../domain/units.js';
import type { Currency, CurrencyMode, Position, TimeInterval } from '../domain/vocabulary.js';
import { CAUTIOUS, type LiquidityModels } from '../venues/simulated/models/liquidity.js';
import type * as contract from './contract.js';
import type {
  Command,
  CommandKind,
  ExchangeConfig,
  ExchangeSnapshot,
  Executed,
  Page,
  OutcomeOf,
} from './contract.js';
import { nextDue, passTime, scheduleEventWindow } from './markets/lifecycle.js';
import { accountView, authorView, listTrades, readHolding, readLedger } from './reads/accounts.js';
import { readBook, readDepth, readQueuePlace } from './reads/books.js';
import { eventView, listEvents, marketView, readPriceHistory } from './reads/events.js';
import { listOrders, readOrder } from './reads/orders.js';
import { listEventWagers, listWagers, readWager } from './reads/wagers.js';
import { type Creating, isCreating } from './repetition.js';
import { loadState, saveState } from './snapshot.js';
import { State } from './state.js';
import * as admin from './commands/admin.js';
import * as foreign from './commands/foreign.js';
import * as orders from './commands/orders.js';

const DUPLICATED = { ok: false, refusal: { code: 'wager_action_duplicated' } } as const;

/** The bundled exchange. It is deterministic: the same commands at the same times give the same answers and events. */
export class Exchange {
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

  /**
   * The whole state, for {@link restore}. Valid until the next command, which may change what it refers to.
   * @param others volume of others that a recording states; `left out`: books go on without it
   */
  snapshot(others: 'kept' | 'left out' = 'kept'): ExchangeSnapshot {
    return saveState(this.state, others);
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

  /**
   * Does everything due up to `at`, then the command. All or nothing.
   * @param at never before an earlier one; an earlier time counts as the latest seen
   * @throws InvariantError when books and ledger disagree (a bug)
   */
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

  private answer<Kind extends CommandKind>(
    outcome: contract.OutcomeOf[Kind],
    replayed: boolean,
  ): Executed<Kind> {
    return { outcome, events: this.state.outbox.take(this.state), replayed };
  }

  /** When `advance-time` is needed next; null: nothing is pending. */
  nextDue(): Micros | null {
    return nextDue(this.state);
  }

  /** The latest time seen. */
  now(): Micros {
    return this.state.now;
  }

  account(id: AccountId): contract.AccountView | null {
    const account = this.state.accounts.find(id);
    return account === null ? null : accountView(account);
  }

  /** What an account holds of one position. null: nothing yet. */
  holding(
    account: AccountId,
    market: MarketId,
    position: Position,
    currency: Currency,
  ): contract.HoldingView | null {
    return readHolding(this.state, { account, market, position, currency });
  }

  author(id: AccountId): contract.AuthorView | null {
    return authorView(this.state, id);
  }

  orders(account: AccountId, query: contract.OrderQuery): Page<contract.OrderView> {
    return listOrders(this.state, account, query);
  }

  /** null: unknown, or another account's. */
  order(account: AccountId, id: OrderId): contract.OrderView | null {
    return readOrder(this.state, account, id);
  }

  wagers(query: contract.WagerQuery): Page<contract.WagerView> {
    return listWagers(this.state, query);
  }

  /** null: unknown, or neither the viewer's nor public. */
  wager(id: WagerId, viewer: AccountId | null): contract.WagerDetailView | null {
    return readWager(this.state, id, viewer);
  }

  /** null: unknown event. */
  eventWagers(query: contract.EventWagerQuery): readonly contract.WagerView[] | null {
    return listEventWagers(this.state, query);
  }

  /** All levels. null: unknown market. */
  book(
    market: MarketId,
    mode: CurrencyMode,
    position: Position,
    viewer: AccountId | null,
  ): contract.BookView | null {
    return readBook(this.state, { market, mode, position, viewer });
  }

  /**
   * What the viewer could trade against at once: published levels without own orders and without levels that a recording
   * no longer shows. null: unknown market.
   */
  depth(market: MarketId, mode: CurrencyMode, viewer: AccountId | null): contract.DepthView | null {
    return readDepth(this.state, { market, mode, viewer });
  }

  /** Where an order stands in the queue of its price. null: it does not rest in this market. */
  queuePlace(market: MarketId, mode: CurrencyMode, order: OrderId): contract.QueuePlace | null {
    return readQueuePlace(this.state, { market, mode, order });
  }

  /** null: unknown event. @param interval null: everything there is, reported as `all_time` */
  priceHistory(
    event: EventId,
    mode: CurrencyMode,
    interval: TimeInterval | null,
  ): contract.PriceHistoryView | null {
    return readPriceHistory(this.state, event, mode, interval ?? undefined);
  }

  events(query: contract.EventQuery): Page<contract.EventView> {
    return listEvents(this.state, query);
  }

  event(id: EventId): contract.EventView | null {
    const event = this.state.markets.event(id);
    return event === null ? null : eventView(this.state, event);
  }

  market(id: MarketId): contract.MarketView | null {
    const market = this.state.markets.market(id);
    return market === null ? null : marketView(this.state, market);
  }

  /** Maker rebates credited in real money, at par. */
  rebates({ account, day, eventId }: contract.RebateQuery): Money {
    return this.state.rebates.total(account, day, eventId);
  }

  ledger(): contract.LedgerView {
    return readLedger(this.state);
  }

  /** Oldest first. @param market null: all markets */
  trades(market: MarketId | null): readonly contract.TradeRow[] {
    return listTrades(this.state, market);
  }
}

/** What users of an exchange see of it. */
export type ExchangeCore = Pick<Exchange, keyof Exchange>;

/** One handler per command, so that a forgotten one does not compile. */
type Handlers = {
  readonly [C in Command as C['kind']]: (state: State, command: C) => OutcomeOf[C['kind']];
};

const HANDLERS: Handlers = {
  'place-order': orders.executePlaceOrder,
  'place-batch': orders.executePlaceBatch,
  'update-batch': orders.executeUpdateBatch,
  'cancel-order': orders.executeCancelOrder,
  'cancel-batch': orders.executeCancelBatch,
  'cancel-all': orders.executeCancelAll,
  'register-safe': admin.executeRegisterSafe,
  'advance-time': () => ({ ok: true }),
  'add-account': admin.executeAddAccount,
  'add-event': admin.executeAddEvent,
  'add-market': admin.executeAddMarket,
  'set-event-status': admin.executeSetEventStatus,
  'set-market-status': admin.executeSetMarketStatus,
  'resolve-event': admin.executeResolveEvent,
  'reverse-event': admin.executeReverseEvent,
  'set-live': admin.executeSetLive,
  deposit: admin.executeDeposit,
  'post-comment': admin.executePostComment,
  'send-test-event': admin.executeTestEvent,
  'set-foreign-book': foreign.executeSetForeignBook,
  'foreign-print': foreign.executeForeignPrint,
  'foreign-moment': foreign.executeForeignMoment,
  'foreign-order': foreign.executeForeignOrder,
};

/** Runs the handler of a command. The table's type says that handler and outcome belong to the command's kind. */
function dispatch<C extends Command>(state: State, command: C): OutcomeOf[C['kind']] {
  const handler = HANDLERS[command.kind] as (state: State, command: Command) => unknown;
  return handler(state, command) as OutcomeOf[C['kind']];
}
