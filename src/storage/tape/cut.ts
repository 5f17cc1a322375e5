/** A part of a tape as a tape of its own. */
import { UsageError } from '../../domain/errors.js';
import type { MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import { frameInput } from '../../venues/futuur/protocol/read/frames.js';
import { type HeadRecord, type TapeLine, type TapeRecord, unplaced } from './records.js';
import { TapeCopy } from './tape-copy.js';
import { endingNote, TapeReader, type TapeReaderOptions } from './tape-reader.js';
import type { Input } from '../../domain/inputs.js';

export interface CutOptions extends TapeReaderOptions {
  /** Receive times, both inclusive; null: from the beginning, to the end. */
  readonly from: Micros | null;
  readonly to: Micros | null;
  /** Only what concerns these; empty: all. */
  readonly markets: readonly MarketId[];
}

export interface Cut {
  readonly lines: number;
  /** Whether the run can still be replayed: its part begins at its beginning and leaves nothing out. */
  readonly replayable: boolean;
  /** What is strange about the tape, in sentences for people. */
  readonly notes: readonly string[];
}

/**
 * Cuts a tape. From the beginning on and with all markets the inputs of its engine stay what they are; otherwise they
 * become plain frames, because an engine that lacks some of its inputs would decide otherwise.
 * @throws TapeError, UsageError when something is at `out` already, or nothing tells of a market
 */
export async function cutTape(path: string, out: string, options: CutOptions): Promise<Cut> {
  const reader = new TapeReader(path, options);
  const cutting = new Cutting(path, out, options);
  try {
    const note = (await takeAll(reader, cutting)) ? endingNote(reader.ending) : null;
    return { ...cutting.end(), notes: note === null ? [] : [note] };
  } catch (error) {
    cutting.abandon();
    throw error;
  }
}

/** @returns whether it came to the end of the tape */
async function takeAll(reader: TapeReader, cutting: Cutting): Promise<boolean> {
  for await (const batch of reader.batches())
    for (const { line } of batch) if (!cutting.take(line)) return false;
  return true;
}

/** Kinds of lines that stand for themselves. Decisions and fills belong to the input before them, whatever their time. */
const BEGINNINGS: ReadonlySet<TapeLine['kind']> = new Set(['frame', 'input', 'rest', 'recorded']);

class Cutting {
  private copy: TapeCopy | null = null;
  private head: HeadRecord | null = null;
  private readonly replayable: boolean;
  /** Markets that were asked for and not met yet. */
  private readonly missing: Set<MarketId>;

  constructor(
    private readonly path: string,
    private readonly out: string,
    private readonly options: CutOptions,
  ) {
    this.replayable = options.from === null && options.markets.length === 0;
    this.missing = new Set(options.markets);
  }

  /** @returns whether later lines may still belong to it */
  take(line: TapeLine): boolean {
    const { from, to } = this.options;
    if (line.kind === 'head') this.head ??= unplaced(line) as HeadRecord;
    if (to !== null && line.at > to && BEGINNINGS.has(line.kind)) return false;
    if (line.kind === 'head' || line.kind === 'segment' || line.kind === 'close') return true;
    if (from !== null && line.at < from) return true;
    const record = this.kept(line);
    if (record !== null) this.opened(line).write(record, { at: line.at, mono: line.mono });
    return true;
  }

  /** @throws UsageError when nothing tells of a market that was asked for */
  end(): Omit<Cut, 'notes'> {
    const { copy, replayable } = this;
    const [missing] = this.missing;
    if (copy !== null && missing !== undefined)
      throw new UsageError(`market ${missing} is not in that part of the tape`);
    copy?.close();
    return { lines: copy?.count ?? 0, replayable };
  }

  abandon(): void {
    this.copy?.abandon();
  }

  private kept(line: TapeLine): TapeRecord | null {
    if (!this.concerns(line)) return null;
    return this.replayable ? unplaced(line) : marketDataOf(line);
  }

  private concerns(line: TapeLine): boolean {
    const { markets } = this.options;
    if (markets.length === 0) return true;
    if (line.kind === 'recorded') return this.isAsked(line.line.marketId);
    if (line.kind !== 'frame') return line.kind === 'input' || line.kind === 'gap';
    const input = frameInput(line.event, line.channel, line.payload);
    return !('marketId' in input) || input.marketId === null || this.isAsked(input.marketId);
  }

  private isAsked(market: MarketId): boolean {
    this.missing.delete(market);
    return this.options.markets.includes(market);
  }

  private opened({ at, mono }: TapeLine): TapeCopy {
    return (this.copy ??= new TapeCopy(this.out, this.newHead(), { at, mono }));
  }

  private newHead(): HeadRecord {
    const { markets } = this.options;
    const head = this.head!;
    const named = head.markets.filter(({ marketId }) => markets.length === 0 || markets.includes(marketId));
    return { ...head, markets: named, sources: [this.path], purpose: 'cut' };
  }
}

/**
 * What a line says of markets and the connection, without the engine that received it.
 * @returns null for what makes sense in its own tape only
 */
export function marketDataOf(line: TapeLine): TapeRecord | null {
  const record = unplaced(line);
  if (record.kind === 'frame') {
    const { seq: _seq, ...frame } = record;
    return frame;
  }
  if (record.kind === 'input') return isNews(record.input) ? { kind: 'input', input: record.input } : null;
  return record.kind === 'rest' || record.kind === 'recorded' || record.kind === 'gap' ? record : null;
}

const isNews = ({ kind }: Input): boolean => kind === 'link' || kind === 'subscription';
