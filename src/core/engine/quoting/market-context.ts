/** What a strategy is shown of one market, and what it looked at. */
import type { Fill } from '../../../domain/fill.js';
import type { TradeInput } from '../../../domain/inputs.js';
import type { MarketId } from '../../../domain/ids.js';
import { type Micros, probability, wholeShares } from '../../../domain/units.js';
import type { Desk } from '../../execution/desk.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { PaceOf } from '../../execution/sending/order-pace.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { Random } from '../../ports/random.js';
import type { KillSwitch } from '../../risk/index.js';
import { type ContextWithoutInstance, LAZY, type LazyKey } from '../../strategy/context.js';
import type {
  BookView,
  EventView,
  FairValue,
  FillView,
  RoomView,
  TradeView,
} from '../../strategy/contract.js';
import type { MarketSignals } from '../../strategy/signals/market-signals.js';
import type { Positions } from '../accounting/positions.js';
import type { Life } from '../departure.js';
import type { Guards } from '../guarding/guards.js';
import type { Notices } from '../guarding/notices.js';
import type { EngineObserver } from '../observing/observer.js';
import type { EngineOptions, QuotingInstance } from '../options.js';
import type { FairValues } from './fair-values.js';
import type { CashShares, Funds } from './funds.js';
import type { Outlook } from './outlook.js';
import { eventViewOf, fillViewOf, inventoryViewOf, marketViewOf, workingQuotesOf } from './strategy-views.js';

/** What a quoter works with. */
export interface QuoterParts {
  readonly killSwitch: KillSwitch;
  readonly options: EngineOptions;
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly mirror: Mirror;
  readonly desk: Desk;
  readonly paceOf: PaceOf;
  readonly positions: Positions;
  readonly funds: Funds;
  readonly cashShares: CashShares;
  readonly fairValues: FairValues;
  readonly notices: Notices;
  readonly guards: Guards;
  readonly life: Life;
  readonly observer: EngineObserver | null;
}

/** What strategies may see of another outcome of the event. */
interface Sibling {
  readonly marketId: MarketId;
  readonly weightedMid: number | null;
  readonly fair: FairValue | null;
  readonly halt: string | null;
}

interface ContextSetting {
  readonly owner: QuotingInstance;
  readonly outlook: Outlook;
  readonly random: Random;
  readonly siblings: () => readonly Sibling[];
}

/** Most fills, and most trades, that one call is shown. */
const MOST_NEWS = 100;
const NO_NEWS: readonly never[] = [];
/** A strategy that looks at the time is asked at least this often. */
const MOST_SILENT_MS = 1_000;

type Shown = Omit<ContextWithoutInstance, 'event' | 'room' | 'nowMs'>;

/** What a strategy is shown. Event, room and time are worked out when it asks for them. */
class ShownMarket implements ContextWithoutInstance {
  readonly market: Shown['market'];
  readonly book: Shown['book'];
  readonly inventory: Shown['inventory'];
  readonly working: Shown['working'];
  readonly fair: Shown['fair'];
  readonly signals: Shown['signals'];
  readonly fills: Shown['fills'];
  readonly trades: Shown['trades'];
  readonly random: Shown['random'];
  readonly log: Shown['log'];
  /** Somebody has asked for the rest before, and is shown it at once. */
  readonly [LAZY]: ReadonlySet<LazyKey>;
  private eventView: EventView | null = null;
  private roomView: RoomView | null = null;

  constructor(
    private readonly shownBy: MarketContext,
    private readonly now: Micros,
    shown: Shown,
  ) {
    this[LAZY] = shownBy.lazy;
    this.market = shown.market;
    this.book = shown.book;
    this.inventory = shown.inventory;
    this.working = shown.working;
    this.fair = shown.fair;
    this.signals = shown.signals;
    this.fills = shown.fills;
    this.trades = shown.trades;
    this.random = shown.random;
    this.log = shown.log;
  }

  get event(): EventView {
    this.eventView ??= this.shownBy.event(this.now);
    return this.eventView;
  }

  get room(): RoomView {
    this.roomView ??= this.shownBy.room();
    return this.roomView;
  }

  get nowMs(): number {
    return this.shownBy.now(this.now);
  }
}

