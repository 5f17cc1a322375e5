/** What the strategies of a screen are shown. */
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import { inventoryViewOf, marketViewOf, workingQuotesOf } from '../../core/engine/quoting/strategy-views.js';
import type { Gate } from '../../core/execution/planning/plan.js';
import type { EventExposure } from '../../core/portfolio/event-exposure.js';
import { averageCost } from '../../core/portfolio/ledger.js';
import type { Random } from '../../core/ports/random.js';
import type { FillBreaker } from '../../core/risk/fill-breaker.js';
import type { MarkOutWatch } from '../../core/risk/mark-out.js';
import type { Restriction } from '../../core/risk/quote-restriction.js';
import { type ContextWithoutInstance, LAZY, type LazyKey } from '../../core/strategy/context.js';
import type { BookView, EventView, FairValue, FillView, RoomView } from '../../core/strategy/contract.js';
import type { MarketSignals } from '../../core/strategy/signals/market-signals.js';
import type { QuoteIntent } from '../../domain/intent.js';
import type { EventDescription } from '../../domain/market.js';
import { currencyUnits, type Micros, type Money, type Shares, wholeShares } from '../../domain/units.js';
import type { ScreenedMarket } from './screened-market.js';
import type { Look } from './steps.js';

/** What a strategy has looked at besides its market: from then on that wakes it. */
type Watched = 'event' | 'levels' | 'random';

/** What of a market its strategy was shown when it was asked last. */
interface Asked {
  readonly look: Look;
  readonly version: number;
  readonly hadFills: boolean;
}

/** What is held and stands. */
interface Stated extends Pick<ContextWithoutInstance, 'inventory' | 'working' | 'room'> {
  readonly version: number;
}

/** What a plan with nothing to do rests on. */
interface Settled {
  readonly intent: QuoteIntent | null;
  readonly look: Look;
  readonly restriction: Restriction;
  /** Of all orders, holdings and cash. */
  readonly version: number;
  readonly restsUntil: number;
}

/** What orders of a market have to pass. */
export interface QuoteGate extends Gate {
  /** Orders of the market changed, or a new plan takes the place of the one before. */
  begin(): void;
  /** Whether a refused order may pass now, because other quotes of the event stepped back. Once. */
  takeReleased(): boolean;
}

/** One quoted market with its instance. */
export interface Quoted {
  readonly market: ScreenedMarket;
  readonly owner: QuotingInstance;
  readonly event: ScreenedEvent;
  readonly signals: MarketSignals;
  readonly breaker: FillBreaker;
  readonly markOut: MarkOutWatch;
  readonly random: Random;
  readonly watched: Set<Watched>;
  fills: readonly FillView[];
  /** null: it is to be asked at the next look. */
  asked: Asked | null;
  /** When the strategy wants to be asked again. */
  strategyAt: number;
  halted: boolean;
  fair: FairValue | null;
  restriction: Restriction;
  /** Until then guards leave the same of the quotes. */
  restrictedUntil: number;
  /** What other outcomes see of it. */
  shown: string;
  /** null: until the market has joined */
  gate: QuoteGate | null;
  /** null: the last plan had something to do. */
  settled: Settled | null;
  /** What is held and stands, as of that version. */
  stated: Stated | null;
  view: Pick<ContextWithoutInstance, 'market' | 'event'> | null;
}

export interface ScreenedEvent {
  readonly description: EventDescription;
  readonly exposure: EventExposure;
  readonly quoted: Quoted[];
  isLive: boolean;
}

const NO_TRADES: ContextWithoutInstance['trades'] = [];
const SILENT = (): void => undefined;

/** As the engine shows a market. Where other outcomes matter to the room, whoever asks for it is noted. */
class ScreenedContext implements ContextWithoutInstance {
  readonly market: ContextWithoutInstance['market'];
  readonly event: EventView;
  readonly inventory: ContextWithoutInstance['inventory'];
  readonly working: ContextWithoutInstance['working'];
  readonly fair: FairValue | null;
  readonly signals: ContextWithoutInstance['signals'];
  readonly fills: readonly FillView[];
  readonly trades = NO_TRADES;
  readonly random: Random;
  readonly log = SILENT;
  readonly [LAZY]: ReadonlySet<LazyKey>;
  readonly nowMs: number;

  constructor(
    private readonly views: ScreenedViews,
    private readonly quoted: Quoted,
    readonly book: BookView,
  ) {
    const { market, event } = views.viewOf(quoted);
    const { inventory, working } = views.statedOf(quoted);
    this[LAZY] = quoted.event.quoted.length > 1 ? ROOM : NOTHING;
    this.nowMs = views.now / 1_000;
    this.market = market;
    this.event = event;
    this.inventory = inventory;
    this.working = working;
    this.fair = quoted.fair;
    this.signals = quoted.signals.views;
    this.fills = quoted.fills;
    this.random = quoted.random;
  }

