import type { OrderId } from '../../../src/exchange/contract/ids.js';
import type { Shares, Ticks } from '../../../src/domain/units.js';
import type { BookSide, MatchingBookOptions } from '../../../src/exchange/matching/index.js';
import { ASK, BID, MatchingBook } from '../../../src/exchange/matching/index.js';
import type { Ofw1Totals } from '../../support/matching/ofw1.js';
import { ADD, CANCEL, HASH_START, hashWord, REPLACE } from '../../support/matching/ofw1.js';
import type { Engine, EngineRun, PassTotals } from './engine.js';
import type { Flow } from './flow-file.js';

/** Spreads an id over 32 bits (the finalizer of MurmurHash3, a bijection). */
function mixed(id: number): number {
  let x = Math.imul(id ^ (id >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** The matching book of the bundled exchange, its ids mixed beforehand. */
export function oddsmith(options: MatchingBookOptions): Engine {
  return {
    start: (flow) => new Run(new MatchingBook(options), flow, flow.ids.map(mixed)),
    check: (flow) => check(new MatchingBook(options), flow),
  };
}

class Run implements EngineRun {
  private trades = 0;
  private volume = 0;

  constructor(
    private readonly book: MatchingBook,
    private readonly flow: Flow,
    private readonly ids: Int32Array,
  ) {}

  operations(from: number, to: number): void {
    const { book, ids } = this;
    const { kinds, sides, ticks, sizes } = this.flow;
    const { fills } = book;
    let trades = 0;
    let volume = 0;
    for (let at = from; at < to; at++) {
      send(book, kinds[at]!, ids[at]!, sides[at]!, ticks[at]!, sizes[at]!);
      const { count } = fills;
      trades += count;
      for (let entry = 0; entry < count; entry++) volume += fills.shares(entry);
    }
    this.trades += trades;
    this.volume += volume;
  }

  totals(): PassTotals {
    return { trades: this.trades, volume: this.volume };
  }
}

/** Sends one operation to a book, given as it stands in the columns of a flow. */
function send(
  book: MatchingBook,
  kind: number,
  id: number,
  side: number,
  tick: number,
  shares: number,
): void {
  if (kind === ADD) book.add(id as OrderId, side as BookSide, tick as Ticks, shares as Shares);
  else if (kind === CANCEL) book.cancel(id as OrderId);
  else if (kind === REPLACE) book.replace(id as OrderId, tick as Ticks, shares as Shares);
  else book.market(side as BookSide, shares as Shares);
}

/** The hash is taken over the original ids. */
function check(book: MatchingBook, flow: Flow): Ofw1Totals {
  const { fills } = book;
  const { kinds, ids, sides, ticks, sizes } = flow;
  const originals = new Map(Array.from(ids, (id) => [mixed(id), id]));
  let [trades, volume, hash] = [0, 0, HASH_START];
  for (let at = 0; at < flow.count; at++) {
    send(book, kinds[at]!, mixed(ids[at]!), sides[at]!, ticks[at]!, sizes[at]!);
    for (let entry = 0; entry < fills.count; entry++) {
      trades++;
      volume += fills.shares(entry);
      hash = hashWord(hashWord(hash, ids[at]!), originals.get(fills.makerId(entry))!);
      hash = hashWord(hashWord(hash, fills.tick(entry)), fills.shares(entry));
    }
  }
  const restingVolume = book.depth(BID, book.minTick) + book.depth(ASK, book.maxTick);
  return { trades, volume, restingOrders: book.size, restingVolume, hash: hash >>> 0 };
}
