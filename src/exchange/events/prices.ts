import type { Micros, Money } from '../../domain/units.js';
import { EVENT_STATUSES, MARKET_STATUSES, RESOLUTIONS, type CurrencyMode } from '../../domain/vocabulary.js';
import { modeAt } from '../codes.js';
import type { HalfPriceUnits, MarketPrice, PriceChangeEvent } from '../contract.js';
import type { EventId } from '../../domain/ids.js';
import type { Floor } from '../floor.js';
import type { Market, VenueEvent } from '../markets/markets.js';
import { isTradable } from '../markets/tradability.js';
import { PRICE_CHANGE } from './event-log.js';

const EVENT = 0;
const MODE = 1;
const STATUS = 2;
const WAGERABLE = 3;
const WAGERS_PLAY = 4;
const WAGERS_REAL = 5;
const VOLUME_PLAY = 6;
const VOLUME_REAL = 7;
/** From here on the cells of each market, in the event's order. */
const MARKETS = 8;

const MARKET_STATUS = 0;
const RESOLUTION = 1;
const PLAY = 2;
const REAL = 3;
const MARKET_CELLS = 4;

/** Of a resolution or a price: there is none. */
const NONE = -1;

/** Says the prices of all markets of an event. @param mode code */
export function sayPrices({ outbox: { log }, now }: Floor, event: VenueEvent, mode: number): void {
  const { markets, wagers, volume } = event;
  const start = log.open(PRICE_CHANGE, MARKETS + MARKET_CELLS * markets.length);
  const { cells } = log;
  cells[start + EVENT] = event.id;
  cells[start + MODE] = mode;
  cells[start + STATUS] = statusCode(event.status, EVENT_STATUSES);
  cells[start + WAGERABLE] = hasTradable(event, now) ? 1 : 0;
  cells[start + WAGERS_PLAY] = wagers[0] as number;
  cells[start + WAGERS_REAL] = wagers[1] as number;
  cells[start + VOLUME_PLAY] = volume[0] as number;
  cells[start + VOLUME_REAL] = volume[1] as number;
  for (let place = 0; place < markets.length; place++)
    writeMarket(cells, start + MARKETS + MARKET_CELLS * place, markets[place] as Market);
}

function hasTradable({ markets }: VenueEvent, now: Micros): boolean {
  for (const market of markets) if (isTradable(market, now)) return true;
  return false;
}

/** Nearly always the first one. */
const statusCode = <Status>(status: Status, statuses: readonly Status[]): number =>
  status === statuses[0] ? 0 : statuses.indexOf(status);

function writeMarket(cells: Float64Array, start: number, { status, resolution, prices }: Market): void {
  cells[start + MARKET_STATUS] = statusCode(status, MARKET_STATUSES);
  cells[start + RESOLUTION] = resolution === null ? NONE : RESOLUTIONS.indexOf(resolution);
  cells[start + PLAY] = prices[0] ?? NONE;
  cells[start + REAL] = prices[1] ?? NONE;
}

export function readPrices(floor: Floor, start: number): PriceChangeEvent {
  const { cells } = floor.outbox.log;
  const id = cells[start + EVENT] as EventId;
  const markets = floor.markets.event(id)?.markets ?? [];
  const mode = modeAt(cells[start + MODE] as number);
  return {
    kind: 'price-change',
    eventId: id,
    mode,
    status: EVENT_STATUSES[cells[start + STATUS] as number] as PriceChangeEvent['status'],
    wagerable: cells[start + WAGERABLE] === 1,
    wagersPlayMoney: cells[start + WAGERS_PLAY] as number,
    wagersRealMoney: cells[start + WAGERS_REAL] as number,
    volumePlayMoney: cells[start + VOLUME_PLAY] as Money,
    volumeRealMoney: cells[start + VOLUME_REAL] as Money,
    markets: inOrder(
      markets.map((market, place) => readMarket(cells, start + MARKETS + MARKET_CELLS * place, market)),
      mode,
    ),
  };
}

/** The mode controls the order (specification 6.3): the likeliest first, those without a price last. */
const inOrder = (markets: readonly MarketPrice[], mode: CurrencyMode): readonly MarketPrice[] =>
  markets.length < 2 ? markets : markets.toSorted((a, b) => priceIn(b, mode) - priceIn(a, mode));

const priceIn = ({ playMoney, realMoney }: MarketPrice, mode: CurrencyMode): number =>
  (mode === 'play_money' ? playMoney : realMoney) ?? NONE;

const readMarket = (cells: Float64Array, start: number, { id }: Market): MarketPrice => ({
  marketId: id,
  status: MARKET_STATUSES[cells[start + MARKET_STATUS] as number] as MarketPrice['status'],
  resolution: readResolution(cells[start + RESOLUTION] as number),
  playMoney: readPrice(cells, start + PLAY),
  realMoney: readPrice(cells, start + REAL),
});

/** An array asked for a place below zero looks for a name, all the way up its prototypes. */
const readResolution = (code: number): MarketPrice['resolution'] =>
  code === NONE ? null : (RESOLUTIONS[code] as MarketPrice['resolution']);

const readPrice = (cells: Float64Array, at: number): HalfPriceUnits | null =>
  cells[at] === NONE ? null : (cells[at] as HalfPriceUnits);
