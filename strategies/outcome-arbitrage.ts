import { defineEventStrategy, param, type Take } from 'oddsmith/sdk';

/**
 * Trades all outcomes of an event at once where their prices cannot all be right. It quotes nothing.
 *
 *     buys all,  if  sum of (ask_i + fee_i) + edge <= least winners
 *     sells all, if  sum of (bid_i - fee_i) - edge >= most winners
 *
 * One share of each outcome pays at least the least winners, and at most the most. `limits.taking` has to allow the amount. The
 * legs are orders of their own: one may come too late. What a leg lacks is asked for the next time, so holdings even out.
 */
export default defineEventStrategy({
  name: 'outcome-arbitrage',
  params: {
    edge: param.probability({
      default: 0.005,
      max: 0.5,
      help: 'least gain for one share of each outcome, after fees',
    }),
    shares: param.shares({ default: 10, min: 0.01, help: 'shares of each outcome at one time' }),
    maxInventory: param.shares({ default: 100, help: 'net shares of an outcome at which it stops' }),
    pauseMs: param.ms({
      default: 1_000,
      min: 1,
      help: 'time between two attempts: fills and books come late',
    }),
  },
  initialState: { triedMs: 0 },
  quote({ event, markets, params, state, nowMs }) {
    const nothing = { ladders: {} };
    if (markets.length < event.markets.length || nowMs - state.triedMs < params.pauseMs) return nothing;
    const buys = legsOf('bid');
    const sells = legsOf('ask');
    const gain = (takes: readonly Take[], winners: number, sign: 1 | -1) =>
      takes.length < markets.length
        ? -1
        : sign * winners -
          takes.reduce((sum, take, at) => sum + sign * take.price + markets[at]!.market.takerFee, 0);
    if (event.winners.least > 0 && gain(buys, event.winners.least, 1) >= params.edge - FLOAT_NOISE)
      return { ...nothing, takes: buys, state: { triedMs: nowMs } };
    if (gain(sells, event.winners.most, -1) >= params.edge - FLOAT_NOISE)
      return { ...nothing, takes: sells, state: { triedMs: nowMs } };
    return nothing;

    /** A leg in every outcome, or none: where one has no price, no shares or no room, nothing is certain. */
    function legsOf(side: 'bid' | 'ask'): readonly Take[] {
      const sign = side === 'bid' ? 1 : -1;
      const held = markets.map(({ inventory }) => sign * inventory.net);
      const offered = markets.map(({ book }) => (side === 'bid' ? book.asks : book.bids)[0]?.shares ?? 0);
      const goal = Math.min(Math.max(...held) + Math.min(params.shares, ...offered), params.maxInventory);
      return markets.flatMap(({ market, book }, at) => {
        const price = side === 'bid' ? book.ask : book.bid;
        const shares = Math.min(goal - held[at]!, offered[at]!);
        return price === null || shares <= 0 ? [] : [{ marketId: market.id, side, price, shares }];
      });
    }
  },
});

const FLOAT_NOISE = 1e-9;
