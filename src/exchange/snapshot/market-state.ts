import type { OrderId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { Book } from '../books/books.js';
import type { EventConfig, MarketConfig } from '../contract.js';
import type { Floor } from '../floor.js';
import type { SavedForeignBook } from '../books/foreign-book.js';
import type { LedgerColumns } from '../books/market-ledger.js';
import type { Market, VenueEvent } from '../markets/markets.js';
import type { PriceSample } from '../books/price-history.js';
import type { SavedTop } from '../books/published-top.js';

type MarketState = Pick<Market, 'status' | 'disabled' | 'resolution'> & {
  readonly prices: readonly (number | null)[];
  /** `event`: it has no bet end of its own. */
  readonly ownBetEnd: Micros | null | 'event';
};

type EventState = Pick<VenueEvent, 'status' | 'isLive' | 'extraData' | 'resolvedAt'> & {
  readonly volume: readonly number[];
  readonly wagers: readonly number[];
  readonly histories: readonly (readonly PriceSample[])[];
};

/** An event as plain JSON. */
export interface SavedEvent {
  readonly config: EventConfig;
  readonly state: EventState;
  readonly markets: readonly { readonly config: MarketConfig; readonly state: MarketState }[];
}

/** A book as plain JSON, its orders by their rows. */
export interface SavedBook {
  readonly ledger: LedgerColumns;
  readonly published: SavedTop;
  readonly foreign: SavedForeignBook;
  readonly waiting: readonly OrderId[];
  readonly lastTrade: number;
}

/** In the order in which they were added. */
export const saveEvents = ({ markets }: Floor): readonly SavedEvent[] => markets.events.map(saveEvent);

function saveEvent(event: VenueEvent): SavedEvent {
  const { config, status, isLive, extraData, resolvedAt, volume, wagers, histories } = event;
  const state = {
    status,
    isLive,
    extraData,
    resolvedAt,
    volume: [...volume],
    wagers: [...wagers],
    histories: histories.map(({ samples }) => samples),
  };
  return { config: { ...config, markets: [] }, state, markets: event.markets.map(saveMarket) };
}

function saveMarket({ config, status, disabled, resolution, prices, ownBetEnd }: Market) {
  const state = { status, disabled, resolution, prices: [...prices], ownBetEnd: betEndState(ownBetEnd) };
  return { config, state };
}

const betEndState = (betEnd: Micros | null | undefined): MarketState['ownBetEnd'] =>
  betEnd === undefined ? 'event' : betEnd;

/** Adds saved events to an exchange that has none. */
export function loadEvents(floor: Floor, events: readonly SavedEvent[]): void {
  for (const { config, state, markets } of events) {
    const event = floor.markets.addEvent(config);
    loadEvent(event, state);
    for (const saved of markets) loadMarket(floor.markets.addMarket(event, saved.config), saved.state);
  }
}

function loadEvent(event: VenueEvent, { volume, wagers, histories, ...state }: EventState): void {
  Object.assign(event, state);
  event.volume.set(volume);
  event.wagers.set(wagers);
  for (const [mode, history] of event.histories.entries()) history.samples = [...(histories[mode] ?? [])];
}

function loadMarket(market: Market, { prices, ownBetEnd, ...state }: MarketState): void {
  Object.assign(market, state);
  market.ownBetEnd = ownBetEnd === 'event' ? undefined : ownBetEnd;
  market.prices[0] = prices[0] ?? null;
  market.prices[1] = prices[1] ?? null;
}

/** In the order of their indexes. */
export const saveBooks = ({ markets }: Floor): readonly SavedBook[] => markets.books.map(saveBook);

const saveBook = ({ ledger, published, foreign, waiting, lastTrade }: Book): SavedBook => ({
  ledger: ledger.copy(),
  published: published.save(),
  foreign: foreign.save(),
  waiting,
  lastTrade,
});

/** Fills the books of loaded events. */
export function loadBooks(floor: Floor, books: readonly SavedBook[]): void {
  for (const [index, saved] of books.entries()) {
    const book = floor.markets.bookAt(index);
    book.ledger.restore(saved.ledger);
    book.published.load(saved.published);
    book.foreign.load(saved.foreign);
    book.waiting = [...saved.waiting];
    book.lastTrade = saved.lastTrade;
  }
}
