import { defineStrategy, param, quoteAt } from 'oddsmith/sdk';

/** The same bid and ask whatever the market does. */
export default defineStrategy({
  name: 'fixed-prices',
  params: {
    bid: param.probability({ default: 0.48, help: 'price of the bid' }),
    ask: param.probability({ default: 0.52, help: 'price of the ask' }),
    shares: param.shares({ default: 10, help: 'shares of each' }),
  },
  quote({ params: { bid, ask, shares } }) {
    return { bids: [quoteAt(bid, shares, { fair: bid })], asks: [quoteAt(ask, shares, { fair: ask })] };
  },
});
