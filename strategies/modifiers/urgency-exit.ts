import { defineModifier, param, passiveAsk, passiveBid, type Quote } from 'oddsmith/sdk';

/**
 * Brings the side that reduces the inventory nearer, the more urgent it is, and drops the other one at full urgency.
 *
 *     u = max(|net| / maxInventory, 1 - time left / fromMs), from `start` on, bounded to 1
 *     exit price = own price + u' (fair -+ edge - own price),    u' = (u - start) / (1 - start)
 *
 * It stays passive: the exit waits for a taker, and what it reaches of the other side goes.
 */
export default defineModifier({
  name: 'urgency-exit',
  mayImprove: true,
  params: {
    maxInventory: param.shares({ default: 100, min: 0.01, help: 'net shares of full urgency' }),
    fromMs: param.ms({
      default: 300_000,
      max: 31_536_000_000,
      help: 'urgency grows from this long before the close',
    }),
    start: param.ratio({ default: 0.5, min: 0, max: 0.99, help: 'urgency at which quotes begin to move' }),
    edge: param.probability({ default: 0, max: 0.5, help: 'distance from fair at full urgency' }),
  },
  apply({ bids, asks }, context) {
    const { fair, inventory, event, params } = context;
    const { net } = inventory;
    if (fair === null || net === 0) return { bids, asks };
    const late = event.msToClose === null ? 0 : 1 - event.msToClose / params.fromMs;
    const urgency = Math.min(1, Math.max(Math.abs(net) / params.maxInventory, late));
    const share = (urgency - params.start) / (1 - params.start);
    if (share <= 0) return { bids, asks };
    const goal = fair.p + (net > 0 ? params.edge : -params.edge);
    const nearer = (quotes: readonly Quote[]) =>
      quotes.flatMap((quote) => {
        const wanted = quote.price + share * (goal - quote.price);
        const price = net > 0 ? passiveAsk(wanted, context) : passiveBid(wanted, context);
        return price === null ? [] : [{ ...quote, price }];
      });
    const other = (net > 0 ? bids : asks).filter(() => share < 1);
    if (net > 0) {
      const exits = nearer(asks);
      const best = Math.min(...exits.map(({ price }) => price));
      return { bids: other.filter(({ price }) => price < best - FLOAT_NOISE), asks: exits };
    }
    const exits = nearer(bids);
    const best = Math.max(...exits.map(({ price }) => price));
    return { bids: exits, asks: other.filter(({ price }) => price > best + FLOAT_NOISE) };
  },
});

/** Prices that differ by less are one. */
const FLOAT_NOISE = 1e-9;
