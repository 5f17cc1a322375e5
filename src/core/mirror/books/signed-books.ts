import type { AnswerBody } from '../../../domain/answers.js';
import type { Levels } from '../../../domain/levels.js';
import { priceToTicks, type Shares, type Ticks, ZERO_SHARES } from '../../../domain/units.js';

/** One side of a signed book read: per level what is not ours, as the venue counts it. */
export interface SignedSide {
  readonly ticks: readonly Ticks[];
  readonly foreign: readonly Shares[];
}

/**
 * The last signed `GET book` (specification 2.7), down to where enough of it is foreign. It alone tells what lies behind
 * the levels that updates show.
 */
export interface SignedBook {
  readonly bids: SignedSide;
  readonly asks: SignedSide;
}

/**
 * Keeps what a signed read said of the best levels.
 * @param foreign levels with foreign shares to keep per side
 * @returns null when the read was not signed or a price is off the grid
 */
export function signedBook(
  read: Extract<AnswerBody, { kind: 'read-book' }>,
  tickUnits: number,
  foreign: number,
): SignedBook | null {
  if (read.ownBids === null || read.ownAsks === null) return null;
  const bids = signedSide(read.bids, read.ownBids, tickUnits, foreign);
  const asks = signedSide(read.asks, read.ownAsks, tickUnits, foreign);
  return bids === null || asks === null ? null : { bids, asks };
}

function signedSide(
  levels: Levels,
  own: readonly Shares[],
  tickUnits: number,
  foreign: number,
): SignedSide | null {
  const side = { ticks: [] as Ticks[], foreign: [] as Shares[] };
  let found = 0;
  for (let level = 0; level < levels.prices.length && found < foreign; level++) {
    const tick = priceToTicks(levels.prices[level]!, tickUnits);
    if (tick === null) return null;
    const others = Math.max(0, levels.shares[level]! - (own[level] ?? ZERO_SHARES)) as Shares;
    side.ticks.push(tick);
    side.foreign.push(others);
    if (others > 0) found += 1;
  }
  return side;
}
