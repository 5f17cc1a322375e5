import {
  defineStrategy,
  NO_QUOTES,
  param,
  passiveAsk,
  passiveBid,
  type Quote,
  type Step,
} from 'oddsmith/sdk';

/**
 * Quotes around the fair value and leans against its own inventory, in size and in price.
 *
 * Size: the ratio of the bid's shares falls linearly from 2 at inventory `target - range` over 1 at the target to
 * 0 at `target + range`; the ask's ratio is 2 minus the bid's (the inventory skew of pure market making).
 *
 * Price: both quotes move by -priceSkew * (net - target) / range, bounded to one `priceSkew`, so a full long
 * inventory lowers both by `priceSkew` (a linear stand-in for the reservation price of Avellaneda and Stoikov, 2008,
 * whose skew is proportional to inventory too).
 *
 * On a one-cent grid a skew below a tick is invisible after rounding: choose `priceSkew` of several ticks.
 */
export default defineStrategy({
  name: 'inventory-skew',
  params: {
    halfSpread: param.probability({
      default: 0.02,
      min: 0.0001,
      max: 0.5,
      help: 'distance of each quote from the skewed fair value',
    }),
    shares: param.shares({ default: 10, min: 0.01, help: 'shares of each quote at the target inventory' }),
    target: param.ratio({ default: 0, help: 'net shares to return to; negative is short' }),
    range: param.shares({
      default: 100,
      min: 0.01,
      help: 'distance from the target at which one side stops',
    }),
    priceSkew: param.probability({ default: 0.03, max: 0.5, help: 'shift of both quotes at the full range' }),
  },
  quote({ book, fair, inventory, market, params }) {
    if (fair === null) return NO_QUOTES;
    const lean = Math.max(-1, Math.min(1, (inventory.net - params.target) / params.range));
    const skew = -params.priceSkew * lean;
    const center = fair.p + skew;
    const bid = passiveBid(center - params.halfSpread, book, market.tick);
    const ask = passiveAsk(center + params.halfSpread, book, market.tick);
    return {
      bids: side(bid, params.shares * (1 - lean), [fair.p, skew, -params.halfSpread]),
      asks: side(ask, params.shares * (1 + lean), [fair.p, skew, params.halfSpread]),
    };
  },
});

function side(
  price: number | null,
  shares: number,
  [fair, skew, distance]: readonly [number, number, number],
): readonly Quote[] {
  if (price === null || shares <= 0) return [];
  const reason: readonly Step[] = [
    { label: 'fair', value: fair },
    { label: 'skew', value: skew },
    { label: 'half-spread', value: distance },
    { label: 'passive', value: price },
  ];
  return [{ price, shares, reason }];
}
