import { defineModifier, param, type Quote } from 'oddsmith/sdk';

/**
 * Bounds the net shares held over all outcomes of an event: what would add to the sum of |net| stops at `maxShares`.
 * Quotes that reduce the inventory of their own outcome always pass.
 */
export default defineModifier({
  name: 'event-cap',
  params: {
    maxShares: param.shares({ default: 500, help: 'most net shares, added up over the outcomes' }),
  },
  apply({ bids, asks }, { event, inventory, market, params }) {
    let others = 0;
    for (const one of event.markets) if (one.id !== market.id) others += Math.abs(one.inventory);
    const { net } = inventory;
    const bound = Math.max(0, params.maxShares - others);
    // What reduces |net| to nothing is free; beyond that the bound counts.
    return {
      bids: within(bids, Math.max(0, -net, bound - net)),
      asks: within(asks, Math.max(0, net, bound + net)),
    };
  },
});

/** The nearest quotes that fit into so many shares; the last one is cut. */
function within(quotes: readonly Quote[], most: number): readonly Quote[] {
  let left = most;
  const kept: Quote[] = [];
  for (const quote of quotes) {
    if (left <= 0) break;
    kept.push(quote.shares <= left ? quote : { ...quote, shares: left });
    left -= quote.shares;
  }
  return kept.length === quotes.length && kept.every((quote, at) => quote === quotes[at]) ? quotes : kept;
}
