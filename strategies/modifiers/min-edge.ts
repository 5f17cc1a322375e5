import { defineModifier, param, type Quote } from 'oddsmith/sdk';

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
      bids: keptOff(bids, ({ price }) => price > highest, highest),
      asks: keptOff(asks, ({ price }) => price < lowest, lowest),
    };
  },
});

/** Moves quotes that are too near to the nearest price that is not; where there is none, they are dropped. */
const keptOff = (quotes: readonly Quote[], isNear: (quote: Quote) => boolean, nearest: number) =>
  !quotes.some(isNear)
    ? quotes
    : quotes
        .map((quote) => (isNear(quote) ? { ...quote, price: nearest } : quote))
        .filter(({ price }) => price > 0 && price < 1);
