/** Replays a recorded run: the same inputs into an engine made of the same parts. */
import { UsageError } from '../../domain/errors.js';
import type { Stamped } from '../../domain/inputs.js';
import { type EffectOutlets, EngineDriver } from '../../core/engine/driver.js';
import { Engine } from '../../core/engine/engine.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { EngineOptions } from '../../core/engine/options.js';
import { frameInput } from '../../venues/futuur/protocol/read/frames.js';
import {
  type EngineStart,
  type HeadRecord,
  type InstanceRecord,
  type InstanceStart,
  type PlacedLine,
  type TapeEnding,
  type TapeLine,
  TapeReader,
  engineOptionsFrom,
  type StrategyFile,
  type DecisionLine,
} from '../../storage/index.js';
import type { MarketId } from '../../domain/ids.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { StrategyInstance } from '../../core/strategy/instance.js';
import { loadStrategy, strategyFile, wholeHash, recordedModifiers } from '../strategies/strategies.js';

/** Watches a replay. */
export interface ReplayVisitor {
  /** Watches the engine; asked for once {@link begins} has returned. */
  readonly observer: EngineObserver;
  /** Every line of the tape, before the engine takes in what it says. */
  line?(placed: PlacedLine): void;
  /** The engine is about to be made. */
  begins?(options: EngineOptions, start: EngineStart, head: HeadRecord): void;
  /** @returns whether enough was seen */
  isSatisfied?(): boolean;
}

export interface ReplayOptions {
  readonly onRead?: (bytes: number) => void;
}

export interface Replayed {
  readonly engine: Engine;
  readonly head: HeadRecord;
  readonly ending: TapeEnding;
  /** Strategies whose files changed since the recording. */
  readonly changed: readonly string[];
  /** The first gap before the end of the run: decisions behind it may differ. null: there is no gap. */
  readonly gap: PlacedLine | null;
}

/**
 * Replays the run of a tape, to its end or as far as the visitor wants.
 * @param path a file, the folder of a tape or of a run
 * @throws TapeError for a tape that is damaged, or whose inputs are out of order; UsageError for one without a run
 */
export async function replayTape(
  path: string,
  visitor: ReplayVisitor,
  { onRead }: ReplayOptions = {},
): Promise<Replayed> {
  const reader = new TapeReader(path, { inputs: 'in order', ...(onRead !== undefined && { onRead }) });
  const replay = new Replay(visitor);
  for await (const batch of reader.batches()) {
    for (const placed of batch) {
      await replay.take(placed);
      if (replay.isOver) return replay.result(reader.ending);
    }
  }
  return replay.result(reader.ending);
}

/** @returns the engine's input that a line records; null for other lines */
export function stampedInput(line: TapeLine): Stamped | null {
  if (line.kind === 'input' && line.seq !== undefined)
    return { seq: line.seq, at: line.at, input: line.input };
  if (line.kind !== 'frame' || line.seq === undefined) return null;
  return { seq: line.seq, at: line.at, input: frameInput(line.event, line.channel, line.payload) };
}

/** What the engine wants done was done when the run was recorded. */
const NOWHERE: EffectOutlets = {
  send: () => undefined,
  wakeAt: () => undefined,
  notice: () => undefined,
  reconnect: () => undefined,
  end: () => undefined,
};

class Replay {
  private head: HeadRecord | null = null;
  private driver: EngineDriver | null = null;
  private changed: readonly string[] = [];
  private gap: PlacedLine | null = null;

  constructor(private readonly visitor: ReplayVisitor) {}

  get isOver(): boolean {
    return this.visitor.isSatisfied?.() ?? false;
  }

  async take(placed: PlacedLine): Promise<void> {
    const { line } = placed;
    if (line.kind === 'head') this.head = line;
    if (line.kind === 'gap' && this.driver?.hasEnded !== true) this.gap ??= placed;
    if (line.kind === 'start') await this.begin(line.engine);
    if (line.kind === 'instance') await this.offer(line);
    this.visitor.line?.(placed);
    const stamped = stampedInput(line);
    if (stamped !== null) this.step(stamped);
  }

