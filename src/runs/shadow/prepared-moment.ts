import { UsageError } from '../../domain/errors.js';
import { PRICE_ONE, type Ticks } from '../../domain/units.js';
import { type BookSide, type RecordedSide, toBookSide } from '../../exchange/matching/index.js';
import type { BookChange, OthersLevel } from '../../storage/index.js';

/**
 * A moment in the ticks of its market: what every simulated venue is shown. An order that conflicts with others of its
 * account cancels them and then trades, so what was cancelled within one moment was cancelled before the trades.
 */
export interface PreparedMoment {
  readonly moment: BookChange;
  /** The book between the two; null when nothing was traded. */
  readonly between: { readonly bids: RecordedSide; readonly asks: RecordedSide } | null;
  readonly prints: readonly { readonly taker: BookSide; readonly tick: Ticks; readonly shares: number }[];
  readonly bids: RecordedSide;
  readonly asks: RecordedSide;
}

export function prepared(moment: BookChange, tickUnits: number): PreparedMoment {
  return {
    moment,
    between: moment.between === null ? null : sidesOf(moment.between, tickUnits),
    prints: moment.prints.map(({ takerSide, price, shares }) => ({
      taker: toBookSide(takerSide),
      tick: tickOf(price, tickUnits),
      shares,
    })),
    ...sidesOf(moment, tickUnits),
  };
}

const sidesOf = (
  { bids, asks }: Pick<BookChange, 'bids' | 'asks'>,
  tickUnits: number,
): Pick<PreparedMoment, 'bids' | 'asks'> => ({
  bids: columns(bids, tickUnits),
  asks: columns(asks, tickUnits),
});

function columns(levels: readonly OthersLevel[], tickUnits: number): RecordedSide {
  return {
    ticks: Int32Array.from(levels, ({ price }) => tickOf(price, tickUnits)),
    shares: Float64Array.from(levels, ({ shares }) => shares),
    from: 0,
    to: levels.length,
  };
}

function tickOf(price: number, tickUnits: number): Ticks {
  const tick = price / tickUnits;
  if (Number.isInteger(tick)) return tick as Ticks;
  throw new UsageError(
    `a book shows the price ${price / PRICE_ONE}, which is off its market's grid of ${tickUnits / PRICE_ONE}`,
  );
}

/** Lowest and highest tick of a market. */
export const tickRange = (tickUnits: number): { readonly minTick: Ticks; readonly maxTick: Ticks } => ({
  minTick: 1 as Ticks,
  maxTick: (PRICE_ONE / tickUnits - 1) as Ticks,
});
