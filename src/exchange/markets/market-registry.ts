import { invariant } from '../../domain/errors.js';
import type { EventId, MarketId } from '../contract/ids.js';
import { PRICE_ONE } from '../../domain/units.js';
import { CURRENCY_MODES, type CurrencyMode } from '../../domain/vocabulary.js';
import type { LiquidityModels } from '../../venues/simulated/models/liquidity.js';
import type { EventConfig, ExchangeConfig, MarketConfig } from '../contract.js';
import { Fills } from '../matching/index.js';
import { feeRates } from '../money/ledger.js';
import { Book } from './book.js';
import { Market, VenueEvent } from './markets.js';

/** Whether prices can be counted in ticks of so many price units: a divisor of one, smaller than one. */
export const isTickSize = (tickUnits: number): boolean =>
  Number.isInteger(tickUnits) && tickUnits > 0 && tickUnits < PRICE_ONE && PRICE_ONE % tickUnits === 0;

type BooksOfMarket = Readonly<Record<CurrencyMode, Book>>;

/** All events, markets and books. */
export class MarketRegistry {
  readonly events: VenueEvent[] = [];
  readonly books: Book[] = [];
  /** What the latest command traded, whichever book it was in. */
  readonly fills = new Fills();
  private readonly eventsById = new Map<EventId, VenueEvent>();
  private readonly marketsById = new Map<MarketId, Market>();
  private readonly booksOf = new Map<Market, BooksOfMarket>();

  constructor(
    private readonly config: ExchangeConfig,
    private readonly liquidity: LiquidityModels,
  ) {
    for (const event of config.events) this.addEvent(event);
  }

  event(id: EventId): VenueEvent | null {
    return this.eventsById.get(id) ?? null;
  }

  market(id: MarketId): Market | null {
    return this.marketsById.get(id) ?? null;
  }

  book(market: Market, mode: CurrencyMode): Book {
    return (this.booksOf.get(market) as BooksOfMarket)[mode];
  }

  /** A market's books in play money and in real money. */
  both(market: Market): readonly Book[] {
    return CURRENCY_MODES.map((mode) => this.book(market, mode));
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
    const market = new Market(config, event, event.markets.length);
    this.booksOf.set(market, {
      play_money: this.openBook(market, 'play_money'),
      real_money: this.openBook(market, 'real_money'),
    });
    event.markets.push(market);
    this.marketsById.set(config.id, market);
    return market;
  }

  private openBook(market: Market, mode: CurrencyMode): Book {
    const { fills, liquidity } = this;
    const { topN, fees } = this.config;
    const index = this.books.length;
    const book = new Book({ index, market, mode, fees: feeRates(fees[mode]), topN, fills, liquidity });
    this.books.push(book);
    return book;
  }
}
