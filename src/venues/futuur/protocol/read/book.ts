/** `GET /markets/{id}/book/` as the domain sees a book. */
import type { MarketId } from '../../../../domain/ids.js';
import type { AnswerBody } from '../../../../domain/answers.js';
import type { Levels } from '../../../../domain/levels.js';
import { type Money, type PriceUnits, SHARE_ONE, type Shares } from '../../../../domain/units.js';
import type { CurrencyMode, Side } from '../../../../domain/vocabulary.js';
import { readMoney, readShares } from '../decimals.js';
import { book, type BookLevel } from '../rest/book.js';
import { bestFirst, readLevels } from './levels.js';
import { place, type Placed } from './placed.js';

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

/** What a level states: the fees of all its shares (specification 2.7). */
interface LevelFees {
  readonly shares: Shares;
  readonly fees: Money;
}

/**
 * The dearest level's fee of a whole share, less what the sum over the level may have been rounded up by: never more than
 * it is, and the nearer to it the more shares stand there.
 */
export const feePerShare = (levels: readonly LevelFees[]): Money =>
  levels.reduce(
    (most, { shares, fees }) => Math.max(most, Math.ceil(((fees - 1) * SHARE_ONE) / shares)),
    0,
  ) as Money;

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
