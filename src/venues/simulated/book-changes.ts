/** Changes of a real book as market data of a simulated venue. */
import { UsageError } from '../../domain/errors.js';
import { PRICE_ONE } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { ForeignMoment, TickColumns } from '../../exchange/contract.js';
import { marketId } from '../../exchange/contract/ids.js';
import type { BookChange, OthersLevel } from '../../storage/tape-market/market-reading.js';

export interface ShownMarket {
  readonly mode: CurrencyMode;
  /** Whether a level of others that crosses an order of ours fills it. */
  readonly crossing: ForeignMoment['crossing'];
  /** Price units per tick. */
  readonly tickUnits: number;
}

/**
 * Shares that were cancelled within the change were cancelled before the trades: a taker that conflicts with own orders
 * cancels them first.
 * @returns one or two commands
 * @throws UsageError for a price that is off the grid of the market
 */
export function momentsOf(
  change: BookChange,
  { tickUnits, ...shown }: ShownMarket,
): readonly ForeignMoment[] {
  const { between, prints, depth, bids, asks } = change;
  const base = { kind: 'foreign-moment', marketId: marketId(change.marketId), depth, ...shown } as const;
  const last: ForeignMoment = {
    ...base,
    prints: prints.map(({ takerSide, price, shares }) => ({
      takerSide,
      tick: tickOf(price, tickUnits),
      shares,
    })),
    book: bookOf(bids, asks, tickUnits),
  };
  return between === null
    ? [last]
    : [{ ...base, prints: [], book: bookOf(between.bids, between.asks, tickUnits) }, last];
}

const bookOf = (
  bids: readonly OthersLevel[],
  asks: readonly OthersLevel[],
  tickUnits: number,
): NonNullable<ForeignMoment['book']> => ({
  bids: columnsOf(bids, tickUnits),
  asks: columnsOf(asks, tickUnits),
});

const columnsOf = (levels: readonly OthersLevel[], tickUnits: number): TickColumns => ({
  ticks: Int32Array.from(levels, ({ price }) => tickOf(price, tickUnits)),
  shares: Float64Array.from(levels, ({ shares }) => shares),
  from: 0,
  to: levels.length,
});

function tickOf(price: number, tickUnits: number): number {
  const tick = price / tickUnits;
  if (Number.isInteger(tick)) return tick;
  throw new UsageError(
    `a book shows the price ${price / PRICE_ONE}, which is off its market's grid of ${tickUnits / PRICE_ONE}`,
  );
}
