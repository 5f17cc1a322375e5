/** What stands on a tape, one record a line. The page `docs/guides/record-and-replay.md` describes each for people. */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Fill } from '../../domain/fill.js';
import type { Input } from '../../domain/inputs.js';
import type { RecordedLine } from '../../domain/recorded.js';
import type { Micros } from '../../domain/units.js';
import type { HashedFile } from '../recordings/run-file.js';
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import type { Random } from '../../core/ports/random.js';
import type { RiskLimits } from '../../core/risk/index.js';
import type { PlainJson } from '../../core/strategy/contract.js';
import type { Kept, StrategyInstance } from '../../core/strategy/instance.js';

/** Of the format. A reader takes its own version only: half-understood evidence is none. */
export const TAPE_VERSION = 4;

/** First line of every file of a tape. */
export interface SegmentRecord {
  readonly kind: 'segment';
  readonly version: number;
  /** 1, 2, 3 and so on. */
  readonly number: number;
  readonly run: string;
  /** Sum of the last line of the file before, so that files cannot be mixed up; eight hexadecimal digits. */
  readonly chain: string;
  /** Another process goes on with the tape: the file before may end in the middle of a line. */
  readonly restart: boolean;
}

/** Who made the tape, of what, and why. After the first line, and after every restart. */
export interface HeadRecord {
  readonly kind: 'head';
  readonly version: number;
  readonly program: string;
  readonly run: string;
  /** `bot`: a run recorded itself. `record`: the public channels. The others were made from tapes or recordings. */
  readonly purpose: 'bot' | 'record' | 'import' | 'merge' | 'cut';
  /** At most so much is missing when the process was killed; null for what was not recorded live. */
  readonly flushMs: number | null;
  readonly seed: number | null;
  /** As resolved, defaults included, secrets removed. */
  readonly configuration: unknown;
  readonly strategies: readonly StrategyFile[];
  readonly markets: readonly NamedMarket[];
  /** What it was made from, in words; empty for what was recorded. */
  readonly sources: readonly string[];
}

