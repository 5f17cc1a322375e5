import { defineModifier, param, type Quote } from 'oddsmith/sdk';

/**
 * Gives nothing away: a quote that is better than it has to be steps back to the best price of others (`join`), or to a
 * tick better (`improve`). With `reach` a quote that is behind the best price by no more than that comes forward to it.
 * It never comes nearer to the fair value than `edge`, nor as far as the other side of the book.
 */
export default defineModifier({
  name: 'join',
  mayImprove: true,
  params: {
    to: param.choice({
      values: ['join', 'improve'],
      default: 'join',
      help: 'the best price, or a tick better',
    }),
    reach: param.probability({ default: 0, max: 0.5, help: 'farthest that a quote comes forward' }),
    edge: param.probability({
      default: 0.005,
      max: 0.5,
      help: 'least distance from fair when coming forward',
    }),
  },
  apply({ bids, asks }, { book, fair, market, params }) {
    const step = params.to === 'improve' ? market.tick : 0;
    const move = (quotes: readonly Quote[], best: number | null, other: number | null, sign: 1 | -1) => {
      if (best === null || book.hidden.bids || book.hidden.asks) return quotes;
      // In the direction of better prices, for both sides.
      const goal = sign * best + step;
      const nearest = Math.min(
        fair === null ? Infinity : sign * fair.p - params.edge,
        other === null ? Infinity : sign * other - market.tick,
      );
      return quotes.flatMap((quote) => {
        const at = sign * quote.price;
        const forward = Math.min(goal, at + params.reach, nearest);
        const moved = at > goal ? goal : Math.max(at, forward);
        const price = sign * moved;
        return moved === at ? [quote] : price > 0 && price < 1 ? [{ ...quote, price }] : [];
      });
    };
    return { bids: move(bids, book.bid, book.ask, 1), asks: move(asks, book.ask, book.bid, -1) };
  },
});
