/** `GET /events/{id}/price_history/` (specification 2.8, 4.15). */
import type { EventId } from '../../domain/ids.js';
import type { CurrencyMode, TimeInterval } from '../../domain/vocabulary.js';
import { modeCode } from '../codes.js';
import type { PriceHistoryView, PricePoint } from '../contract.js';
import type { Floor } from '../floor.js';
import type { VenueEvent } from '../markets/markets.js';
import type { PriceSample } from '../books/price-history.js';

/** Points of the interval that ends now; null: unknown event. */
export function readPriceHistory(
  floor: Floor,
  id: EventId,
  mode: CurrencyMode,
  interval: TimeInterval | null,
): PriceHistoryView | null {
  const event = floor.markets.event(id);
  if (event === null) return null;
  const code = modeCode(mode) === 0 ? 0 : 1;
  const samples = event.histories[code].within(interval ?? 'all_time', floor.now);
  return { mode, interval: interval ?? 'all_time', points: samples.map((sample) => pointOf(event, sample)) };
}

function pointOf(event: VenueEvent, { at, prices }: PriceSample): PricePoint {
  const outcomes = event.markets.flatMap(({ id, config, order }) => {
    const price = prices[order] ?? 0;
    return price === 0 ? [] : [{ marketId: id, title: config.title, price }];
  });
  return { at, outcomes };
}
