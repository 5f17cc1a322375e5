import type { Levels } from '../../domain/levels.js';
import type { RecordedLine } from '../../domain/recorded.js';
import { PRICE_ONE, SHARE_ONE } from '../../domain/units.js';

const MICROS_PER_MS = 1_000;

/** One line of the neutral form, without the line feed; {@link parseNeutral} reads it back. */
export function writeNeutralLine(line: RecordedLine): string {
  const head = {
    t: Math.floor(line.at / MICROS_PER_MS),
    type: line.kind,
    event: line.eventId,
    market: line.marketId,
  };
  if (line.kind === 'book') return JSON.stringify({ ...head, bid: pairs(line.bids), ask: pairs(line.asks) });
  if (line.kind === 'trade')
    return JSON.stringify({
      ...head,
      price: line.price / PRICE_ONE,
      shares: line.shares / SHARE_ONE,
      taker_side: line.takerSide,
    });
  const resolution = line.resolution === 'void' ? null : line.resolution;
  return JSON.stringify({
    ...head,
    status: line.status,
    resolution,
    ...(line.resolution === 'void' ? { void: true } : {}),
    ...(line.inPlay ? { inplay: true } : {}),
  });
}

const pairs = ({ prices, shares }: Levels): readonly (readonly [number, number])[] =>
  prices.map((price, index) => [price / PRICE_ONE, shares[index]! / SHARE_ONE]);
