/** Plans a sweep: checks every configuration and cuts the recordings before anything is traded. */
import { createHash } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import { fewestPieces } from './objective.js';
import { type Fold, foldsOf } from './ranking.js';
import { UsageError } from '../../domain/errors.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import {
  type BacktestSettings,
  type BotSettings,
  type Environment,
  type Loaded,
  loadKeylessSettings,
  type ScenarioName,
  SettingsError,
  type SweepSettings,
} from '../../settings/index.js';
import { readableRecordings } from '../../recordings/index.js';
import { BlockBudget, openTogether, type RecordingSource } from '../../storage/index.js';
import { createRedactor } from '../../ops/telemetry/redaction.js';
import { secretsOf } from '../secrets.js';
import { unnoted } from '../backtest/recorded-events.js';
import { tickUnitsOf } from '../live/engine-options.js';
import { checkInstances } from '../strategies/instances.js';
import { jobOf, type SweepJob } from './job.js';
import { KEPT_MOST, piecesOf, type TradedPiece } from './pieces.js';
import type { Random } from '../../core/ports/random.js';

export interface SweepInputs {
  readonly file: string;
  readonly environment: Environment;
  /** `path=value` each, applied to the file first. */
  readonly overrides: readonly string[];
  /** Bytes of decoded recordings that are held at most. */
  readonly keptMost?: number;
}

export interface SweepPlan {
  readonly id: string;
  /** The configuration file, without its folder. */
  readonly title: string;
  /** Without the section `sweep`, and without secrets. */
  readonly overrides: readonly string[];
  readonly sweep: SweepSettings;
  /** The scenario by which candidates are ranked. */
  readonly headline: ScenarioName;
  readonly currency: string;
  readonly stateDir: string;
  readonly axes: readonly Axis[];
  readonly candidates: readonly Candidate[];
  /** Pieces on which profits are compared. */
  readonly pieces: readonly TradedPiece[];
  /** Pieces on which jobs trade: once for each model of trades that is tried. */
  readonly traded: readonly TradedPiece[];
  readonly folds: readonly Fold[];
  /** Jobs of the unchanged file, by place of the piece. */
  readonly baseJobs: readonly SweepJob[];
  /** Jobs by place of the candidate, then of the piece. */
  readonly jobs: readonly (readonly SweepJob[])[];
  /** Remarks about recordings, in sentences for people. */
  readonly notes: readonly string[];
}

const CANDIDATES_MOST = 100_000;
/** The first so many are checked before a sweep. */
const CHECKED_MOST = 100;

/**
 * Reads the recordings and checks every configuration.
 * @param pause awaited after each configuration; what it throws ends the plan
 * @throws SettingsError, UsageError, RecordingError
 */