  get room(): RoomView {
    this.quoted.watched.add('event');
    return this.views.statedOf(this.quoted).room;
  }
}

const ROOM: ReadonlySet<LazyKey> = new Set(['room']);
const NOTHING: ReadonlySet<LazyKey> = new Set();

export class ScreenedViews {
  /** Time of the look. */
  now = 0 as Micros;
  /** Rises whenever orders, holdings or cash change anywhere. */
  version = 0;

  constructor(
    private readonly engine: EngineOptions,
    private readonly markets: readonly ScreenedMarket[],
    private readonly balance: Money,
  ) {}

  lockedCash(): Money {
    return this.markets.reduce((sum, { locked }) => sum + locked.cash, 0) as Money;
  }

  /** Cash that no order locks. */
  freeCash(): Money {
    let cash: number = this.balance;
    for (const { account, locked } of this.markets) cash += account.cash - locked.cash;
    return Math.max(0, cash) as Money;
  }

  msToClose({ event, market }: Quoted): number | null {
    const at = event.description.betEnd ?? this.engine.closings.get(market.terms.eventId)?.at ?? null;
    return at === null || at <= this.now ? null : (at - this.now) / 1_000;
  }

  contextOf(quoted: Quoted, book: BookView): ContextWithoutInstance {
    return new ScreenedContext(this, quoted, book);
  }

  viewOf(quoted: Quoted): Pick<ContextWithoutInstance, 'market' | 'event'> {
    const { description, terms } = quoted.market;
    quoted.view ??= { market: marketViewOf(description.title, terms), event: this.eventOf(quoted) };
    return quoted.view;
  }

  statedOf(quoted: Quoted): Stated {
    const { market, stated } = quoted;
    const { account, orders } = market;
    const { version } = this;
    if (stated?.version === version) return stated;
    const inventory = {
      long: market.held('long'),
      short: market.held('short'),
      net: account.net,
      paired: 0 as Shares,
      averageLong: averageCost(account.ledger.long),
      averageShort: averageCost(account.ledger.short),
    };
    return (quoted.stated = {
      version,
      inventory: inventoryViewOf(inventory, this.freeCash()),
      working: workingQuotesOf(orders),
      room: this.roomOf(quoted),
    });
  }

  private roomOf({ market, owner, event }: Quoted): RoomView {
    const { maxPositionShares, maxOrderShares, maxOrderAmount, maxEventLoss } = owner.limits;
    const { net } = market.account;
    const worst = event.exposure.worstInstead(market.terms.marketId);
    return {
      bidShares: wholeShares(Math.max(0, maxPositionShares - net) as Shares),
      askShares: wholeShares(Math.max(0, maxPositionShares + net) as Shares),
      orderShares: wholeShares(maxOrderShares),
      orderAmount: currencyUnits(maxOrderAmount),
      eventLoss: currencyUnits(Math.max(0, maxEventLoss + worst) as Money),
      categoryLoss: null,
      accountLoss: null,
      locked: null,
      taking: 0,
    };
  }

  /** Made once: what of it changes is worked out when it is asked for. */
  private eventOf(quoted: Quoted): EventView {
    const { event, watched, owner } = quoted;
    const { description, exposure, quoted: all } = event;
    const winners = this.engine.winners.get(description.id);
    const resolutionMode = description.resolutionMode ?? 'non_exclusive';
    const msToClose = (): number | null => this.msToClose(quoted);
    const stated = this.engine.closings.get(description.id);
    return {
      id: description.id,
      title: description.title,
      status: description.status,
      resolutionMode,
      get isLive() {
        return event.isLive;
      },
      winners: {
        least: winners ?? 0,
        most: winners ?? (resolutionMode === 'exclusive' ? 1 : description.markets.length),
      },
      exhaustive: winners !== undefined,
      get scenarios() {
        watched.add('event');
        return exposure.scenarios().map((one) => ({ ...one, profit: currencyUnits(one.profit) }));
      },
      get msToClose() {
        return msToClose();
      },
      closesFrom: description.betEnd !== null ? 'venue' : (stated?.from ?? null),
      get markets() {
        watched.add('event');
        return all
          .filter((one) => one.owner === owner)
          .map(({ market, fair, halted }) => ({
            id: market.terms.marketId,
            weightedMid: market.seen.book.weightedMid,
            fair: fair?.p ?? null,
            inventory: wholeShares(market.account.net),
            halted,
          }));
      },
    };
  }
}
