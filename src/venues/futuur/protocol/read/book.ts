/** Book levels of both sources: realtime top-N and REST. */
import type { Levels } from '../../../../domain/levels.js';
import type { PriceUnits, Shares } from '../../../../domain/units.js';
import type { Side, CurrencyMode } from '../../../../domain/vocabulary.js';
import { feePerShare, type LevelFees, readPrice, readShares, readMoney } from '../decimals.js';
import { PlacementError, place, type Placed } from './placed.js';
import type { MarketId } from '../../../../domain/ids.js';
import type { AnswerBody } from '../../../../domain/answers.js';
import { book, type BookLevel } from '../rest/events.js';

interface WireLevel {
  readonly price: number;
  readonly total_shares: number;
}

/**
 * Levels best first. The levels are absolute, so one that stands out of order is put in its place. Shares finer
 * than 0.01 are floored; a level that is empty then is left out.
 * @throws PlacementError when a price occurs twice; DecimalError when it is off the grid of 0.0001
 */
export function readLevels(side: Side, wire: readonly WireLevel[]): Levels {
  const prices: PriceUnits[] = [];
  const shares: Shares[] = [];
  for (const level of bestFirst(side, wire)) {
    const amount = readShares(level.total_shares, side, 'floor');
    if (amount === 0) continue;
    prices.push(readPrice(level.price, side));
    shares.push(amount);
  }
  return { prices, shares };
}

/** Best level first, each price once; the very array when it was so already. @throws PlacementError */
function bestFirst<Level extends WireLevel>(side: Side, levels: readonly Level[]): readonly Level[] {
  if (isStrictlyWorsening(side, levels)) return levels;
  const sorted = levels.toSorted((left, right) =>
    side === 'bid' ? right.price - left.price : left.price - right.price,
  );
  if (isStrictlyWorsening(side, sorted)) return sorted;
  throw new PlacementError(`${side}: a price stands twice`);
}

function isStrictlyWorsening(side: Side, levels: readonly WireLevel[]): boolean {
  for (let index = 1; index < levels.length; index++) {
    const step = levels[index]!.price - levels[index - 1]!.price;
    if (side === 'bid' ? step >= 0 : step <= 0) return false;
  }
  return true;
}

/** `GET /markets/{id}/book/` as the domain sees a book. */

type ReadBook = Extract<AnswerBody, { readonly kind: 'read-book' }>;

/** Long-side levels best first; own shares stand beside them when the request was signed. */
export const readBook = (received: unknown, marketId: MarketId, mode: CurrencyMode): Placed<ReadBook> =>
  place(book, received, (wire) => {
    const bid = readSide('bid', wire.bid);
    const ask = readSide('ask', wire.ask);
    return {
      kind: 'read-book',
      marketId,
      mode,
      bids: bid.levels,
      asks: ask.levels,
      ownBids: bid.own,
      ownAsks: ask.own,
      feePerShare: feePerShare([...bid.fees, ...ask.fees]),
    };
  });

interface ReadSide {
  readonly levels: Levels;
  readonly own: readonly Shares[] | null;
  readonly fees: readonly LevelFees[];
}

function readSide(side: Side, wire: readonly BookLevel[]): ReadSide {
  const kept = bestFirst(side, wire).filter((level) => readShares(level.total_shares, side, 'floor') > 0);
  const levels = readLevels(side, kept);
  const fees = kept.map((level, index) => ({
    shares: levels.shares[index]!,
    fees: readMoney(level.total_fees, 'total_fees', 'floor'),
  }));
  return { levels, own: ownShares(kept, levels.prices), fees };
}

/** null when the venue did not say for every level. */
function ownShares(wire: readonly BookLevel[], prices: readonly PriceUnits[]): readonly Shares[] | null {
  const stated = wire.flatMap(({ total_user_shares: own }) =>
    own === undefined ? [] : [readShares(own, 'total_user_shares', 'floor')],
  );
  return stated.length === prices.length ? stated : null;
}
