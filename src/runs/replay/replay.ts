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
  type PlacedLine,
  type TapeEnding,
  type TapeLine,
  TapeReader,
  engineOptionsFrom,
  type StrategyFile,
} from '../../storage/index.js';
import type { MarketId } from '../../domain/ids.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { StrategyInstance } from '../../core/strategy/instance.js';
import { loadStrategy, strategyFile } from '../strategies/strategies.js';
import { strategyHash } from '../strategies/strategy-hash.js';

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
  for (const { name, parameters, markets } of start.instances) {
    const source = head.strategies.find(({ instance }) => instance === name);
    if (source === undefined) throw new UsageError(`the tape does not say which strategy ${name} ran`);
    const file = strategyFile(referenceTo(source), '');
    if (strategyHash(file) !== source.sha256) changed.push(`${source.strategy} (${file})`);
    const tickUnits = new Map(markets.map((id) => [id, tickUnitsOf(start, id)]));
    instances.push(
      new StrategyInstance({
        name,
        strategy: await loadStrategy(referenceTo(source), ''),
        parameters,
        tickUnits,
      }),
    );
  }
  const options = engineOptionsFrom(start, { instances, random: seededRandom(start.engineSeed) });
  return { options, changed: [...new Set(changed)] };
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