  result(ending: TapeEnding): Replayed {
    const { driver, head, changed, gap } = this;
    if (driver === null || head === null) throw new UsageError('the tape holds no run of a bot');
    return { engine: driver.engine, head, ending, changed, gap };
  }

  private async begin(start: EngineStart): Promise<void> {
    if (this.head === null) throw new UsageError('the tape has no head: it does not say what it is of');
    const { options, changed } = await optionsFromTape(this.head, start);
    this.changed = changed;
    this.visitor.begins?.(options, start, this.head);
    const engine = new Engine(options, start.startedAt, this.visitor.observer);
    this.driver = new EngineDriver(engine, NOWHERE);
  }

  private async offer({ instance, strategy }: InstanceRecord): Promise<void> {
    const { made, changed } = await instanceFrom(instance, strategy, new Map());
    this.changed = [...new Set([...this.changed, ...changed])];
    this.driver?.engine.offer(made);
  }

  /** An error of the engine was thrown in the recorded run, too. */
  private step(stamped: Stamped): void {
    if (this.driver === null) throw new UsageError('the tape does not say what its engine was made of');
    this.driver.step(stamped);
  }
}

interface Remade {
  readonly options: EngineOptions;
  /** Strategies whose files changed since the recording: a difference may come from there. */
  readonly changed: readonly string[];
}

/** Reads the engine's options from the tape. @throws UsageError when a strategy cannot be found any more */
async function optionsFromTape(head: HeadRecord, start: EngineStart): Promise<Remade> {
  const changed: string[] = [];
  const instances: StrategyInstance[] = [];
  for (const one of start.instances) {
    const source = head.strategies.find(({ instance }) => instance === one.name);
    if (source === undefined) throw new UsageError(`the tape does not say which strategy ${one.name} ran`);
    const tickUnits = new Map(one.markets.map((id) => [id, tickUnitsOf(start, id)]));
    const instance = await instanceFrom(one, source, tickUnits);
    changed.push(...instance.changed);
    instances.push(instance.made);
  }
  const options = engineOptionsFrom(start, { instances, random: seededRandom(start.engineSeed) });
  return { options, changed: [...new Set(changed)] };
}

async function instanceFrom(
  { name, parameters, states = {}, signals: remembered = {} }: InstanceStart,
  source: StrategyFile,
  tickUnits: ReadonlyMap<MarketId, number>,
): Promise<{ readonly made: StrategyInstance; readonly changed: readonly string[] }> {
  const file = strategyFile(referenceTo(source), '');
  const isChanged = wholeHash(file, source.modifiers) !== source.sha256;
  const strategy = await loadStrategy(referenceTo(source), '');
  const modifiers = await recordedModifiers(source.modifiers ?? []);
  const { signals = {} } = source;
  const made = new StrategyInstance({ name, strategy, modifiers, parameters, signals, tickUnits });
  made.restore(states);
  made.keptSignals.restore(remembered);
  return { made, changed: isChanged ? [`${source.strategy} (${file})`] : [] };
}

/** Bundled strategies are found by name, own ones by their path. */
const isOwn = ({ strategy, file }: StrategyFile): boolean =>
  strategy.includes('/') || file.endsWith(strategy);

const referenceTo = (source: StrategyFile): string => (isOwn(source) ? source.file : source.strategy);

function tickUnitsOf({ events }: EngineStart, id: MarketId): number {
  const market = events.flatMap((event) => event.markets).find((one) => one.id === id);
  if (market === undefined) throw new UsageError(`the tape does not describe market ${id}`);
  return market.tickUnits;
}

/** Does the engine decide today what it decided when the tape was recorded? */

/** A decision and the input that brought it. */
export interface Decided {
  /** As in the chain. */
  readonly line: string;
  readonly input: PlacedLine;
}

/** The first place at which two chains differ; a side is null when it decides nothing more. */
export interface Divergence {
  /** From 0. */
  readonly index: number;
  readonly recorded: Decided | null;
  readonly replayed: Decided | null;
}

