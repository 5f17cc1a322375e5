import { invariant } from '../domain/errors.js';
import type { EventId, MarketId } from '../domain/ids.js';
import type { Micros } from '../domain/units.js';
import type { EventStatus, MarketStatus, Resolution } from '../domain/vocabulary.js';
import { Book } from './books.js';
import type { EventConfig, ExchangeConfig, MarketConfig } from './contract.js';
import { feeRates, type FeeRates } from './fees.js';
import { Fills } from './matching/index.js';
import { PriceHistory } from './price-history.js';

/** One outcome: its state and its two books. */
export class Market {
  status: MarketStatus = 'active';
  disabled = false;
  /** Own end of the bet window; undefined: the event's. */
  ownBetEnd: Micros | null | undefined = undefined;
  resolution: Resolution | null = null;
  /** By code of the currency mode. */
  books: readonly Book[] = [];

  /** @param order place among the event's markets */
  constructor(
    readonly config: MarketConfig,
    readonly event: VenueEvent,
    readonly order: number,
  ) {}

  get id(): MarketId {
    return this.config.id;
  }

  get betEnd(): Micros | null {
    return this.ownBetEnd === undefined ? this.event.config.betEnd : this.ownBetEnd;
  }

  book(mode: number): Book {
    return this.books[mode] as Book;
  }

  /** Published price of a mode, half price units; null: none yet. */
  price(mode: number): number | null {
    return this.book(mode).published.price;
  }

  /** Not resolved, reversed or cancelled. */
  get isLive(): boolean {
    return this.status === 'active' || this.status === 'paused' || this.status === 'stopped';
  }
}

/** A question with its markets. */
export class VenueEvent {
  status: EventStatus = 'open';
  isLive = false;
  extraData: Readonly<Record<string, unknown>> | null = null;
  resolvedAt: Micros | null = null;
  readonly markets: Market[] = [];
  /** By code of the currency mode: money units bought, wagers opened, prices over time. */
  readonly volume = new Float64Array(2);
  readonly wagers = new Float64Array(2);
  readonly histories = [new PriceHistory(), new PriceHistory()] as const;
  /** By mode: the running command changed a price or the volume. */
  readonly priceTouched: [boolean, boolean] = [false, false];

  constructor(readonly config: EventConfig) {}

  get id(): EventId {
    return this.config.id;
  }
}

/** All events, markets and books. */
export class Markets {
  readonly events: VenueEvent[] = [];
  readonly books: Book[] = [];
  readonly fills = new Fills();
  private readonly eventsById = new Map<EventId, VenueEvent>();
  private readonly marketsById = new Map<MarketId, Market>();
  private readonly rates: readonly FeeRates[];

  constructor(private readonly config: ExchangeConfig) {
    this.rates = feeRates(config.fees);
    for (const event of config.events) this.addEvent(event);
  }

  event(id: EventId): VenueEvent | null {
    return this.eventsById.get(id) ?? null;
  }

  market(id: MarketId): Market | null {
    return this.marketsById.get(id) ?? null;
  }

  bookAt(index: number): Book {
    return this.books[index] as Book;
  }

  addEvent(config: EventConfig): VenueEvent {
    invariant(!this.eventsById.has(config.id), `two events have the id ${config.id}`);
    const event = new VenueEvent(config);
    this.events.push(event);
    this.eventsById.set(config.id, event);
    for (const market of config.markets) this.addMarket(event, market);
    return event;
  }

  addMarket(event: VenueEvent, config: MarketConfig): Market {
    invariant(!this.marketsById.has(config.id), `two markets have the id ${config.id}`);
    const market = new Market(config, event, event.markets.length);
    market.books = [this.openBook(market, 0), this.openBook(market, 1)];
    event.markets.push(market);
    this.marketsById.set(config.id, market);
    return market;
  }

  private openBook(market: Market, mode: number): Book {
    const fees = this.rates[mode] as FeeRates;
    const { fills, config } = this;
    const book = new Book({ index: this.books.length, market, mode, fees, topN: config.topN, fills });
    this.books.push(book);
    return book;
  }
}
