/** What a recording has told so far, so that it can be gone on with from there. */
import { changeOf, changeWord, ROW, type TapeBlock } from './tape-block.js';

/** A row with its levels. */
interface KnownRow {
  readonly kind: number;
  readonly market: number;
  readonly bids: number;
  readonly asks: number;
  readonly word: number;
  readonly line: number;
  readonly prices: ArrayLike<number>;
  readonly shares: ArrayLike<number>;
}

/**
 * Of each market the last status and the last book, in their order; of a recording that tells each order also what
 * stands at every price. Nobody of ours stands there yet, so who of the others came first no longer matters.
 */
export class KnownState {
  readonly #last = new Map<string, KnownRow>();
  readonly #levels = new Map<string, KnownRow>();

  /** @param from first row of a stretch that follows what was taken before @param to not part of it */
  take(block: TapeBlock, from: number, to: number): void {
    const fresh = new Map<string, number>();
    for (let row = from; row < to; row++) {
      const kind = block.kind[row]!;
      if (kind === ROW.order) this.#order(block, row);
      if (kind !== ROW.book && kind !== ROW.status) continue;
      const subject = `${kind} ${block.market[row]}`;
      fresh.delete(subject);
      fresh.set(subject, row);
    }
    for (const [subject, row] of fresh) {
      this.#last.delete(subject);
      this.#last.set(subject, rowOf(block, row));
    }
  }

  /** @returns rows that tell all of it, at one time; null when nothing is known */
  blockAt(time: number): TapeBlock | null {
    const rows = [...this.#last.values(), ...this.#levels.values()];
    return rows.length === 0 ? null : blockOf(rows, time);
  }

  #order(block: TapeBlock, row: number): void {
    const first = block.first[row]!;
    const [market, bids, price] = [block.market[row]!, block.bids[row]!, block.prices[first]!];
    const level = `${market} ${bids} ${price}`;
    const change = changeOf(block.word[row]!);
    const stood = change === 'restate' ? 0 : (this.#levels.get(level)?.shares[0] ?? 0);
    const stands = stood + (change === 'leave' ? -1 : 1) * block.shares[first]!;
    if (stands <= 0) return void this.#levels.delete(level);
    const word = changeWord('join');
    this.#levels.set(level, { ...rowOf(block, row), word, shares: [stands, 0] });
  }
}

function rowOf(block: TapeBlock, row: number): KnownRow {
  const first = block.first[row]!;
  const [kind, bids, asks] = [block.kind[row]!, block.bids[row]!, block.asks[row]!];
  const end = first + (kind === ROW.order ? 2 : bids + asks);
  return {
    kind,
    bids,
    asks,
    market: block.market[row]!,
    word: block.word[row]!,
    line: block.line[row]!,
    prices: block.prices.slice(first, end),
    shares: block.shares.slice(first, end),
  };
}

const COLUMNS = ['kind', 'market', 'bids', 'asks', 'word', 'line'] as const;

function blockOf(known: readonly KnownRow[], time: number): TapeBlock {
  const rows = known.length;
  const levels = known.reduce((sum, { prices }) => sum + prices.length, 0);
  const block: TapeBlock = {
    rows,
    at: new Float64Array(shared(rows, 8)).fill(time),
    kind: new Uint8Array(shared(rows, 1)),
    market: new Uint16Array(shared(rows, 2)),
    first: new Int32Array(shared(rows, 4)),
    bids: new Uint8Array(shared(rows, 1)),
    asks: new Uint8Array(shared(rows, 1)),
    word: new Uint8Array(shared(rows, 1)),
    line: new Int32Array(shared(rows, 4)),
    prices: new Int32Array(shared(levels, 4)),
    shares: new Float64Array(shared(levels, 8)),
  };
  let level = 0;
  known.forEach((row, place) => {
    for (const column of COLUMNS) block[column][place] = row[column];
    block.first[place] = level;
    block.prices.set(row.prices, level);
    block.shares.set(row.shares, level);
    level += row.prices.length;
  });
  return block;
}

const shared = (length: number, bytes: number): SharedArrayBuffer => new SharedArrayBuffer(length * bytes);
