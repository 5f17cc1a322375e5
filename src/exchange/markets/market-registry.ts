import { invariant } from '../../domain/errors.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import { PRICE_ONE } from '../../domain/units.js';
import type { LiquidityModels } from '../../venues/simulated/models/liquidity.js';
import { Book } from '../books/books.js';
import type { EventConfig, ExchangeConfig, MarketConfig } from '../contract.js';
import { feeRates, type FeeRates } from '../money/fees.js';
import { Market, VenueEvent } from './markets.js';
import { Fills } from '../matching/index.js';

/** Whether prices can be counted in ticks of so many price units: a divisor of one, smaller than it. */
export const isTickSize = (tickUnits: number): boolean =>
  Number.isInteger(tickUnits) && tickUnits > 0 && tickUnits < PRICE_ONE && PRICE_ONE % tickUnits === 0;

/** All events, markets and books. */
export class MarketRegistry {
  readonly events: VenueEvent[] = [];
  readonly books: Book[] = [];
  readonly fills = new Fills();
  private readonly eventsById = new Map<EventId, VenueEvent>();
  private readonly marketsById = new Map<MarketId, Market>();
  private readonly rates: readonly FeeRates[];
  /** The market asked for last: whoever asks for one asks for it many times. A market stays for ever. */
  private asked: Market | null = null;

  constructor(
    private readonly config: ExchangeConfig,
    private readonly liquidity: LiquidityModels,
  ) {
    this.rates = feeRates(config.fees);
    for (const event of config.events) this.addEvent(event);
  }

  event(id: EventId): VenueEvent | null {
    return this.eventsById.get(id) ?? null;
  }

  market(id: MarketId): Market | null {
    if (this.asked?.id === id) return this.asked;
    const market = this.marketsById.get(id);
    if (market === undefined) return null;
    this.asked = market;
    return market;
  }

  /** @param mode code of the currency mode */
  book(market: Market, mode: number): Book {
    return this.bookAt(market.firstBook + mode);
  }

  /** A market's books in play money and in real money. */
  both(market: Market): readonly Book[] {
    return this.books.slice(market.firstBook, market.firstBook + 2);
  }

  bookAt(index: number): Book {
    return this.books[index] as Book;
  }

  addEvent(config: EventConfig): VenueEvent {
    invariant(!this.eventsById.has(config.id), `two events have the id ${config.id}`);
    const event = new VenueEvent(config, this.config.retention?.priceSamples);
    this.events.push(event);
    this.eventsById.set(config.id, event);
    for (const market of config.markets) this.addMarket(event, market);
    return event;
  }

  addMarket(event: VenueEvent, config: MarketConfig): Market {
    invariant(!this.marketsById.has(config.id), `two markets have the id ${config.id}`);
    invariant(
      isTickSize(config.tickUnits),
      `market ${config.id} has a tick of ${config.tickUnits} price units`,
    );
    const market = new Market(config, event, { order: event.markets.length, firstBook: this.books.length });
    this.openBook(market, 0);
    this.openBook(market, 1);
    event.markets.push(market);
    this.marketsById.set(config.id, market);
    return market;
  }

  private openBook(market: Market, mode: number): void {
    const fees = this.rates[mode] as FeeRates;
    const { fills, config, liquidity } = this;
    const index = this.books.length;
    this.books.push(new Book({ index, market, mode, fees, topN: config.topN, fills, liquidity }));
  }
}