/** Shows a market to its strategy. What the strategy looks at wakes it from then on. */
export class MarketContext {
  /** Whether the strategy has ever looked at other outcomes of the event. */
  looksAtEvent = false;
  /** What the strategy has never asked for. */
  lazy: ReadonlySet<LazyKey> = new Set<LazyKey>(['event', 'nowMs', 'room']);
  private looksAtTime = false;
  private isAsking = false;
  private shownAt = 0 as Micros;
  /** Since the strategy was last asked. */
  private fills: readonly FillView[] = NO_NEWS;
  private trades: readonly TradeView[] = NO_NEWS;
  private readonly log: ContextWithoutInstance['log'];

  constructor(
    private readonly marketId: MarketId,
    private readonly setting: ContextSetting,
    private readonly parts: QuoterParts,
    private readonly signals: MarketSignals,
  ) {
    const { name } = setting.owner.instance;
    this.log = (message, details) => parts.notices.spoken(name, { message, details }, marketId, this.shownAt);
  }

  /** Own shares were traded. @param mid foreign mid of the last look, as a probability */
  filled(fill: Fill, mid: number | null, at: Micros): void {
    if (fill.shares === 0) return;
    const view = fillViewOf(fill, mid);
    this.fills = [...this.fills.slice(1 - MOST_NEWS), view];
    this.signals.filled(view, at / 1_000);
  }

  /** The venue told of a trade. */
  printed({ price, shares, takerSide }: TradeInput, at: Micros): void {
    const view = { price: probability(price), shares: wholeShares(shares), takerSide };
    this.trades = [...this.trades.slice(1 - MOST_NEWS), view];
    this.signals.printed(view, at / 1_000);
  }

  /** The strategy is asked. What it looks at until {@link answered} wakes it from then on. */
  asking(): void {
    this.isAsking = true;
  }

  /** The strategy has answered. @returns milliseconds after which it has to be asked again at the latest */
  answered(): number {
    this.isAsking = false;
    this.fills = NO_NEWS;
    this.trades = NO_NEWS;
    return this.looksAtTime ? MOST_SILENT_MS : Infinity;
  }

  /** The context of now. */
  of(book: BookView, fair: FairValue | null, terms: MarketTerms, now: Micros): ContextWithoutInstance {
    const { positions, funds, desk } = this.parts;
    const { marketId } = this;
    this.shownAt = now;
    return new ShownMarket(this, now, {
      market: marketViewOf(this.parts.mirror.market(marketId).title, terms),
      book,
      inventory: inventoryViewOf(positions.inventory(marketId), funds.freeCash()),
      working: workingQuotesOf(desk.orders.own(marketId).working),
      fair: fair === null ? null : this.agingView(fair),
      signals: this.signals.views,
      fills: this.fills,
      trades: this.trades,
      random: this.setting.random,
      log: this.log,
    });
  }

  /** The strategy asks for the time. */
  noteTime(): void {
    this.looksAtTime ||= this.isAsking;
  }

  now(at: Micros): number {
    this.noteTime();
    this.noteAsked('nowMs');
    return at / 1_000;
  }

  private noteAsked(key: LazyKey): void {
    if (this.isAsking && this.lazy.has(key)) this.lazy = new Set([...this.lazy].filter((one) => one !== key));
  }

  room(): RoomView {
    this.looksAtEvent ||= this.isAsking;
    this.noteAsked('room');
    return this.setting.outlook.room();
  }

  event(now: Micros): EventView {
    this.noteAsked('event');
    const { options, mirror, terms } = this.parts;
    const event = terms.get(this.marketId)!.eventId;
    const stated = { winners: options.winners.get(event), closing: options.closings.get(event) };
    return eventViewOf(mirror, this.marketId, now, stated, this);
  }

  scenarios(): EventView['scenarios'] {
    this.looksAtEvent ||= this.isAsking;
    return this.setting.outlook.scenarios();
  }

  markets(): EventView['markets'] {
    this.looksAtEvent ||= this.isAsking;
    return this.setting.siblings().map((one) => ({
      id: one.marketId,
      weightedMid: one.weightedMid,
      fair: one.fair?.p ?? null,
      inventory: wholeShares(this.parts.positions.net(one.marketId)),
      halted: one.halt !== null,
    }));
  }

  /** Who asks how old a value from outside is looks at the time. The weighted mid has the age of the last look. */
  private agingView(fair: FairValue): FairValue {
    if (fair.source === undefined) return fair;
    const noteTime = () => this.noteTime();
    return {
      ...fair,
      get ageMs() {
        noteTime();
        return fair.ageMs;
      },
    };
  }
}
