/** Getting rid of positions by taking what others quote. */
import type { OutcomeContext, Take } from './contract.js';
import { reachesMinimum } from './quoting.js';

export interface Unwinding {
  /** Net shares of an outcome, long or short, that may stay. */
  readonly keep: number;
  /** Most that a share may cost against its fair value, taker fee included. */
  readonly cost: number;
}

/**
 * Takes that bring every outcome back to `keep` net shares: a long position is sold to the bids, a short one bought back from the
 * asks, as far as they are no worse than fair -+ cost. Together they stay within `room.taking`, the largest position first. An
 * outcome without a fair value stays as it is.
 */
export function unwindTakes(markets: readonly OutcomeContext[], { keep, cost }: Unwinding): readonly Take[] {
  const excess = ({ inventory }: OutcomeContext) => Math.abs(inventory.net) - keep;
  const beyond = markets.filter((one) => excess(one) > 0).toSorted((a, b) => excess(b) - excess(a));
  let left = beyond[0]?.room.taking ?? 0;
  return beyond.flatMap(({ market, book, fair, inventory }) => {
    if (fair === null) return [];
    const side = inventory.net > 0 ? 'ask' : 'bid';
    const sign = side === 'bid' ? 1 : -1;
    const worst = fair.p + sign * (cost - market.takerFee);
    const levels = (side === 'bid' ? book.asks : book.bids).filter(
      (level) => sign * (worst - level.price) >= -FLOAT_NOISE,
    );
    const wanted = Math.abs(inventory.net) - keep;
    let shares = 0;
    let price: number | null = null;
    for (const level of levels) {
      if (shares >= wanted) break;
      shares = Math.min(wanted, shares + level.shares);
      price = level.price;
    }
    if (price === null) return [];
    const each = side === 'bid' ? price : 1 - price;
    const within = Math.min(shares, hundredths(left / each));
    if (!reachesMinimum(price, within, market)) return [];
    left -= each * within;
    return [{ marketId: market.id, side, price, shares: within }];
  });
}

const FLOAT_NOISE = 1e-9;
/** Rounded down to what can be ordered. */
const hundredths = (shares: number): number => Math.floor(shares * 100 + FLOAT_NOISE) / 100;
