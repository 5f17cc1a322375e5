import {
  defineStrategy,
  type FieldValues,
  NO_QUOTES,
  param,
  passiveAsk,
  passiveBid,
  type Quote,
  quoteAt,
  reachesMinimum,
  type TouchView,
  type WorkingQuote,
} from 'oddsmith/sdk';

const BAND = {
  minMargin: param.probability({ default: 0.01, min: 0.0001, help: 'nearest distance from fair' }),
  avgMargin: param.probability({ default: 0.02, min: 0.0001, help: 'distance of new quotes' }),
  maxMargin: param.probability({ default: 0.03, min: 0.0001, help: 'farthest distance from fair' }),
  minShares: param.shares({ default: 5, help: 'below this the band is filled up' }),
  avgShares: param.shares({ default: 10, help: 'shares after filling up' }),
  maxShares: param.shares({ default: 20, help: 'what exceeds this is cancelled' }),
} as const;
type Band = FieldValues<typeof BAND>;

/**
 * Keeps orders inside bands of distance from the fair value and leaves them alone there (the bands of market-maker
 * keepers). For each band of a side:
 *
 *     orders outside every band, and what exceeds maxShares, are cancelled, the farthest first;
 *     below minShares, the band is filled up to avgShares with an order at avgMargin.
 *
 * It moves orders seldom, so they keep their place in the queue, and it costs few requests. `maxInventory` stops the
 * side that would add to it. Held shares of the other position are sold before cash is spent; the engine does that.
 */
export default defineStrategy({
  name: 'bands',
  params: {
    bids: bandsParam('buy bands, nearest first'),
    asks: bandsParam('sell bands, nearest first'),
    maxInventory: param.shares({ default: 100, help: 'net shares, long or short, at which a side stops' }),
    maxFairAgeMs: param.ms({ default: 60_000, help: 'a fair value older than this is not quoted on' }),
  },
  depth: ({ bids, asks }) => 2 * Math.max(bids.length, asks.length),
  quote(context) {
    const { fair, inventory, params } = context;
    if (fair === null || fair.ageMs > params.maxFairAgeMs) return NO_QUOTES;
    return {
      bids: sideOf('bid', params.bids, fair.p, params.maxInventory - inventory.net, context),
      asks: sideOf('ask', params.asks, fair.p, params.maxInventory + inventory.net, context),
    };
  },
});

function bandsParam(help: string) {
  return param.list({
    fields: BAND,
    default: [
      { minMargin: 0.01, avgMargin: 0.02, maxMargin: 0.03, minShares: 5, avgShares: 10, maxShares: 20 },
    ],
    help,
  });
}

/** @param room shares until the inventory bound */
function sideOf(
  side: WorkingQuote['side'],
  bands: readonly Band[],
  fair: number,
  room: number,
  context: TouchView,
): Quote[] {
  const sign = side === 'bid' ? -1 : 1;
  const passive = side === 'bid' ? passiveBid : passiveAsk;
  const own = context.working
    .filter((quote) => quote.side === side && quote.state !== 'cancelling')
    .filter(({ price }) => passive(price, context) === price)
    .map((quote) => ({ ...quote, margin: sign * (quote.price - fair) }))
    .sort((a, b) => a.margin - b.margin);
  const quotes: Quote[] = [];
  let left = room;
  for (const band of bands) {
    let held = 0;
    for (const { price, shares, margin } of own) {
      if (margin < band.minMargin || margin > band.maxMargin || held + shares > band.maxShares) continue;
      if (shares > left || quotes.some((quote) => quote.price === price)) continue;
      quotes.push(quoteAt(price, shares, { fair, kept: price - fair }));
      held += shares;
      left -= shares;
    }
    if (held >= band.minShares) continue;
    const price = passive(fair + sign * band.avgMargin, context);
    const shares = Math.min(band.avgShares - held, left);
    if (price === null || !reachesMinimum(price, shares, context.market)) continue;
    quotes.push(quoteAt(price, shares, { fair, margin: sign * band.avgMargin }));
    left -= shares;
  }
  return quotes;
}
