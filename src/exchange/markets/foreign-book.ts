import type { Shares } from '../../domain/units.js';
import type { LiquidityModels } from '../../venues/simulated/models/liquidity.js';
import type { ForeignSide, SetForeignBook } from '../contract.js';
import type { Market } from './markets.js';
import {
  ASK,
  BID,
  MatchingBook,
  type BookSide,
  type BookSnapshot,
  type RecordedSide,
} from '../matching/index.js';

/** How others' volume behaves in a book; fixed by the first recorded line. */
export type ForeignTerms = Pick<SetForeignBook, 'depth' | 'crossing'>;

/** A recorded line in a book's ticks. */
export interface ForeignLine {
  readonly bids: RecordedSide;
  readonly asks: RecordedSide;
}

/** {@link ForeignBook} as plain JSON. */
export interface SavedForeignBook {
  readonly terms: ForeignTerms | null;
  readonly waiting: { readonly bids: SavedSide; readonly asks: SavedSide } | null;
  readonly matching: BookSnapshot;
}
interface SavedSide {
  readonly ticks: readonly number[];
  readonly shares: readonly number[];
}

const NOTHING: RecordedSide = { ticks: new Int32Array(0), shares: new Float64Array(0), from: 0, to: 0 };
const EMPTY_LINE: ForeignLine = { bids: NOTHING, asks: NOTHING };

/**
 * A matching book that others' volume may enter. The first recorded line opens it, and its terms stay in force. Until
 * then the book is a faster one that knows only our orders.
 */
export class ForeignBook {
  /** The latest line that came while the market was not tradable. */
  waiting: ForeignLine | null = null;
  private terms: ForeignTerms | null = null;

  constructor(
    public matching: MatchingBook,
    private readonly liquidity: LiquidityModels,
  ) {}

  /** Whether the book accepts others' volume. */
  get isOpen(): boolean {
    return this.terms !== null;
  }

  /** Opens the book for others' volume. @returns false when other terms are in force already */
  admit({ depth, crossing }: ForeignTerms): boolean {
    if (this.terms === null) {
      this.terms = { depth, crossing };
      this.matching = this.rebuilt(this.terms);
    }
    return this.terms.depth === depth && this.terms.crossing === crossing;
  }

  /** Applies a recorded line. Fills of our orders stand in the book's fills. */
  set({ bids, asks }: ForeignLine): void {
    this.matching.recordBook(bids, asks);
  }

  /** Keeps a copy of a line until the market is tradable. */
  wait({ bids, asks }: ForeignLine): void {
    this.waiting = { bids: keptSide(bids), asks: keptSide(asks) };
  }

  /** Takes all of others' volume out. */
  clear(): void {
    this.waiting = null;
    if (this.isOpen) this.set(EMPTY_LINE);
  }

  save(): SavedForeignBook {
    const { terms, waiting } = this;
    const saved = waiting && { bids: savedSide(waiting.bids), asks: savedSide(waiting.asks) };
    return { terms, waiting: saved, matching: this.matching.snapshot() };
  }

  /** The same without others: only levels that have something are looked at. */
  saveOwn(): SavedForeignBook {
    const { matching } = this;
    const { minTick, maxTick } = matching;
    const levels = ([BID, ASK] as const).flatMap((side) =>
      Array.from(matching.levels(side)).flatMap(({ tick }) => {
        const orders = Array.from(matching.queue(side, tick), ({ id, shares }) => ({ id, shares, ...ALONE }));
        return orders.length === 0 ? [] : [{ side, tick, orders, behind: NONE, sizes: NO_SIZES }];
      }),
    );
    return { terms: null, waiting: null, matching: { minTick, maxTick, levels, unseenFrom: null } };
  }

  load({ terms, waiting, matching }: SavedForeignBook): void {
    const { fills } = this.matching;
    this.terms = terms;
    this.waiting = waiting && { bids: loadedSide(waiting.bids), asks: loadedSide(waiting.asks) };
    const foreign = terms === null ? {} : { foreign: { ...terms, ...this.liquidity } };
    this.matching = MatchingBook.restore(matching, { fills, ...foreign });
  }

  /** The same orders in the same queues, in a book that knows others. */
  private rebuilt(terms: ForeignTerms): MatchingBook {
    const { matching, liquidity } = this;
    const { minTick, maxTick, fills } = matching;
    const rebuilt = new MatchingBook({ minTick, maxTick, fills, foreign: { ...terms, ...liquidity } });
    for (const side of [BID, ASK] as const) {
      for (const { tick } of matching.levels(side)) {
        for (const { id, shares } of matching.queue(side, tick)) {
          rebuilt.add(id, side, tick, shares);
        }
      }
    }
    return rebuilt;
  }
}

const NONE = 0 as Shares;
const ALONE = { gap: NONE, unseen: false } as const;
const NO_SIZES = { recorded: 0, printed: 0, taken: 0, spent: 0 } as const;

const keptSide = ({ ticks, shares, from, to, isCut = false }: RecordedSide): RecordedSide => ({
  ticks: ticks.slice(from, to),
  shares: shares.slice(from, to),
  from: 0,
  to: to - from,
  isCut,
});

const savedSide = ({ ticks, shares }: RecordedSide): SavedSide => ({
  ticks: [...ticks],
  shares: [...shares],
});

const loadedSide = ({ ticks, shares }: SavedSide): RecordedSide => ({
  ticks: Int32Array.from(ticks),
  shares: Float64Array.from(shares),
  from: 0,
  to: ticks.length,
});

/** @returns the line in the market's ticks; null when a price, a size or the order of levels is wrong */
export function foreignLine(market: Market, { bids, asks }: SetForeignBook): ForeignLine | null {
  const sides = { bids: recordedSide(market, BID, bids), asks: recordedSide(market, ASK, asks) };
  return sides.bids === null || sides.asks === null ? null : { bids: sides.bids, asks: sides.asks };
}

function recordedSide(market: Market, side: BookSide, { prices, shares }: ForeignSide): RecordedSide | null {
  const ticks = prices.map((price) => price / market.config.tickUnits);
  const isValid = ticks.every(
    (tick, at) => market.isTick(tick) && isWorse(side, tick, ticks[at - 1]) && isSize(shares[at]),
  );
  if (!isValid) return null;
  return loadedSide({ ticks, shares });
}

export const isSize = (shares: number | undefined): shares is Shares =>
  Number.isSafeInteger(shares) && (shares ?? 0) > 0;

const isWorse = (side: BookSide, tick: number, better: number | undefined): boolean =>
  better === undefined || (side === BID ? tick < better : tick > better);
