/** What a bot is made of before it runs: its engine, what earlier runs left, and who looks on. */
import type { EngineOptions } from '../../core/engine/options.js';
import { fillsCountMs, lossStepsOf } from '../../core/risk/index.js';
import type { AlertDesk } from '../../ops/alerts/alert-desk.js';
import type { StatePaths } from '../../ops/state/account-folder.js';
import { FillsFile } from '../../ops/state/fills-file.js';
import { readKept } from '../../ops/state/kept-state.js';
import { restoreStrategyStates } from '../../ops/state/strategy-states.js';
import { WindowFile } from '../../ops/state/window-file.js';
import type { BotSettings, Chosen, Loaded } from '../../settings/index.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import type { FileJournal } from '../../storage/journal/file-journal.js';
import type { Feed, VenueClient } from '../../venues/port.js';
import { Recent } from '../api/recent.js';
import { requireConformance } from '../conformance/conformance.js';
import type { RunRecorder } from '../recording/run-recorder.js';
import type { AccountFilesOptions } from './account-files.js';
import type { Identity } from './account.js';
import type { AssemblyOptions } from './assembly.js';
import { type BotOptions, type Closers, openAlerts, openJournal } from './connections.js';
import { engineOptionsOf } from './engine-options.js';
import type { VenueDoor } from './live-door.js';
import { LiveReport } from './live-report.js';
import { limitRemarks } from './limit-remarks.js';
import { slowRemarks } from './setting-checks.js';

/** The engine's chance has a seed of its own, so that a tape can name it. */
const SEEDS = 2 ** 32;

/** The engine of a run before it is known what earlier runs left. */
interface Draft {
  readonly engine: EngineOptions;
  readonly seed: number;
}

/** What is open before the bot knows what earlier runs left. */
interface Opened {
  readonly closers: Closers;
  readonly draft: Draft;
  readonly recorder: RunRecorder | null;
  readonly door: VenueDoor;
  readonly feed: Feed;
  readonly client: VenueClient;
  readonly account: Identity;
  readonly paths: StatePaths;
}

export interface BotParts
  extends
    Pick<AssemblyOptions, 'engine' | 'startedAt' | 'observers'>,
    Pick<AccountFilesOptions, 'found' | 'windows' | 'steps' | 'instances' | 'states'>,
    Omit<Opened, 'draft'> {
  readonly options: BotOptions;
  readonly journal: FileJournal;
  readonly books: FillsFile;
  readonly report: LiveReport | null;
  /** null: the file names its markets. */
  readonly chosen: Chosen | null;
  /** As the file has them, without what the venue chose. */
  readonly stated: Loaded<BotSettings>;
  readonly recent: Recent;
  readonly alerts: AlertDesk;
}

/** Draws the seed of the engine and loads the strategies. @throws SettingsError; UsageError, also where the venue was found to differ */
export async function draftOf(options: BotOptions): Promise<Draft> {
  const { random, source, logger, settings, venue } = options;
  requireConformance(settings, venue, (text) => logger.warn(text));
  const seed = random.fork('engine').below(SEEDS);
  const engine = await engineOptionsOf({ ...options, random: seededRandom(seed) });
  for (const remark of [...limitRemarks(engine, source), ...slowRemarks(engine, settings, source)])
    logger.warn(remark);
  return { engine, seed };
}

/** Reads what earlier runs left, and goes on from there. */
export function partsOf(options: BotOptions, opened: Opened): Omit<BotParts, 'chosen' | 'stated'> {
  const { closers, draft, recorder, client, account, paths } = opened;
  const { settings, clock, logger, runId } = options;
  const { journal, recovered, sent } = openJournal(options, paths.journal);
  closers.add(() => journal.close());
  const limits = draft.engine.instances.map((instance) => instance.limits);
  const windows = new WindowFile({ path: paths.windows, clock, logger, keepMs: fillsCountMs(limits) });
  const found = readKept(paths, windows);
  const instances = draft.engine.instances.map(({ instance }) => instance);
  const states = restoreStrategyStates(paths.strategyStates, instances, logger);
  const engine: EngineOptions = {
    ...draft.engine,
    ...found,
    windows: { ...windows.found, sent },
    recovered,
    callsBefore: account.calls,
    venueAhead: client.venueAhead,
  };
  const startedAt = clock.now();
  recorder?.begins(engine, startedAt, draft.seed);
  const { currency } = settings;
  const { instances: parts } = draft.engine;
  const books = new FillsFile({ path: paths.fills, runId, currency, instances: parts, logger });
  closers.add(() => books.close());
  const report = settings.report.write ? new LiveReport(options, draft.engine, startedAt) : null;
  const recent = new Recent();
  const alerts = openAlerts(options);
  closers.add(() => alerts.close());
  const observers = [windows, books, recorder, report?.analyst, report?.fills, recent, alerts.ofFills].filter(
    (one) => one !== null && one !== undefined,
  );
  const steps = lossStepsOf(limits);
  const kept = { found, windows, steps, instances, states };
  const made = { journal, books, engine, startedAt, observers, report, recent, alerts };
  return { ...opened, options, ...made, ...kept };
}
