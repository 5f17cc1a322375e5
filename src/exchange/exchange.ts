import type { AccountId, EventId, MarketId, OrderId, WagerId } from '../domain/ids.js';
import type { Micros, Money } from '../domain/units.js';
import type { CurrencyMode, Position, TimeInterval } from '../domain/vocabulary.js';
import { CAUTIOUS, type LiquidityModels } from '../venues/simulated/models/liquidity.js';
import { dispatch } from './commands/dispatch.js';
import { executeForeignMoment } from './commands/foreign.js';
import {
  type Creating,
  isCreating,
  isDuplicate,
  recordName,
  storeAnswer,
  storedAnswer,
} from './commands/repetition.js';
import type {
  AccountView,
  AuthorView,
  BookView,
  Command,
  CommandKind,
  EventQuery,
  EventView,
  EventList,
  EventWagerQuery,
  ExchangeConfig,
  ExchangeCore,
  ExchangeSnapshot,
  Executed,
  ForeignMoment,
  LedgerView,
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
import { SaidEvents } from './events/event-list.js';
import { catchUp, nextDue } from './expiry.js';
import { Floor } from './floor.js';
import { scheduleEventWindow } from './markets/lifecycle.js';
import { publishChanges } from './markets/publishing.js';
import { loadFloor, saveFloor } from './snapshot/exchange-state.js';
import { accountView, authorView } from './reads/account-reads.js';
import { readBook, readDepth, readQueuePlace } from './reads/book-reads.js';
import { eventView, listEvents } from './reads/event-reads.js';
import { readLedger } from './reads/ledger-reads.js';
import { listOrders, readOrder } from './reads/order-reads.js';
import { readPriceHistory } from './reads/price-reads.js';
import { listTrades } from './reads/trade-reads.js';
import { listEventWagers, listWagers, readWager } from './reads/wager-reads.js';

const DUPLICATED = { ok: false, refusal: { code: 'wager_action_duplicated' } } as const;

/** The bundled exchange: see {@link ExchangeCore}. */
export class Exchange implements ExchangeCore {
  private floor: Floor;

  /** @param liquidity how others' volume behaves towards our orders */
  constructor(config: ExchangeConfig, liquidity: LiquidityModels = CAUTIOUS) {
    this.floor = new Floor(config, liquidity);
    for (const event of this.floor.markets.events) scheduleEventWindow(this.floor, event);
  }

  /**
   * An exchange that goes on where another stood when its snapshot was taken.
   * @throws UsageError when the snapshot is of another format
   */
  static restore(snapshot: ExchangeSnapshot, liquidity: LiquidityModels = CAUTIOUS): Exchange {
    const floor = loadFloor(snapshot, liquidity);
    const exchange = new Exchange({ ...floor.config, events: [] }, liquidity);
    exchange.floor = floor;
    return exchange;
  }

  snapshot(): ExchangeSnapshot {
    return saveFloor(this.floor);
  }

  /** What it would have to be configured with to begin with the accounts, events and markets that there are now. */
  configuration(): ExchangeConfig {
    const { config, accounts, markets } = this.floor;
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
    this.floor.outbox.log.begin();
    this.advance(at);
    if (isCreating(command)) return this.create(command);
    return this.answer(dispatch(this.floor, command), false);
  }

  /** {@link execute} of what a recording consists of: it is no request, and nobody asks for its outcome. */
  happen(moment: ForeignMoment, at: Micros): EventList {
    this.floor.outbox.log.begin();
    this.advance(at);
    executeForeignMoment(this.floor, moment);
    publishChanges(this.floor);
    return new SaidEvents(this.floor);
  }

  private advance(at: Micros): void {
    const { floor } = this;
    const to = Math.max(at, floor.now) as Micros;
    const next = floor.due.next();
    if (next !== null && next <= to) catchUp(floor, to);
    floor.now = to;
  }

  private create(command: Creating): Executed<Creating['kind']> {
    const { floor } = this;
    const name = recordName(command);
    const stored = name === null ? null : storedAnswer(floor, name);
    if (stored !== null) return this.answer(stored, true);
    if (isDuplicate(floor, command)) return this.answer(DUPLICATED, false);
    const outcome = dispatch(floor, command);
    if (name !== null) storeAnswer(floor, name, outcome);
    return this.answer(outcome, false);
  }

  private answer<Kind extends CommandKind>(outcome: OutcomeOf[Kind], replayed: boolean): Executed<Kind> {
    publishChanges(this.floor);
    return { outcome, events: new SaidEvents(this.floor), replayed };
  }

  nextDue(): Micros | null {
    return nextDue(this.floor);
  }

  now(): Micros {
    return this.floor.now;
  }

  account(id: AccountId): AccountView | null {
    const account = this.floor.accounts.find(id);
    return account === null ? null : accountView(account);
  }

  author(id: AccountId): AuthorView | null {
    return authorView(this.floor, id);
  }

  orders(account: AccountId, query: OrderQuery): Page<OrderView> {
    return listOrders(this.floor, account, query);
  }

  order(account: AccountId, id: OrderId): OrderView | null {
    return readOrder(this.floor, account, id);
  }

  wagers(query: WagerQuery): Page<WagerView> {
    return listWagers(this.floor, query);
  }

  wager(id: WagerId, viewer: AccountId | null): WagerDetailView | null {
    return readWager(this.floor, id, viewer);
  }

  eventWagers(query: EventWagerQuery): readonly WagerView[] | null {
    return listEventWagers(this.floor, query);
  }

  book(market: MarketId, mode: CurrencyMode, position: Position, viewer: AccountId | null): BookView | null {
    return readBook(this.floor, { market, mode, position, viewer });
  }

  depth(market: MarketId, mode: CurrencyMode, viewer: AccountId | null): DepthView | null {
    return readDepth(this.floor, { market, mode, viewer });
  }

  queuePlace(market: MarketId, mode: CurrencyMode, order: OrderId): QueuePlace | null {
    return readQueuePlace(this.floor, { market, mode, order });
  }

  priceHistory(event: EventId, mode: CurrencyMode, interval: TimeInterval | null): PriceHistoryView | null {
    return readPriceHistory(this.floor, event, mode, interval);
  }

  events(query: EventQuery): Page<EventView> {
    return listEvents(this.floor, query);
  }

  event(id: EventId): EventView | null {
    const event = this.floor.markets.event(id);
    return event === null ? null : eventView(this.floor, event);
  }

  eventOf(id: MarketId): EventView | null {
    const market = this.floor.markets.market(id);
    return market === null ? null : eventView(this.floor, market.event);
  }

  rebates({ account, day, eventId }: RebateQuery): Money {
    return this.floor.rebates.total(account, day, eventId);
  }

  ledger(): LedgerView {
    return readLedger(this.floor);
  }

  trades(market: MarketId | null): readonly TradeRow[] {
    return listTrades(this.floor, market);
  }
}