export interface StrategyFile extends HashedFile {
  readonly instance: string;
  /** As the configuration names it. The hash covers its modifiers, too. */
  readonly strategy: string;
  /** In the order in which they are applied; left out when there are none. */
  readonly modifiers?: readonly ModifierFile[];
  /** As configured; left out when nothing is. */
  readonly signals?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ModifierFile {
  /** As the configuration names it. */
  readonly modifier: string;
  readonly file: string;
  /** As configured, without defaults. */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface NamedMarket {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly title: string;
  /** Price units per tick. */
  readonly tickUnits: number;
}

/** What the engine of a run was made of; inputs follow. */
export interface StartRecord {
  readonly kind: 'start';
  readonly engine: EngineStart;
}

/** An instance that may join while the run goes on: the input `configure` behind it says that it does. */
export interface InstanceRecord {
  readonly kind: 'instance';
  readonly instance: InstanceStart;
  readonly strategy: StrategyFile;
}

/** A realtime frame as it was received. */
export interface FrameRecord {
  readonly kind: 'frame';
  /** Of the engine's input that it became; left out where no engine ran. */
  readonly seq?: number;
  /** The venue's own time, where the frame says one. */
  readonly venueAt: Micros | null;
  readonly event: string;
  readonly channel: string;
  readonly payload: unknown;
}

/** An input of the engine that was no frame, or news of the connection where no engine ran. */
export interface InputRecord {
  readonly kind: 'input';
  readonly seq?: number;
  readonly input: Input;
}

/** One request over REST and what came back. Headers are never kept: they carry signatures. */
export interface RestRecord {
  readonly kind: 'rest';
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  /** When its first byte left; null when none did. */
  readonly sentAt: Micros | null;
  /** null: no answer came. */
  readonly status: number | null;
  /** As received; null when none came, or when it is nobody's business (keys, tokens, the person). */
  readonly answer: string | null;
  /** Why there is no answer; empty when there is one. */
  readonly reason: string;
}

/** One line of the chain of decisions. */
export interface DecisionRecord {
  readonly kind: 'decision';
  readonly decision: DecisionLine;
}

export interface DecisionLine {
  /** Sequence of the input. */
  readonly in: number;
  /** Index among its decisions. */
  readonly n: number;
  readonly kind: string;
  readonly requestId: number;
  readonly deadline: Micros;
  readonly request: unknown;
  /** Hash of the chain before this line. */
  readonly prev: string;
}

/** Shares of an own order that traded, as the engine booked it. */
export interface FillRecord {
  readonly kind: 'fill';
  readonly seq: number;
  readonly fill: Fill;
}

/** A line of a recording in the neutral form, in integers; `at` of the line is its time. */
export interface RecordedRecord {
  readonly kind: 'recorded';
  readonly line: RecordedLine;
}

/** Something is missing here, and why. */
export interface GapRecord {
  readonly kind: 'gap';
  readonly reason: 'restart' | 'buffer-full' | 'cut' | 'damaged';
  /** Lines that were left out, as far as anybody knows. */
  readonly lines: number | null;
  /** From the last line before it to this one; null where nobody knows. */
  readonly micros: number | null;
}

/** The engine's end. */
export interface EndRecord {
  readonly kind: 'end';
  readonly outcome: string;
  readonly decisions: number;
  readonly hash: string;
}

/** Last line of a file that was finished: what comes after it is another file or nothing. */
export interface CloseRecord {
  readonly kind: 'close';
  /** Whether another file follows. */
  readonly more: boolean;
}

export type TapeRecord =
  | SegmentRecord
  | HeadRecord
  | StartRecord
  | InstanceRecord
  | FrameRecord
  | InputRecord
  | RestRecord
  | DecisionRecord
  | FillRecord
  | RecordedRecord
  | GapRecord
  | EndRecord
  | CloseRecord;

/** When a line was received: never the venue's time, except for lines that were imported. */
export interface Received {
  /** Wall time. */
  readonly at: Micros;
  /** Microseconds since an arbitrary start of the process; 0 for what was not recorded live. */
  readonly mono: number;
}

/** A record as it stands on the tape. */
export type TapeLine = Received & {
  /** Eight hex digits, see `log/sealed-line.ts`; what was not read from a tape has none. */
  readonly sum?: string;
  /** 1, 2, 3 and so on over the whole tape. */
  readonly n: number;
} & TapeRecord;

/** What a line says, without its place on its own tape. */
export function unplaced(line: TapeLine): TapeRecord {
  const { sum: _sum, n: _n, at: _at, mono: _mono, ...record } = line;
  return record;
}

/** Everything a run's engine was made of, as plain JSON: with the inputs it determines every decision. */

/** An instance without its code: that is a file, which the head names with its hash. */
export interface InstanceStart {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly markets: readonly MarketId[];
  readonly limits: RiskLimits;
  /** What its strategy remembered of runs before, by market or event; left out where it remembered nothing. */
  readonly states?: Readonly<Record<string, PlainJson>>;
  /** The same of its signals. */
  readonly signals?: Readonly<Record<string, PlainJson>>;
}

/** Options that JSON can hold once maps are lists of their entries. */
type Plain = Omit<EngineOptions, 'instances' | 'random'>;
type Entries<Value> =
  Value extends ReadonlyMap<infer Key, infer Item>
    ? { readonly $entries: readonly (readonly [Key, Item])[] }
    : Value;

export type EngineStart = { readonly [Name in keyof Plain]: Entries<Plain[Name]> } & {
  readonly startedAt: Micros;
  /** Seed of the engine's own chance. */
  readonly engineSeed: number;
  readonly instances: readonly InstanceStart[];
};

/** What has to be made anew: instances and chance keep a state of their own. */
export interface Remade {
  readonly random: Random;
  /** In the order of {@link EngineStart.instances}. */
  readonly instances: readonly StrategyInstance[];
}

/** What a tape has to say of an engine, so that it can be made again. @param engineSeed of its own chance */
export function engineStartOf(options: EngineOptions, startedAt: Micros, engineSeed: number): EngineStart {
  const { instances, random: _random, ...plain } = options;
  const starts = instances.map(instanceStartOf);
  const written = mapped(plain, withEntries) as Omit<EngineStart, 'startedAt' | 'engineSeed' | 'instances'>;
  return { ...written, startedAt, engineSeed, instances: starts };
}

function kept(as: 'states' | 'signals', keeper: Pick<Kept, 'states'>): Partial<InstanceStart> {
  const states = Object.fromEntries(keeper.states());
  return Object.keys(states).length === 0 ? {} : { [as]: states };
}

export const instanceStartOf = ({ instance, markets, limits }: QuotingInstance): InstanceStart => ({
  name: instance.name,
  parameters: instance.parameters,
  markets,
  limits,
  ...kept('states', instance),
  ...kept('signals', instance.keptSignals),
});

/** The way back. */
export function engineOptionsFrom(start: EngineStart, { random, instances }: Remade): EngineOptions {
  const { startedAt: _startedAt, engineSeed: _engineSeed, instances: starts, ...plain } = start;
  return {
    ...(mapped(plain, withMap) as Plain),
    instances: starts.map(({ markets, limits }, index) => ({ instance: instances[index]!, markets, limits })),
    random,
  };
}

const mapped = (members: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));

const withEntries = (value: unknown): unknown => (value instanceof Map ? { $entries: [...value] } : value);

const withMap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$entries' in value
    ? new Map(value.$entries as readonly (readonly [unknown, unknown])[])
    : value;
