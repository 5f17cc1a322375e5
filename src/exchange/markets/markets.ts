import type { EventId, MarketId } from '../../domain/ids.js';
import { PRICE_ONE, type Micros, type Ticks } from '../../domain/units.js';
import type { EventStatus, MarketStatus, Resolution } from '../../domain/vocabulary.js';
import type { EventConfig, HalfPriceUnits, MarketConfig } from '../contract.js';
import { PriceHistory } from '../books/price-history.js';

/** One outcome and its state. Its books are in `market-registry.ts`. */
export class Market {
  status: MarketStatus = 'active';
  disabled = false;
  /** Own end of the bet window; undefined: the event's. */
  ownBetEnd: Micros | null | undefined = undefined;
  resolution: Resolution | null = null;
  readonly minTick = 1 as Ticks;
  readonly maxTick: Ticks;
  readonly id: MarketId;
  /** Published long-side prices by code of the currency mode; null: none yet. */
  readonly prices: [HalfPriceUnits | null, HalfPriceUnits | null] = [null, null];

  /** Place among the event's markets. */
  readonly order: number;
  /** Index of its play-money book; the real-money one comes next. */
  readonly firstBook: number;

  constructor(
    readonly config: MarketConfig,
    readonly event: VenueEvent,
    { order, firstBook }: Pick<Market, 'order' | 'firstBook'>,
  ) {
    this.order = order;
    this.firstBook = firstBook;
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
}

/** A question with its markets. */
export class VenueEvent {
  readonly id: EventId;
  status: EventStatus = 'open';
  isLive = false;
  extraData: Readonly<Record<string, unknown>> | null = null;
  resolvedAt: Micros | null = null;
  readonly markets: Market[] = [];
  /** By code of the currency mode: money units bought, wagers opened, prices over time. */
  readonly volume = new Float64Array(2);
  readonly wagers = new Float64Array(2);
  readonly histories: readonly [PriceHistory, PriceHistory];
  /** By mode: the running command changed a price or the volume. */
  readonly priceTouched: [boolean, boolean] = [false, false];

  constructor(
    readonly config: EventConfig,
    priceSamples: number | undefined,
  ) {
    this.id = config.id;
    this.histories = [new PriceHistory(priceSamples), new PriceHistory(priceSamples)];
  }
}
