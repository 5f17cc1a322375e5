import { defineModifier, glostenMilgrom, param } from 'oddsmith/sdk';

/**
 * Keeps quotes no nearer than those that break even against informed takers (Glosten and Milgrom, 1985). With m the share
 * of takers who know the outcome:
 *
 *     bid <= p (1 - m) / (1 - m (2p - 1)),    ask >= p (1 + m) / (1 + m (2p - 1))
 */
export default defineModifier({
  name: 'glosten-milgrom',
  params: {
    informed: param.ratio({ default: 0.05, min: 0, max: 0.99, help: 'share of informed takers' }),
  },
  apply({ bids, asks }, { fair, params }) {
    if (fair === null || fair.p <= 0 || fair.p >= 1) return { bids: [], asks: [] };
    const { bid, ask } = glostenMilgrom(fair.p, params.informed);
    return {
      bids: bids.map((quote) => (quote.price <= bid ? quote : { ...quote, price: bid })),
      asks: asks.map((quote) => (quote.price >= ask ? quote : { ...quote, price: ask })),
    };
  },
});
