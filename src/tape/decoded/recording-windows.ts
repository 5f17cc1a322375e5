/** Stretches of a recording as recordings of their own. */
import { openShared, type RecordingSource, type SharedRecording } from './recording.js';
import { partOf, rowAt, type Span } from './stretch.js';
import { Survey } from './survey.js';
import { ROW, type TapeBlock } from './tape-block.js';

/** A row of some block. */
interface PlacedRow {
  readonly block: TapeBlock;
  readonly row: number;
}

/**
 * The rows of each span, with what was known at its beginning before them: of each market the last status and the last
 * book, in their order, at `from`. Goes through the recording once. What is kept of it is not copied; what is not kept
 * is decoded again whenever a stretch is traded.
 * @returns null for a span by whose end nothing is known
 * @throws RecordingError, TapeError when it has to be decoded again and cannot be
 */
export async function recordingWindows(
  source: RecordingSource,
  spans: readonly Span[],
): Promise<readonly (RecordingSource | null)[]> {
  const windows = spans.map((span) => new Window(source.shared, span));
  let known: readonly PlacedRow[] = [];
  for await (const block of source.blocks()) {
    for (const window of windows) window.take(block, known);
    if (windows.some(({ isBegun }) => !isBegun)) known = copied(lastKnown(known, block, block.rows));
  }
  return windows.map((window) => window.end(known));
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

  /** @param known before the block */
  take(block: TapeBlock, known: readonly PlacedRow[]): void {
    const first = rowAt(block, this.span.from);
    if (!this.isBegun && first < block.rows) this.begin(lastKnown(known, block, first));
    if (this.isBegun) this.add(partOf(block, this.span));
  }

  /** @param known at the end of the recording */
  end(known: readonly PlacedRow[]): RecordingSource | null {
    if (!this.isBegun) this.begin(known);
    const { whole, span, known: before, kept, survey } = this;
    if (survey.rows === 0) return null;
    const stretch = { ...span, known: before };
    return openShared({ ...whole, ...survey.figures(whole.about), stretch, kept });
  }

  private begin(known: readonly PlacedRow[]): void {
    this.isBegun = true;
    if (known.length === 0) return;
    this.known = blockOf(known, this.span.from);
    this.add(this.known);
  }

  private add(block: TapeBlock): void {
    if (block.rows === 0) return;
    this.survey.take(block);
    this.kept?.push(block);
  }
}

/** What is known behind so many rows of a block. */
function lastKnown(before: readonly PlacedRow[], block: TapeBlock, rows: number): readonly PlacedRow[] {
  const last = new Map<string, PlacedRow>();
  const take = (placed: PlacedRow): void => {
    const subject = `${placed.block.kind[placed.row]} ${placed.block.market[placed.row]}`;
    last.delete(subject);
    last.set(subject, placed);
  };
  before.forEach(take);
  for (let row = 0; row < rows; row++) if (block.kind[row] !== ROW.trade) take({ block, row });
  return [...last.values()];
}

/** The same rows in a block of their own, so that they hold no other. */
function copied(placed: readonly PlacedRow[]): readonly PlacedRow[] {
  const block = blockOf(placed, 0);
  return placed.map((_, row) => ({ block, row }));
}

/** Copies of rows, all at one time. */
function blockOf(placed: readonly PlacedRow[], time: number): TapeBlock {
  const levels = placed.map(({ block, row }) => block.bids[row]! + block.asks[row]!);
  const rows = placed.length;
  const total = levels.reduce((sum, count) => sum + count, 0);
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
    prices: new Int32Array(shared(total, 4)),
    shares: new Float64Array(shared(total, 8)),
  };
  let level = 0;
  placed.forEach((from, place) => {
    copyRow(from, block, place, level);
    level += levels[place]!;
  });
  return block;
}

const COPIED = ['kind', 'market', 'bids', 'asks', 'word', 'line'] as const;

function copyRow({ block, row }: PlacedRow, to: TapeBlock, place: number, level: number): void {
  for (const column of COPIED) to[column][place] = block[column][row]!;
  to.first[place] = level;
  const first = block.first[row]!;
  const end = first + block.bids[row]! + block.asks[row]!;
  to.prices.set(block.prices.subarray(first, end), level);
  to.shares.set(block.shares.subarray(first, end), level);
}

const shared = (length: number, bytes: number): SharedArrayBuffer => new SharedArrayBuffer(length * bytes);
