import {
  defineStrategy,
  NO_QUOTES,
  param,
  passiveAsk,
  passiveBid,
  type Quote,
  type Step,
} from 'oddsmith/sdk';

/**
 * Quotes a constant distance around the fair value, on up to ten levels a side.
 *
 * bid_j = fair - halfSpread - j * levelGap, ask_j = fair + halfSpread + j * levelGap, j = 0, 1, ...
 *
 * It takes no view on inventory but a bound: at `maxInventory` net shares the side that would add to it is left
 * out, and the last level before it is cut to what is left. Quotes are kept one tick away from the other side of
 * the foreign book, because the venue has no post-only orders.
 *
 * The baseline every other strategy has to beat; it earns the spread and loses to whoever knows more.
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
    maxInventory: param.shares({
      default: 100,
      help: 'net shares, long or short, beyond which a side stops',
    }),
  },
  quote({ book, fair, inventory, market, params }) {
    if (fair === null) return NO_QUOTES;
    const bids: Quote[] = [];
    const asks: Quote[] = [];
    let roomLong = params.maxInventory - inventory.net;
    let roomShort = params.maxInventory + inventory.net;
    for (let level = 0; level < params.levels; level++) {
      const distance = params.halfSpread + level * params.levelGap;
      const bid = passiveBid(fair.p - distance, book, market.tick);
      const ask = passiveAsk(fair.p + distance, book, market.tick);
      const bidShares = Math.min(params.shares, roomLong);
      const askShares = Math.min(params.shares, roomShort);
      if (bid !== null && bidShares > 0)
        bids.push({ price: bid, shares: bidShares, reason: steps(fair.p, -distance, bid) });
      if (ask !== null && askShares > 0)
        asks.push({ price: ask, shares: askShares, reason: steps(fair.p, distance, ask) });
      roomLong -= bidShares;
      roomShort -= askShares;
    }
    return { bids, asks };
  },
});

function steps(fair: number, distance: number, price: number): readonly Step[] {
  return [
    { label: 'fair', value: fair },
    { label: 'half-spread', value: distance },
    { label: 'passive', value: price },
  ];
}
