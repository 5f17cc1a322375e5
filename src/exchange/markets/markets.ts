import type { EventId, MarketId } from '../contract/ids.js';
import { PRICE_ONE, type Micros, type Ticks } from '../../domain/units.js';
import type {
  CurrencyMode,
  EventStatus,
  MarketStatus,
  Resolution,
  TimeInterval,
} from '../../domain/vocabulary.js';
import type { EventConfig, HalfPriceUnits, MarketConfig } from '../contract.js';

/** One outcome of an event, and its state. Its books are in `market-registry.ts`. */
export class Market {
  readonly id: MarketId;
  status: MarketStatus = 'active';
  disabled = false;
  /** Own end of the bet window; undefined: the event's. */
  ownBetEnd: Micros | null | undefined = undefined;
  resolution: Resolution | null = null;
  readonly minTick = 1 as Ticks;
  readonly maxTick: Ticks;
  /** Published long-side prices; null: none yet. */
  readonly prices: Record<CurrencyMode, HalfPriceUnits | null> = { play_money: null, real_money: null };

  /** @param order place among the event's markets */
  constructor(
    readonly config: MarketConfig,
    readonly event: VenueEvent,
    readonly order: number,
  ) {
    this.id = config.id;
    this.maxTick = (PRICE_ONE / config.tickUnits - 1) as Ticks;
  }

  get betEnd(): Micros | null {
    return this.ownBetEnd === undefined ? this.event.config.betEnd : this.ownBetEnd;
  }

  /** Not resolved, reversed or cancelled. */
  get isUndecided(): boolean {
    return this.status === 'active' || this.status === 'paused' || this.status === 'stopped';
  }

  isTick(tick: number): tick is Ticks {
    return Number.isInteger(tick) && tick >= this.minTick && tick <= this.maxTick;
  }
}

/** A question with its markets. */
export class VenueEvent {
  readonly id: EventId;
  status: EventStatus = 'open';
  isLive = false;
  extraData: Readonly<Record<string, unknown>> | null = null;
  resolvedAt: Micros | null = null;
  readonly markets: Market[] = [];
  /** Money units bought. */
  readonly volume: Record<CurrencyMode, number> = { play_money: 0, real_money: 0 };
  /** The running command may have changed what is published. */
  isTouched = false;
  readonly touchedModes: Record<CurrencyMode, boolean> = { play_money: false, real_money: false };
  /** Wagers opened. */
  readonly wagers: Record<CurrencyMode, number> = { play_money: 0, real_money: 0 };
  readonly histories: Readonly<Record<CurrencyMode, PriceHistory>>;

  constructor(
    readonly config: EventConfig,
    priceSamples: number | undefined,
  ) {
    this.id = config.id;
    this.histories = {
      play_money: new PriceHistory(priceSamples),
      real_money: new PriceHistory(priceSamples),
    };
  }
}

/** The event is open and the market's bet window is running. */
export const isOpen = (market: Market, now: Micros): boolean =>
  market.event.status === 'open' && !isBefore(market, now) && !isOver(market, now);

const isBefore = ({ event }: Market, now: Micros): boolean =>
  event.config.betStart !== null && now < event.config.betStart;

/** The bet window has ended. */
export const isOver = ({ betEnd }: Market, now: Micros): boolean => betEnd !== null && now >= betEnd;

/** Orders are taken and matched. */
export const isTradable = (market: Market, now: Micros): boolean =>
  market.status === 'active' && !market.disabled && isOpen(market, now);

/** Resting orders may stay while a market is paused, disabled or not yet begun, but not when it is over. */
export const keepsOrders = (market: Market, now: Micros): boolean =>
  keeps(market.event.status) && keeps(market.status) && !isOver(market, now);

const keeps = (status: string): boolean => status === 'open' || status === 'active' || status === 'paused';

/** Prices of an event's markets at one time, in display order; 0: no price yet. Half price units. */
export interface PriceSample {
  at: Micros;
  readonly prices: number[];
}

/** A market's published prices; null: none yet. */
interface Priced {
  readonly prices: Readonly<Record<CurrencyMode, number | null>>;
}

const SECOND = 1_000_000;
const MOST_SAMPLES = 20_000;

const LENGTHS: Readonly<Record<TimeInterval, number>> = {
  day: 86_400 * SECOND,
  week: 7 * 86_400 * SECOND,
  month: 30 * 86_400 * SECOND,
  year: 365 * 86_400 * SECOND,
  all_time: Number.POSITIVE_INFINITY,
};

/** Prices of an event over time in one currency mode: the last sample of each second in which one changed. */
export class PriceHistory {
  samples: PriceSample[] = [];

  /** @param most samples kept; beyond it every other sample of the older half is dropped. 0: no history */
  constructor(private readonly most = MOST_SAMPLES) {}

  /** @param markets in display order */
  record(at: Micros, markets: readonly Priced[], mode: CurrencyMode): void {
    if (this.most === 0) return;
    const sample = this.sampleOf(at, markets.length);
    sample.at = at;
    for (let place = 0; place < markets.length; place++) {
      sample.prices[place] = markets[place]?.prices[mode] ?? 0;
    }
  }

  /** Samples of the interval that ends now, preceded by the one in force when it began. */
  within(interval: TimeInterval, now: Micros): readonly PriceSample[] {
    const from = now - LENGTHS[interval];
    const first = this.samples.findIndex(({ at }) => at > from);
    if (first === -1) return this.samples.slice(-1);
    return this.samples.slice(Math.max(first - 1, 0));
  }

  private sampleOf(at: Micros, markets: number): PriceSample {
    const last = this.samples.at(-1);
    if (last !== undefined && sameSecond(last.at, at)) return last;
    if (this.samples.length === this.most) this.thin();
    const sample = { at, prices: Array.from({ length: markets }, () => 0) };
    this.samples.push(sample);
    return sample;
  }

  private thin(): void {
    const half = Math.floor(this.most / 2);
    this.samples = this.samples.filter((_, at) => at >= half || at % 2 === 0);
  }
}

const sameSecond = (a: number, b: number): boolean => Math.floor(a / SECOND) === Math.floor(b / SECOND);
