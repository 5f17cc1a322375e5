/** `GET /markets/{id}/book/` as the domain sees a book. */
import type { MarketId } from '../../domain/ids.js';
import type { AnswerBody, Levels } from '../../domain/inputs.js';
import type { PriceUnits, Shares } from '../../domain/units.js';
import type { CurrencyMode, Side } from '../../domain/vocabulary.js';
import { readShares } from '../decimals.js';
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
    };
  });

function readSide(side: Side, wire: readonly BookLevel[]): { levels: Levels; own: readonly Shares[] | null } {
  const kept = bestFirst(side, wire).filter((level) => readShares(level.total_shares, side, 'floor') > 0);
  const levels = readLevels(side, kept);
  return { levels, own: ownShares(kept, levels.prices) };
}

/** null when the venue did not say for every level. */
function ownShares(wire: readonly BookLevel[], prices: readonly PriceUnits[]): readonly Shares[] | null {
  const stated = wire.flatMap(({ total_user_shares: own }) =>
    own === undefined ? [] : [readShares(own, 'total_user_shares', 'floor')],
  );
  return stated.length === prices.length ? stated : null;
}
