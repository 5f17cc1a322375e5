import type { Micros, PriceUnits } from '../../domain/units.js';
import { PRICE_ONE, probability } from '../../domain/units.js';
import type { HalfPriceUnits } from '../../exchange/contract.js';
import { formatMicroseconds } from '../../venues/futuur/protocol/timestamps.js';

export const optionalPrice = (price: PriceUnits | null): number | null =>
  price === null ? null : probability(price);

/** A mid-price, which may lie between two price units. */
export const midPrice = (price: HalfPriceUnits): number => price / (2 * PRICE_ONE);

export const optionalMidPrice = (price: HalfPriceUnits | null): number | null =>
  price === null ? null : midPrice(price);

export const optionalTime = (time: Micros | null): string | null =>
  time === null ? null : formatMicroseconds(time);

let lastTime: Micros | null = null;
let lastText = '';

/** As `formatMicroseconds`; the orders of a batch share their time, so the text before is kept. */
export function timeText(time: Micros): string {
  if (time !== lastTime) {
    lastText = formatMicroseconds(time);
    lastTime = time;
  }
  return lastText;
}