export async function planSweep(
  inputs: SweepInputs,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<SweepPlan> {
  const { file } = inputs;
  const { settings: base, source } = await loaded(inputs, []);
  const { sweep, backtest } = base;
  if (sweep === null || backtest === null)
    throw new UsageError('a sweep needs the sections sweep and backtest, as in config/sweep.yaml');
  const axes = axesOf(sweep);
  const candidates = drawn(sweep, axes);
  const settings: BotSettings[] = [];
  for (const candidate of candidates) {
    settings.push(await tried(inputs, { settings: base, source }, axes, candidate));
    await pause();
  }
  const tapes = new Tapes(base, inputs, sweep.windows);
  const pieces = (await tapes.of(backtest)).pieces;
  const folds = trainableFolds(sweep, pieces);
  const jobsOf = async (given: BotSettings): Promise<readonly SweepJob[]> => {
    const own = await tapes.of(given.backtest ?? backtest);
    return own.pieces.map((piece, place) => jobOf(given, file, piece, own.from + place));
  };
  const baseJobs = await jobsOf(base);
  const jobs: (readonly SweepJob[])[] = [];
  for (const given of settings) {
    jobs.push(await jobsOf(given));
    await pause();
  }
  const headline = sweep.scenario ?? backtest.headline;
  const id = idOf(sweep, headline, [...baseJobs, ...jobs.flat()]);
  const title = basename(file);
  const redactor = createRedactor(secretsOf(base, null));
  const { traded, notes } = tapes;
  return {
    id,
    title,
    overrides: inputs.overrides
      .filter((override) => !override.startsWith('sweep.'))
      .map((override) => redactor.text(override)),
    sweep,
    headline,
    currency: base.currency,
    stateDir: base.stateDir,
    axes,
    candidates,
    pieces,
    traded,
    folds,
    baseJobs,
    jobs,
    notes: [...notes],
  };
}

/** Checks paths and values of the section `sweep`, if there is one. @throws SettingsError, UsageError */
export async function checkSweep(inputs: SweepInputs): Promise<void> {
  const base = await loaded(inputs, []);
  const { sweep } = base.settings;
  if (sweep === null) return;
  const axes = axesOf(sweep);
  for (const one of drawn(sweep, axes).slice(0, CHECKED_MOST)) await tried(inputs, base, axes, one);
}

/** @throws UsageError for a path that cannot be tried */
function axesOf({ parameters }: SweepSettings): readonly Axis[] {
  for (const path of Object.keys(parameters)) refuseFixed(path);
  return Object.entries(parameters).map(([path, choice]) => ({ path, choice }));
}

/** What all configurations of a sweep have in common. */
const FIXED = ['sweep', 'backtest.recordings', 'currency', 'currencyMode'] as const;

function refuseFixed(path: string): void {
  const fixed = FIXED.find((one) => path === one || path.startsWith(`${one}.`));
  if (fixed !== undefined)
    throw new UsageError(
      `sweep.parameters: ${path} cannot be tried, because all configurations of a sweep have to have ${fixed} in common; use --set and a sweep for each`,
    );
}

function drawn(sweep: SweepSettings, axes: readonly Axis[]): readonly Candidate[] {
  if (sweep.method === 'grid' && gridSize(axes) > CANDIDATES_MOST)
    throw new UsageError(
      `the grid has ${gridSize(axes)} configurations, more than ${CANDIDATES_MOST}; draw samples of it`,
    );
  return candidatesOf(sweep.method, axes, sweep.samples, seededRandom(sweep.seed).fork('candidates'));
}

/** JSON is YAML. */
const overridesOf = (axes: readonly Axis[], candidate: Candidate): readonly string[] =>
  axes.map(({ path }, at) => `${path}=${JSON.stringify(candidate[at])}`);

/** @throws SettingsError at the path of `sweep.parameters` whose value is not accepted */
async function tried(
  inputs: SweepInputs,
  { settings: { instances }, source }: Loaded<BotSettings>,
  axes: readonly Axis[],
  candidate: Candidate,
): Promise<BotSettings> {
  const overrides = overridesOf(axes, candidate);
  try {
    return (await loaded(inputs, overrides)).settings;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const problems = error.problems.map(({ path, message }) => {
      const named = path.replace(/^instances\[(\d+)\]/, (_, at) => `instances.${instances[+at]?.name}`);
      const isOf = (one: string, place: number): boolean =>
        message.startsWith(`--set ${one}: `) || named === axes[place]!.path;
      const at = overrides.findIndex(isOf);
      const whole = `with ${overrides.join(', ')}: ${path}: ${message}`;
      const text = at < 0 ? whole : message.replace(`--set ${overrides[at]}: `, '');
      return source.problem(['sweep', 'parameters'], text, axes[at]?.path);
    });
    throw new SettingsError(inputs.file, problems);
  }
}

async function loaded(
  { file, environment, overrides }: SweepInputs,
  further: readonly string[],
): Promise<Loaded<BotSettings>> {
  const { settings, source } = loadKeylessSettings(file, environment, [...overrides, ...further]);
  await checkInstances(settings, source, tickUnitsOf(settings));
  return { settings, source };
}

/** The recordings cut into pieces, decoded once for each model of trades. */
class Tapes {
  readonly traded: TradedPiece[] = [];
  readonly notes = new Set<string>();
  private readonly known = new Map<
    string,
    { readonly pieces: readonly TradedPiece[]; readonly from: number }
  >();

  private readonly file: string;
  private readonly stateDir: string;
  private readonly budget: BlockBudget;
  /** Underlyings of events, where the configuration states them. */
  private readonly stated: ReadonlyMap<string, string>;

  constructor(
    { events, stateDir }: BotSettings,
    { file, keptMost = KEPT_MOST }: Pick<SweepInputs, 'file' | 'keptMost'>,
    private readonly windows: number,
  ) {
    this.file = file;
    this.stateDir = stateDir;
    this.budget = new BlockBudget(keptMost);
    this.stated = new Map(
      events.flatMap(({ id, underlying }) => (underlying === null ? [] : [[id, underlying] as const])),
    );
  }

  /** @returns the pieces, and where they begin in `traded` @throws RecordingError */
  async of(backtest: BacktestSettings) {
    const tradesModel = JSON.stringify(backtest.trades);
    const known = this.known.get(tradesModel);
    if (known !== undefined) return known;
    const recordings = await this.opened(backtest);
    for (const { name, notes } of recordings)
      for (const note of notes) this.notes.add(`${basename(name)}: ${note}`);
    for (const note of unnoted(recordings)) this.notes.add(note);
    const pieces = await piecesOf(recordings, this.windows, this.stated);
    const made = { pieces, from: this.traded.length };
    this.known.set(tradesModel, made);
    this.traded.push(...pieces);
    return made;
  }

  private async opened({ recordings, trades }: BacktestSettings): Promise<readonly RecordingSource[]> {
    const folder = dirname(this.file);
    const { budget } = this;
    const paths = recordings.map((name) => resolve(folder, name));
    const files = await readableRecordings(paths, this.stateDir);
    return openTogether(files, { trades: trades.model, budget });
  }
}

/** @throws UsageError when there is none */
function trainableFolds(sweep: SweepSettings, pieces: readonly TradedPiece[]): readonly Fold[] {
  const cut = foldsOf(sweep.splits, pieces);
  if (cut.length === 0) throw new UsageError(noFolds(sweep));
  const folds = cut.filter(({ train }) => train.length >= fewestPieces(sweep));
  if (folds.length === 0)
    throw new UsageError(
      `no test has two pieces to train on, which sweep.objective ${sweep.objective} needs: set sweep.windows higher, or name more recordings`,
    );
  return folds;
}

const noFolds = ({ splits }: SweepSettings): string =>
  splits === 'walk-forward'
    ? 'walk-forward needs something that was over before something else began: set sweep.windows to 2 or more, or name recordings that follow each other'
    : 'leave-one-event-out needs recordings of at least two events';

function idOf(
  { splits, seed, objective, gamma, k }: SweepSettings,
  headline: ScenarioName,
  jobs: readonly SweepJob[],
): string {
  const determined = JSON.stringify([
    splits,
    seed,
    objective,
    gamma,
    k,
    headline,
    jobs.map(({ key }) => key),
  ]);
  return `sw-${createHash('sha256').update(determined).digest('hex').slice(0, 16)}`;
}

/** Which configurations a sweep tries. */

/** A value as a configuration file states it. */
export type PlainValue = string | number | boolean | null;

/** Values to choose from, or numbers from `from` to `to` on steps; null: on the grid of prices. */
export type Choice =
  readonly PlainValue[] | { readonly from: number; readonly to: number; readonly step: number | null };

/** A path of the configuration and what may stand there. */
export interface Axis {
  readonly path: string;
  readonly choice: Choice;
}

/** A value for each axis, in their order. */
export type Candidate = readonly PlainValue[];

type Method = 'grid' | 'random' | 'latin-hypercube';

const PRICE_STEP = 0.0001;
/** Decimals that survive the arithmetic of steps. */
const DECIMALS = 9;

/**
 * Candidates in a fixed order, none of them twice: there may be fewer than were drawn.
 * @param samples how many are drawn; a grid has every combination, the last axis changing fastest
 */
export function candidatesOf(
  method: Method,
  axes: readonly Axis[],
  samples: number,
  random: Random,
): readonly Candidate[] {
  if (method === 'grid') return distinct(gridOf(axes));
  const columns = axes.map(({ path, choice }) => {
    const stream = random.fork(path);
    const shares = method === 'random' ? uniform(samples, stream) : stratified(samples, stream);
    return shares.map((share) => valueAt(choice, share));
  });
  return distinct(Array.from({ length: samples }, (_, sample) => columns.map((column) => column[sample]!)));
}

/** How many combinations a grid has. */
export const gridSize = (axes: readonly Axis[]): number =>
  axes.reduce((product, { choice }) => product * countOf(choice), 1);

const gridOf = (axes: readonly Axis[]): readonly Candidate[] =>
  axes.reduce<readonly Candidate[]>(
    (candidates, { choice }) => {
      const values = Array.from({ length: countOf(choice) }, (_, place) => valueOf(choice, place));
      return candidates.flatMap((candidate) => values.map((value) => [...candidate, value]));
    },
    [[]],
  );

const uniform = (samples: number, random: Random): readonly number[] =>
  Array.from({ length: samples }, () => random.uniform());

/** One in each of so many equal parts, in random order (McKay, Beckman and Conover 1979). */
function stratified(samples: number, random: Random): readonly number[] {
  const strata = Array.from({ length: samples }, (_, place) => place);
  for (let last = samples - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [strata[last], strata[other]] = [strata[other]!, strata[last]!];
  }
  return strata.map((stratum) => (stratum + random.uniform()) / samples);
}

/** @param share from 0 to below 1 */
const valueAt = (choice: Choice, share: number): PlainValue =>
  valueOf(choice, Math.floor(share * countOf(choice)));

function countOf(choice: Choice): number {
  if (isList(choice)) return choice.length;
  const { from, to, step } = choice;
  return Math.floor(Number(((to - from) / (step ?? PRICE_STEP)).toFixed(DECIMALS))) + 1;
}

function valueOf(choice: Choice, place: number): PlainValue {
  if (isList(choice)) return choice[place]!;
  return Number((choice.from + place * (choice.step ?? PRICE_STEP)).toFixed(DECIMALS));
}

const isList = (choice: Choice): choice is readonly PlainValue[] => Array.isArray(choice);

function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...new Map(candidates.map((candidate) => [JSON.stringify(candidate), candidate])).values()];
}
