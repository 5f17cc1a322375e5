/** What the strategies of a screen are shown. Event, room and time are worked out when a strategy asks for them. */
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import { inventoryViewOf, marketViewOf } from '../../core/engine/quoting/strategy-views.js';
import type { EventExposure } from '../../core/portfolio/event-exposure.js';
import { averageCost } from '../../core/portfolio/ledger.js';
import type { FillBreaker } from '../../core/risk/fill-breaker.js';
import type { MarkOutWatch } from '../../core/risk/mark-out.js';
import type { ContextWithoutInstance } from '../../core/strategy/context.js';
import type { BookView, EventView, FairValue, FillView, RoomView } from '../../core/strategy/contract.js';
import type { MarketSignals } from '../../core/strategy/signals/market-signals.js';
import type { MarketId } from '../../domain/ids.js';
import type { EventDescription } from '../../domain/market.js';
import {
  currencyUnits,
  type Micros,
  type Money,
  PRICE_ONE,
  type Shares,
  wholeShares,
} from '../../domain/units.js';
import { fromBookSide } from '../../exchange/matching/levels.js';
import type { ScreenedMarket } from './screened-market.js';

const SILENT = (): void => undefined;

/** One quoted market with its instance. */
export interface Quoted {
  readonly market: ScreenedMarket;
  readonly owner: QuotingInstance;
  readonly event: ScreenedEvent;
  readonly signals: MarketSignals;
  readonly breaker: FillBreaker;
  readonly markOut: MarkOutWatch;
  readonly random: ContextWithoutInstance['random'];
  fills: readonly FillView[];
  looksAtTime: boolean;
  looksAtEvent: boolean;
  isAsking: boolean;
  /** When the strategy wants to be asked again. */
  strategyAt: number;
  halted: boolean;
  /** What other outcomes see of it. */
  shown: string;
  /** Made once: what of it changes is worked out when it is asked for. */
  view: Pick<ContextWithoutInstance, 'market' | 'event'> | null;
}

export interface ScreenedEvent {
  readonly description: EventDescription;
  readonly exposure: EventExposure;
  readonly quoted: Quoted[];
  isLive: boolean;
}

export class ScreenedViews {
  /** Time of the look. */
  private now = 0 as Micros;

  constructor(
    private readonly engine: EngineOptions,
    private readonly markets: ReadonlyMap<MarketId, ScreenedMarket>,
    private readonly balance: Money,
  ) {}

  /** Cash that no order locks. */
  freeCash(): Money {
    let cash: number = this.balance;
    for (const market of this.markets.values()) cash += market.account.cash - market.locked;
    return cash as Money;
  }

  msToClose({ event, market }: Quoted, now: Micros): number | null {
    const at = event.description.betEnd ?? this.engine.closings.get(market.terms.eventId)?.at ?? null;
    return at === null || at <= now ? null : (at - now) / 1_000;
  }

  contextOf(quoted: Quoted, book: BookView, now: Micros): ContextWithoutInstance {
    const { market, signals, random } = quoted;
    const { account, terms } = market;
    const noteTime = (): void => void (quoted.looksAtTime ||= quoted.isAsking);
    const room = (): RoomView => this.roomOf(quoted);
    this.now = now;
    quoted.view ??= { market: marketViewOf(market.description.title, terms), event: this.eventOf(quoted) };
    const inventory = {
      long: account.holding('long').shares,
      short: account.holding('short').shares,
      net: account.net,
      paired: 0 as Shares,
      averageLong: averageCost(account.ledger.long),
      averageShort: averageCost(account.ledger.short),
    };
    return {
      market: quoted.view.market,
      event: quoted.view.event,
      book,
      inventory: inventoryViewOf(inventory, this.freeCash()),
      working: market.orders.map(({ side, tick, remaining, state }) => ({
        side: fromBookSide(side),
        price: (tick * terms.tickUnits) / PRICE_ONE,
        shares: wholeShares(remaining),
        state,
      })),
      fair: fairOf(market),
      get room() {
        return room();
      },
      signals: signals.views,
      fills: quoted.fills,
      trades: [],
      get nowMs() {
        noteTime();
        return now / 1_000;
      },
      random,
      log: SILENT,
    };
  }

  private eventOf(quoted: Quoted): EventView {
    const { event } = quoted;
    const { description, exposure, quoted: all } = event;
    const winners = this.engine.winners.get(description.id);
    const resolutionMode = description.resolutionMode ?? 'non_exclusive';
    const note = (what: 'looksAtTime' | 'looksAtEvent'): void => void (quoted[what] ||= quoted.isAsking);
    const msToClose = (): number | null => this.msToClose(quoted, this.now);
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
        note('looksAtEvent');
        return exposure.scenarios().map((one) => ({ ...one, profit: currencyUnits(one.profit) }));
      },
      get msToClose() {
        note('looksAtTime');
        return msToClose();
      },
      closesFrom: description.betEnd !== null ? 'venue' : (stated?.from ?? null),
      get markets() {
        note('looksAtEvent');
        return all
          .filter(({ owner }) => owner === quoted.owner)
          .map(({ market, halted }) => ({
            id: market.terms.marketId,
            weightedMid: market.weightedMid,
            fair: market.weightedMid,
            inventory: wholeShares(market.account.net),
            halted,
          }));
      },
    };
  }

  private roomOf(quoted: Quoted): RoomView {
    const { market, owner, event } = quoted;
    const { maxPositionShares, maxOrderShares, maxOrderAmount, maxEventLoss } = owner.limits;
    quoted.looksAtEvent ||= quoted.isAsking;
    const worst = event.exposure.worstInstead(market.terms.marketId);
    return {
      bidShares: wholeShares(Math.max(0, maxPositionShares - market.account.net) as Shares),
      askShares: wholeShares(Math.max(0, maxPositionShares + market.account.net) as Shares),
      orderShares: wholeShares(maxOrderShares),
      orderAmount: currencyUnits(maxOrderAmount),
      eventLoss: currencyUnits(Math.max(0, maxEventLoss + worst) as Money),
      categoryLoss: null,
      accountLoss: null,
      locked: null,
      taking: 0,
    };
  }
}

/** The weighted mid. */
export const fairOf = ({ weightedMid }: ScreenedMarket): FairValue | null =>
  weightedMid === null ? null : { p: weightedMid, ageMs: 0, confidence: 1 };
