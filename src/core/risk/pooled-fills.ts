import type { CountedFill } from './windows.js';

/** Fills of one side of a market within so long are put together first; then within four times as long, and so on. */
const FIRST_SLICE_US = 1_000;

/** What is judged is pooled within such a part of the time for which it counts, before anything else is pooled. */
const SLICES = 1_000;

/** Fills of one pool only are put together; null: not with any. */
type PoolOf = (fill: CountedFill) => string | null;

/** What pooling has to know of the fills. */
export interface Pooling {
  /** These concern the mark-out limit no more; they are put together first, and never with others. */
  readonly isJudged: (fill: CountedFill) => boolean;
  /** For how long a fill counts. */
  readonly keepUs: number;
}

/**
 * The same fills as so many entries at most: those of one side of a market that are near in time become one, of the time
 * of the last, so that it counts no shorter than any of them. None is left out, unless there are more sides than entries.
 * @param fills the oldest first; left as they are when they are few enough
 */
export function pooledTo(most: number, fills: readonly CountedFill[], pooling: Pooling): CountedFill[] {
  const { isJudged, keepUs } = pooling;
  const judgedOnly: PoolOf = (fill) => (isJudged(fill) ? 'judged' : null);
  const apart: PoolOf = (fill) => String(isJudged(fill));
  const fewer = pooledWithin(keepUs / SLICES, [...fills], most, judgedOnly);
  return pooledWithin(4 * keepUs, fewer, most, apart).slice(-most);
}

function pooledWithin(mostUs: number, fills: CountedFill[], most: number, poolOf: PoolOf): CountedFill[] {
  let left = fills;
  for (let sliceUs = FIRST_SLICE_US; sliceUs < mostUs && left.length > most; sliceUs *= 4)
    left = pooled(left, sliceUs, poolOf);
  return left;
}

function pooled(fills: readonly CountedFill[], sliceUs: number, poolOf: PoolOf): CountedFill[] {
  const wholes = new Map<unknown, CountedFill>();
  for (const fill of fills) {
    const { marketId, side, position, at } = fill;
    const pool = poolOf(fill);
    const key = pool === null ? fill : `${pool}/${marketId}/${side}/${position}/${Math.floor(at / sliceUs)}`;
    const whole = wholes.get(key);
    wholes.set(key, whole === undefined ? fill : together(whole, fill));
  }
  return [...wholes.values()].sort((one, other) => one.at - other.at);
}

function together(one: CountedFill, other: CountedFill): CountedFill {
  return {
    ...other,
    orderId: one.orderId === other.orderId ? one.orderId : undefined,
    shares: (one.shares + other.shares) as CountedFill['shares'],
    amount: (one.amount + other.amount) as CountedFill['amount'],
    fills: fillsIn(one) + fillsIn(other),
  };
}

/** One without shares only tells a price better. */
const fillsIn = ({ shares, fills }: CountedFill): number => (shares > 0 ? (fills ?? 1) : 0);
