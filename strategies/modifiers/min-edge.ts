import { defineModifier, param } from 'oddsmith/sdk';

/**
 * Keeps every quote at least `edge` from the fair value after the maker fee. A rebate brings quotes nearer.
 *
 *     bid <= fair - edge - fee,    ask >= fair + edge + fee
 */
export default defineModifier({
  name: 'min-edge',
  params: {
    edge: param.probability({ default: 0.01, max: 0.5, help: 'least distance from fair, after fees' }),
  },
  apply({ bids, asks }, { fair, market, params }) {
    if (fair === null) return { bids: [], asks: [] };
    const distance = params.edge + market.makerFee;
    const highest = fair.p - distance;
    const lowest = fair.p + distance;
    return {
      bids: bids.flatMap((quote) =>
        quote.price <= highest ? [quote] : highest > 0 ? [{ ...quote, price: highest }] : [],
      ),
      asks: asks.flatMap((quote) =>
        quote.price >= lowest ? [quote] : lowest < 1 ? [{ ...quote, price: lowest }] : [],
      ),
    };
  },
});