export interface Parity {
  readonly inputs: number;
  /** Decisions that are identical. */
  readonly decisions: number;
  /** Hash of the chain on the tape at its end; null when the tape has no end. */
  readonly recordedHash: string | null;
  readonly replayedHash: string;
  readonly divergence: Divergence | null;
  /** A gap in the tape behind which nothing can be compared. */
  readonly gap: PlacedLine | null;
  readonly ending: TapeEnding;
  /** Strategies whose files are not what they were. */
  readonly changed: readonly string[];
}

/** Whether everything that could be compared is the same, and everything could. */
export const isIdentical = ({ divergence, gap, recordedHash, replayedHash }: Parity): boolean =>
  divergence === null && gap === null && (recordedHash === null || recordedHash === replayedHash);

/**
 * Replays a tape and compares decision by decision.
 * @throws TapeError, UsageError as {@link replayTape}
 */
export async function checkParity(path: string, options: ReplayOptions = {}): Promise<Parity> {
  const comparison = new Comparison();
  const replayed = await replayTape(path, comparison, options);
  return comparison.result(replayed);
}

class Comparison implements ReplayVisitor {
  readonly observer = { decided: (line: string): void => this.add(this.replayed, line) };
  private inputs = 0;
  private matched = 0;
  private input: PlacedLine | null = null;
  private recorded: Decided[] = [];
  private replayed: Decided[] = [];
  private isApart = false;
  private divergence: Divergence | null = null;
  private recordedHash: string | null = null;
  private gap: PlacedLine | null = null;

  isSatisfied(): boolean {
    return this.divergence !== null || this.gap !== null;
  }

  line(placed: PlacedLine): void {
    const { line } = placed;
    if (line.kind === 'decision') this.add(this.recorded, JSON.stringify(line.decision));
    else if (line.kind === 'end') this.recordedHash = line.hash;
    else if (line.kind === 'gap') this.gap = placed;
    else if (isInput(line)) this.next(placed);
  }

  result({ engine, ending, changed }: Replayed): Parity {
    if (this.divergence === null && this.isApartAtTheEnd(ending)) this.diverge();
    const { inputs, matched, recordedHash, divergence, gap } = this;
    const replayedHash = engine.decisionHash;
    return { inputs, decisions: matched, recordedHash, replayedHash, divergence, gap, ending, changed };
  }

  /** What is left on one side when the next input comes has no counterpart on the other. */
  private next(placed: PlacedLine): void {
    this.isApart = this.recorded.length + this.replayed.length > 0;
    this.input = placed;
    this.inputs += 1;
  }

  private add(side: Decided[], line: string): void {
    if (this.input === null || (this.isApart && side.length > 0)) return;
    side.push({ line, input: this.input });
    this.compare();
  }

  private compare(): void {
    const [recorded] = this.recorded;
    const [replayed] = this.replayed;
    if (recorded === undefined || replayed === undefined) return;
    if (recorded.line !== replayed.line) return this.diverge();
    this.recorded.shift();
    this.replayed.shift();
    this.matched += 1;
  }

  private diverge(): void {
    const [recorded = null] = this.recorded;
    const [replayed = null] = this.replayed;
    this.divergence = { index: this.matched, recorded, replayed };
  }

  /** A tape that was cut off may have lost the decisions of its last input. */
  private isApartAtTheEnd({ state }: TapeEnding): boolean {
    if (this.gap !== null) return false;
    const mayLack = state === 'unfinished' && this.recorded.length === 0;
    const extra = mayLack ? this.replayed.filter(({ input }) => input !== this.input) : this.replayed;
    return this.recorded.length + extra.length > 0;
  }
}

const isInput = (line: TapeLine): boolean =>
  (line.kind === 'frame' || line.kind === 'input') && line.seq !== undefined;

/** @returns the words of a decision line, for people */
export const decisionOf = (line: string): DecisionLine => JSON.parse(line) as DecisionLine;
