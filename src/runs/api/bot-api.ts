/** The local API of one bot: reads its engine between two steps, and carries out what a person asks for. */
import type { EngineView, MarketStateView } from '../../core/engine/observing/view.js';
import type { OwnOrder } from '../../core/execution/orders/own-order.js';
import { eventId, type MarketId, marketId } from '../../domain/ids.js';
import { currencyUnits, probability, wholeShares } from '../../domain/units.js';
import type {
  Action,
  ActionAnswer,
  AlarmJson,
  BotApi,
  ConfigJson,
  DecisionJson,
  EventJson,
  FillsJson,
  HistoryPointJson,
  MarketJson,
  MarketRowJson,
  OrderJson,
  PositionJson,
  ProfitPointJson,
  StatusJson,
} from '../../ops/http/contract.js';
import type { Readiness } from '../../ops/http/listener.js';
import type { BotSettings, Loaded, VenueSettings } from '../../settings/index.js';
import { Curve } from './curve.js';
import { configView } from './config-view.js';
import { Actions, type ActionsOptions } from './actions.js';
import { decisionJson, eventLine, fillJson, marketJson, marketRow, orderJson, pauseJson } from './json.js';
import type { Recent } from './recent.js';

export interface BotApiOptions extends Loaded<BotSettings>, ActionsOptions {
  readonly recent: Recent;
  /** What is in force. */
  readonly inUse: () => Loaded<BotSettings>;
  readonly venue: VenueSettings;
  readonly account: string;
  readonly runId: string;
  readonly readiness: (view: EngineView) => Readiness;
}

const RECENT_OF_MARKET = 50;
const MOST_POINTS = 2_000;
const PROFIT_EVERY_MS = 1_000;

export class LiveApi implements BotApi {
  readonly #options: BotApiOptions;
  readonly #actions: Actions;
  readonly #startedAt: number;
  readonly #profit = new Curve<ProfitPointJson>(MOST_POINTS, PROFIT_EVERY_MS);

  constructor(options: BotApiOptions) {
    this.#options = options;
    this.#actions = new Actions(options);
    this.#startedAt = this.#now();
  }

  status(): StatusJson {
    const { settings, venue, account, runId, engine, readiness } = this.#options;
    const view = engine.view();
    const now = this.#now();
    const { markets, counts } = view;
    return {
      mode: settings.mode === 'paper' ? 'PAPER' : settings.venue === null ? 'DEMO' : 'LIVE',
      venue: venue.name,
      account,
      currency: view.currency,
      currencyMode: view.mode,
      runId,
      pid: process.pid,
      startedAt: this.#startedAt,
      now,
      uptimeMs: now - this.#startedAt,
      phase: view.phase,
      connection: view.connection,
      ...readiness(view),
      killed: view.killed,
      profit: { [view.currency]: currencyUnits(view.profit) },
      balance: {
        total: view.balance.total === null ? null : currencyUnits(view.balance.total),
        free: view.balance.free === null ? null : currencyUnits(view.balance.free),
      },
      events: view.events.map((event) => eventLine(event, markets)),
      requests: view.requests,
      instances: view.instances.map((one) => ({
        ...one,
        markets: markets.filter(({ instance }) => instance === one.name).length,
      })),
      pauses: view.pauses.map(pauseJson),
      counts: {
        markets: markets.length,
        quoted: markets.filter(({ quotes }) => quotes.length > 0).length,
        openOrders: markets.reduce((sum, { quotes }) => sum + quotes.length, 0),
        fills: counts.fills,
        decisions: counts.decisions,
        ordersCreated: counts.ordersCreated,
        ordersReplaced: counts.ordersReplaced,
        ordersCancelled: counts.ordersCancelled,
        refusals: Object.values(counts.refusals).reduce((sum, one) => sum + one, 0),
        alarms: view.alarms.length,
      },
      notices: view.notices.map((notice) => ({ ...notice, at: notice.at / 1_000 })),
    };
  }

