/** Cuts recordings into windows, each a recording. */
import { openShared, type RecordingSource, type SharedRecording } from './recording.js';
import { Survey } from './survey.js';
import {
  changeOf,
  changeWord,
  levelCount,
  newBlock,
  partOf,
  ROW,
  rowAt,
  type Span,
  type TapeBlock,
} from './blocks.js';

/**
 * Cuts a recording into windows in one pass. Each window begins with rows at `from` that state what was known then. Blocks
 * in memory are not copied. A recording that is not kept is decoded again for each window.
 * @param spans in order of their beginning
 * @returns null for a span at whose end nothing is known
 * @throws RecordingError, TapeError when decoding again fails
 */
export async function recordingWindows(
  source: RecordingSource,
  spans: readonly Span[],
): Promise<readonly (RecordingSource | null)[]> {
  const windows = spans.map((span) => new Window(source.shared, span));
  const known = new KnownState();
  for await (const block of source.blocks()) {
    beginAll(windows, block, known);
    for (const window of windows) window.take(block);
  }
  return windows.map((window) => window.end(known));
}

/** Begins the windows that start within a block, each with what is known then. */
function beginAll(windows: readonly Window[], block: TapeBlock, known: KnownState): void {
  let row = 0;
  const waiting = windows.filter(({ isBegun }) => !isBegun);
  for (const window of waiting) {
    const first = rowAt(block, window.from);
    known.take(block, row, first);
    row = first;
    if (first === block.rows) return;
    window.begin(known);
  }
}

class Window {
  isBegun = false;
  private known: TapeBlock | null = null;
  private readonly survey: Survey;
  private readonly kept: TapeBlock[] | null;

  constructor(
    private readonly whole: SharedRecording,
    private readonly span: Span,
  ) {
    this.survey = new Survey(whole.markets);
    this.kept = whole.kept && [];
  }

  get from(): number {
    return this.span.from;
  }

  begin(known: KnownState): void {
    this.isBegun = true;
    this.known = known.blockAt(this.span.from);
    if (this.known !== null) this.add(this.known);
  }

  take(block: TapeBlock): void {
    if (this.isBegun) this.add(partOf(block, this.span));
  }

  /** @param known at the end of the recording */
  end(known: KnownState): RecordingSource | null {
    if (!this.isBegun) this.begin(known);
    const { whole, span, known: before, kept, survey } = this;
    if (survey.rows === 0) return null;
    const stretch = { ...span, known: before };
    return openShared({ ...whole, ...survey.figures(whole.about), stretch, kept });
  }

  private add(block: TapeBlock): void {
    if (block.rows === 0) return;
    this.survey.take(block);
    this.kept?.push(block);
  }
}

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
 * Knowledge from a recording so far: last status and last book of each market. A recording order by order has the size at
 * every price. The queue within a level does not matter, because none of our orders is in it yet.
 */
class KnownState {
  readonly #last = new Map<string, KnownRow>();
  readonly #levels = new Map<string, KnownRow>();

  /** Takes the rows of a block from `from` to before `to`. */
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

  /** @returns rows of one time that state all of it; null when nothing is known */
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
  const end = first + levelCount(block, row);
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
  const block = newBlock(rows, levels);
  block.at.fill(time);
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
