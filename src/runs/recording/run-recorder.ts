/** A bot that records itself: the folder of its run, with `run.json` and a tape of everything its engine took in. */
import { join } from 'node:path';
import type { EndEffect } from '../../domain/effects.js';
import type { FeedInput, Stamped, Input } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import type { OrderNews } from '../../core/execution/orders/own-order.js';
import type { Clock } from '../../core/ports/clock.js';
import {
  type BotSettings,
  firstTickOf,
  type SettingsSource,
  type VenueSettings,
} from '../../settings/index.js';
import {
  engineStartOf,
  instanceStartOf,
  type HeadRecord,
  type NamedMarket,
  type RunFile,
  TAPE_VERSION,
  TapeWriter,
  type TapeWriteError,
  writeRunFile,
  type RestRecord,
} from '../../storage/index.js';
import { createRedactor } from '../../ops/telemetry/redaction.js';
import type { RawFrame } from '../../venues/futuur/realtime/feed.js';
import type { RestExchange } from '../../venues/futuur/rest/wire.js';
import { programIdentity } from '../program.js';
import { makeFolder } from '../../storage/files/whole-files.js';
import { secretsOf, tapeScrub } from '../secrets.js';
import { runFolder } from '../../ops/state/run-folders.js';
import { strategyFilesOf } from '../strategies/strategies.js';

export interface RunRecorderOptions {
  readonly settings: BotSettings;
  readonly venue: VenueSettings;
  readonly source: SettingsSource;
  readonly clock: Clock;
  readonly runId: string;
  readonly onFault: (error: TapeWriteError) => void;
}

const MIB = 1_048_576;

export class RunRecorder implements EngineObserver {
  readonly folder: string;
  readonly #tape: TapeWriter;
  /** Which frame an input was read from; what the engine never takes in is forgotten by itself. */
  readonly #frames = new WeakMap<FeedInput, RawFrame>();
  #run: RunFile;
  #seq = 0;

  /** @throws whatever the folder cannot be written for */
  constructor(options: RunRecorderOptions) {
    const { settings, venue, runId, clock, onFault } = options;
    const redactor = createRedactor(secretsOf(settings, venue.privateKey));
    this.folder = runFolder(settings.stateDir, runId);
    this.#run = runFileOf(options, redactor.value({ ...settings, venue }));
    const dir = join(this.folder, 'tape');
    makeFolder(dir);
    writeRunFile(this.folder, this.#run);
    const { flushMs, segmentMiB, bufferMiB } = settings.tape;
    this.#tape = new TapeWriter({
      dir,
      run: runId,
      clock,
      flushMs,
      segmentBytes: segmentMiB * MIB,
      bufferBytes: bufferMiB * MIB,
      scrub: tapeScrub(redactor),
      onFault,
    });
    this.#tape.record(headOf(this.#run, settings));
  }

  /** Whether the disk still takes what is recorded. */
  get isRecording(): boolean {
    return this.#tape.isRecording;
  }

  /** What the engine is made of; before its first input. */
  begins(options: EngineOptions, startedAt: Micros, engineSeed: number): void {
    this.#tape.record({ kind: 'start', engine: engineStartOf(options, startedAt, engineSeed) });
  }

  /** An instance is to join. */
  joins(owner: QuotingInstance, settings: BotSettings): void {
    const files = strategyFilesOf(settings, this.#run.configFile);
    const strategy = files.find(({ instance }) => instance === owner.instance.name)!;
    this.#tape.record({ kind: 'instance', instance: instanceStartOf(owner), strategy });
  }

  frame(frame: RawFrame, input: FeedInput): void {
    this.#frames.set(input, frame);
  }

  exchange(exchange: RestExchange): void {
    this.#tape.record(restRecordOf(exchange));
  }

  took({ seq, at, input }: Stamped): void {
    this.#seq = seq;
    const frame = this.#frames.get(input as FeedInput);
    if (frame === undefined) this.#tape.record({ kind: 'input', seq, input }, at);
    else this.#tape.record({ kind: 'frame', seq, venueAt: venueTimeOf(input), ...frame }, at);
  }

  decided(line: string): void {
    this.#tape.record({ kind: 'decision', text: line });
  }

  heard(news: readonly OrderNews[]): void {
    for (const item of news)
      if (item.kind === 'filled') this.#tape.record({ kind: 'fill', seq: this.#seq, fill: item.fill });
  }

  /** The engine has ended. */
  ended(
    { outcome }: EndEffect,
    at: Micros,
    decisions: { readonly count: number; readonly hash: string },
  ): void {
    this.#tape.record({ kind: 'end', outcome, decisions: decisions.count, hash: decisions.hash });
    this.#run = { ...this.#run, endedAt: at, outcome, decisions };
  }

  /** Everything is on the disk, as far as it takes anything. */
  async close(): Promise<void> {
    await this.#tape.close();
    writeRunFile(this.folder, this.#run);
  }
}

function runFileOf(options: RunRecorderOptions, configuration: unknown): RunFile {
  const { settings, source, clock, runId } = options;
  return {
    kind: 'oddsmith-run',
    version: 1,
    runId,
    mode: settings.mode,
    program: programIdentity(),
    startedAt: clock.now(),
    endedAt: null,
    outcome: null,
    configFile: source.file,
    overrides: [],
    seed: settings.seed,
    configuration,
    strategies: strategyFilesOf(settings, source.file),
    inputs: [],
    decisions: null,
  };
}

const headOf = (run: RunFile, settings: BotSettings): HeadRecord => ({
  kind: 'head',
  version: TAPE_VERSION,
  program: run.program,
  run: run.runId,
  purpose: 'bot',
  flushMs: settings.tape.flushMs,
  seed: run.seed,
  configuration: run.configuration,
  strategies: run.strategies,
  markets: namedMarketsOf(settings),
  sources: [],
});

/** Markets of the configuration, for whoever reads a tape without it. */
export const namedMarketsOf = (settings: Pick<BotSettings, 'events'>): readonly NamedMarket[] =>
  settings.events.flatMap((event) =>
    event.markets.map((market) => ({
      eventId: event.id,
      marketId: market.id,
      title: market.title ?? `Market ${market.id}`,
      tickUnits: firstTickOf(market.tickSize),
    })),
  );

/** What went over the wire, as it is written on a tape. */

/** Their answers tell who somebody is, or prove it. */
const PRIVATE_ANSWERS: ReadonlySet<string> = new Set(['me', 'registerWallet', 'authorizeChannel']);
const WITHHELD = 'not recorded: it tells or proves who somebody is';

/** A request and its answer as a tape keeps them: without what tells or proves who somebody is. */
export function restRecordOf({ result, ...exchange }: RestExchange): RestRecord {
  const isPrivate = PRIVATE_ANSWERS.has(exchange.endpoint);
  const said = { kind: 'rest', ...exchange, body: isPrivate ? null : exchange.body } as const;
  if (result.kind !== 'answered') return { ...said, status: null, answer: null, reason: result.reason };
  const { status, body } = result;
  return isPrivate
    ? { ...said, status, answer: null, reason: WITHHELD }
    : { ...said, status, answer: body, reason: '' };
}

/** The venue's own time of what it said; null where it said none. */
export const venueTimeOf = (input: Input): Micros | null =>
  'venueTime' in input ? (input.venueTime ?? null) : null;
