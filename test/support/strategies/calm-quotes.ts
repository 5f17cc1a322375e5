import {
  debounceTime,
  defineStreamStrategy,
  groupBy,
  map,
  mergeMap,
  NO_QUOTES,
  param,
  passiveAsk,
  passiveBid,
  quoteAt,
} from 'oddsmith/sdk';

/** Quotes each market only once its fair value has been calm for a second: a stream strategy for tests. */
export default defineStreamStrategy({
  name: 'calm-quotes',
  params: { halfSpread: param.probability({ default: 0.02, help: 'distance from fair' }) },
  streams: ({ contexts, scheduler }) =>
    contexts.pipe(
      groupBy((context) => context.market.id),
      mergeMap((ofMarket) => ofMarket.pipe(debounceTime(1_000, scheduler))),
      map((context) => {
        const { fair, market, params } = context;
        const bid = fair === null ? null : passiveBid(fair.p - params.halfSpread, context);
        const ask = fair === null ? null : passiveAsk(fair.p + params.halfSpread, context);
        if (fair === null || bid === null || ask === null) return { marketId: market.id, ladder: NO_QUOTES };
        const bids = [quoteAt(bid, 10, { fair: fair.p, 'half-spread': -params.halfSpread })];
        const asks = [quoteAt(ask, 10, { fair: fair.p, 'half-spread': params.halfSpread })];
        return { marketId: market.id, ladder: { bids, asks } };
      }),
    ),
});
