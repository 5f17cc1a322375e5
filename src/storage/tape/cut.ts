/** A part of a tape as a tape of its own. */
import { UsageError } from '../../domain/errors.js';
import { type MarketId, accountId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import { frameInput } from '../../venues/futuur/protocol/read/frames.js';
import {
  type HeadRecord,
  type TapeLine,
  type TapeRecord,
  unplaced,
  type EngineStart,
  type FrameRecord,
  type StrategyFile,
} from './records.js';
import { TapeCopy } from './tape-copy.js';
import { endingNote, TapeReader, type TapeReaderOptions } from './tape-reader.js';
import type { Input } from '../../domain/inputs.js';
import { parseChannel, userChannel } from '../../venues/futuur/protocol/realtime/channels.js';
import type { JournalRecord } from '../../core/ports/journal.js';

export interface CutOptions extends TapeReaderOptions {
  /** Receive times, both inclusive; null: from the beginning, to the end. */
  readonly from: Micros | null;
  readonly to: Micros | null;
  /** Only what concerns these; empty: all. */
  readonly markets: readonly MarketId[];
  /** Redacted, for a test: nobody can be told from it. */
  readonly fixture: boolean;
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
    const record = this.replayable ? unplaced(line) : marketDataOf(line);
    return record === null || !this.options.fixture ? record : forFixture(record);
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
    const { fixture, markets } = this.options;
    const head = this.head!;
    const named = head.markets.filter(({ marketId }) => markets.length === 0 || markets.includes(marketId));
    const cut = { ...head, markets: named, sources: [this.path] };
    return fixture ? (forFixture({ ...cut, purpose: 'fixture' }) as HeadRecord) : { ...cut, purpose: 'cut' };
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

/** Redacts a tape for a test: nobody can be told from it, and its engine decides as before. */

const NAME = 'fixture';
const NOBODY = accountId(1);
/** Members of payloads that name people or hold their words; no input is read from them but a comment's text. */
const PERSONAL = new Set(['user', 'username', 'email', 'account', 'avatar', 'content', 'comment', 'text']);

/** @returns null for what a fixture leaves out: traffic over REST, whose answers are inputs already */
export function forFixture(record: TapeRecord): TapeRecord | null {
  if (record.kind === 'head') return headFor(record);
  if (record.kind === 'start') return { ...record, engine: engineFor(record.engine) };
  if (record.kind === 'frame') return frameFor(record);
  if (record.kind === 'input') return { ...record, input: inputFor(record.input) };
  return record.kind === 'rest' ? null : record;
}

const headFor = (head: HeadRecord): HeadRecord => ({
  ...head,
  run: NAME,
  configuration: null,
  strategies: head.strategies.map(strategyFor),
  sources: [],
});

const engineFor = (engine: EngineStart): EngineStart => ({
  ...engine,
  runId: NAME,
  recovered: engine.recovered.map(recoveredFor),
});

/** The engine decides by what earlier runs left, not by their names, which keys contain, too. */
function recoveredFor(record: JournalRecord): JournalRecord {
  if (record.kind === 'run') return { ...record, runId: NAME, configHash: '' };
  if (record.kind !== 'request' || record.key === null) return record;
  return { ...record, key: `${NAME}-${record.requestId}` };
}

/** A file of one's own is named without its folders: a test says where it is. */
const strategyFor = (source: StrategyFile): StrategyFile => ({
  ...source,
  strategy: nameIn(source.strategy),
  file: nameIn(source.file),
});

const nameIn = (path: string): string => path.split('/').at(-1) ?? path;

const frameFor = (frame: FrameRecord): FrameRecord => ({
  ...frame,
  channel: channelFor(frame.channel),
  payload: frame.event === 'market-comment' ? impersonal(frame.payload) : withoutPeople(frame.payload),
});

function inputFor(input: Input): Input {
  if (input.kind === 'link') return { ...input, reason: '' };
  if (input.kind === 'subscription') return { ...input, channel: channelFor(input.channel), reason: '' };
  if (input.kind === 'malformed') return { ...input, channel: channelFor(input.channel), reason: '' };
  return input;
}

const channelFor = (channel: string): string =>
  parseChannel(channel).kind === 'user' ? userChannel(NOBODY) : channel;

/** Empties what people say and are, numbers as well; every member keeps its type. */
const impersonal = (value: unknown): unknown =>
  mapped(value, (name, member) => (PERSONAL.has(name) ? emptied(member) : member));

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return value.map(emptied);
  return mapped(value, (_name, member) => emptied(member));
}

/** Removes members from which no input is read. */
const withoutPeople = (value: unknown): unknown =>
  mapped(value, (name, member) => (PERSONAL.has(name) ? undefined : member));

function mapped(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const changed = change(name, member);
      return changed === undefined ? [] : [[name, mapped(changed, change)]];
    }),
  );
}
