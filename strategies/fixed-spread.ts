import {
  defineStrategy,
  type MarketView,
  NO_QUOTES,
  param,
  passiveAsk,
  passiveBid,
  type Quote,
  quoteAt,
  reachesMinimum,
} from 'oddsmith/sdk';

/**
 * Quotes a constant distance around the fair value, on up to ten levels a side.
 *
 *     bid_j = min(fair - halfSpread, best foreign ask - tick) - j levelGap,    j = 0, 1, ...
 *     ask_j = max(fair + halfSpread, best foreign bid + tick) + j levelGap
 *
 * It takes no view on inventory but a bound: at `maxInventory` net shares the side that would add to it is left out,
 * and the level on which the bound is reached is cut to what is left. Quotes keep one tick away from the other side
 * of the foreign book, because the venue has no post-only orders.
 *
 * The baseline every other strategy has to beat: it earns the spread and loses to whoever knows more (Glosten and
 * Milgrom, 1985).
 */
export default defineStrategy({
  name: 'fixed-spread',
  params: {
    halfSpread: param.probability({
      default: 0.02,
      min: 0.0001,
      max: 0.5,
      help: 'distance of the first level from fair',
    }),
    shares: param.shares({ default: 10, min: 0.01, help: 'shares on each level' }),
    levels: param.count({ default: 1, min: 1, max: 10, help: 'levels a side' }),
    levelGap: param.probability({ default: 0.01, min: 0.0001, max: 0.5, help: 'distance between levels' }),
    maxInventory: param.shares({ default: 100, help: 'net shares, long or short, at which a side stops' }),
    maxFairAgeMs: param.ms({ default: 60_000, help: 'a fair value older than this is not quoted on' }),
  },
  depth: ({ levels }) => levels,
  quote(context) {
    const { fair, inventory, market, params } = context;
    if (fair === null || fair.ageMs > params.maxFairAgeMs) return NO_QUOTES;
    const { halfSpread, maxInventory } = params;
    const bid = passiveBid(fair.p - halfSpread, context);
    const ask = passiveAsk(fair.p + halfSpread, context);
    const bids = { first: bid, sign: -1, fair: fair.p, room: maxInventory - inventory.net } as const;
    const asks = { first: ask, sign: 1, fair: fair.p, room: maxInventory + inventory.net } as const;
    return { bids: levelsOf(bids, params, market), asks: levelsOf(asks, params, market) };
  },
});

interface Side {
  /** Price of the first level; null when none can stand. */
  readonly first: number | null;
  /** Away from the fair value. */
  readonly sign: 1 | -1;
  readonly fair: number;
  /** Shares until the inventory bound. */
  readonly room: number;
}

interface Depth {
  readonly halfSpread: number;
  readonly shares: number;
  readonly levels: number;
  readonly levelGap: number;
}

function levelsOf({ first, sign, fair, room }: Side, depth: Depth, market: MarketView): readonly Quote[] {
  if (first === null) return [];
  const quotes: Quote[] = [];
  const middle = { label: 'fair', value: fair };
  const spread = { label: 'half-spread', value: sign * depth.halfSpread };
  for (let level = 0; level < depth.levels; level++) {
    const distance = sign * level * depth.levelGap;
    const price = first + distance;
    const shares = Math.min(depth.shares, room - level * depth.shares);
    if (price <= 0 || price >= 1 || !reachesMinimum(price, shares, market)) break;
    quotes.push(quoteAt(price, shares, [middle, spread, { label: 'level', value: distance }]));
  }
  return quotes;
}