  markets(): readonly MarketRowJson[] {
    return this.#options.engine.view().markets.map(marketRow);
  }

  row(id: string): MarketRowJson | null {
    const row = this.#options.engine.row(marketId(id));
    return row === null ? null : marketRow(row);
  }

  changed(): readonly string[] {
    return this.#options.recent.takeChanged();
  }

  history(id: string): readonly HistoryPointJson[] {
    return this.#options.recent.historyOf(marketId(id));
  }

  profit(): readonly ProfitPointJson[] {
    return this.#profit.points;
  }

  /** Called with every beat of the bot. */
  beat(): void {
    const at = this.#now();
    if (this.#profit.wants(at)) this.#profit.add({ at, profit: currencyUnits(this.#options.engine.profit) });
  }

  market(id: string): MarketJson | null {
    const { engine, recent } = this.#options;
    const key = marketId(id);
    const market = engine.market(key);
    if (market === null) return null;
    const view = { market, orders: engine.openOrders().filter((order) => order.marketId === key), recent };
    return marketJson(view, RECENT_OF_MARKET, this.#instanceOf());
  }

  event(id: string): EventJson | null {
    const { engine } = this.#options;
    const key = eventId(id);
    const { markets, events } = engine.view();
    const outcomes = markets.filter((market) => market.eventId === key);
    if (outcomes.length === 0) return null;
    const event = events.find((one) => one.eventId === key) ?? null;
    return {
      ...(event === null
        ? { eventId: key, title: outcomes[0]!.eventTitle, worst: 0, maxLoss: 0 }
        : eventLine(event, markets)),
      outcomes: outcomes.map(marketRow),
      scenarios: engine.scenarios(key).map(({ ending, market, profit }) => ({
        ending,
        marketId: market,
        title: markets.find(({ marketId: one }) => one === market)?.title ?? null,
        profit: currencyUnits(profit),
      })),
    };
  }

  orders(): readonly OrderJson[] {
    const { engine, recent } = this.#options;
    return engine.openOrders().map((order: OwnOrder) => orderJson(order, recent));
  }

  fills(since: number): FillsJson {
    const { fills } = this.#options.recent;
    const instanceOf = this.#instanceOf();
    return {
      fills: fills.filter(({ id }) => id > since).map((one) => fillJson(one, instanceOf)),
      last: fills.at(-1)?.id ?? 0,
    };
  }

  positions(): readonly PositionJson[] {
    const held = ({ inventory }: MarketStateView): boolean => inventory.long !== 0 || inventory.short !== 0;
    return this.#options.engine
      .view()
      .markets.filter(held)
      .map(({ marketId: id, eventId: event, title, eventTitle, instance, inventory, profit, book }) => {
        const [long, short] = [wholeShares(inventory.long), wholeShares(inventory.short)];
        const isTwoSided = book.bid !== null && book.ask !== null;
        const mid = isTwoSided ? (probability(book.bid.price) + probability(book.ask.price)) / 2 : null;
        const where = { marketId: id, eventId: event, title, eventTitle, instance };
        return { ...where, long, short, net: long - short, mid, profit: currencyUnits(profit) };
      });
  }

  decisions(): readonly DecisionJson[] {
    return this.#options.recent.decisions.map(decisionJson).toReversed();
  }

  alarms(): readonly AlarmJson[] {
    return this.#actions.alarms(this.#options.engine.view().alarms);
  }

  config(): Promise<ConfigJson> {
    const { inUse, engine, venue } = this.#options;
    const instances = engine.instances.map(({ instance }) => instance);
    return Promise.resolve(configView(inUse(), instances, venue.privateKey));
  }

  act(action: Action): ActionAnswer {
    return this.#actions.act(action);
  }

  #now(): number {
    return this.#options.clock.now() / 1_000;
  }

  #instanceOf(): (market: MarketId) => string | null {
    const { markets } = this.#options.engine.view();
    const owners = new Map(markets.map(({ marketId: id, instance }) => [id, instance]));
    return (market) => owners.get(market) ?? null;
  }
}
