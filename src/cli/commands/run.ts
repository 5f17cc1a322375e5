import { Bot } from '../../runs/live/bot.js';
import { killBeforeStart } from '../../ops/state/latches.js';
import { accountPaths, knownAccount } from '../../ops/state/account-folder.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { type HeldShard, LeasedShards } from '../../runs/sharding/leased-shards.js';
import {
  type BotSettings,
  type LeaseSettings,
  type Loaded,
  loadBotSettings,
  secretsOf,
  type VenueSettings,
} from '../../settings/index.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import { openContext } from '../context.js';
import { remark } from '../output.js';
import { shardOverrides } from '../option-values.js';
import { botLinks, choosePresenter, FORCED, watchBot } from '../presenter.js';
import { hearStopSignals, type StopSignals } from '../signals.js';
import { runDemo } from './demo.js';

export interface RunArguments {
  readonly for?: number;
  readonly json: boolean;
  readonly realMoney: boolean;
  readonly shard?: number;
}

/** `oddsmith paper <config.yaml>`: as run, with orders on a simulated venue beside the live data of the real one. */
export const paperConfiguration = (file: string, given: Omit<RunArguments, 'realMoney'>): Promise<ExitCode> =>
  runConfiguration(file, { ...given, realMoney: false }, ['mode=paper']);

/** `oddsmith run <config.yaml>`: a bot on the venue of the file, or on the exchange of the file when it names none. */
export async function runConfiguration(
  file: string,
  given: RunArguments,
  more: readonly string[] = [],
): Promise<ExitCode> {
  const overrides = [...more, ...shardOverrides(given)];
  const { settings, source } = loadBotSettings(file, process.env, overrides);
  if (settings.currencyMode === 'real_money' && !given.realMoney && settings.mode !== 'paper')
    throw new UsageError(`${file} trades real money; add --real-money if that is what you want`);
  const { venue } = settings;
  if (venue === null) return runDemo({ ...given, config: file });
  const signals = hearStopSignals(FORCED);
  const lease = settings.sharding?.lease ?? null;
  if (lease === null) return runBot({ settings, source }, venue, given, signals, null);
  return runLeased({ file, settings, venue, lease, overrides, given, signals });
}

async function runBot(
  loaded: Loaded<BotSettings>,
  venue: VenueSettings,
  given: RunArguments,
  signals: StopSignals,
  held: HeldShard | null,
): Promise<ExitCode> {
  const { settings } = loaded;
  const context = openContext(loaded, secretsOf(settings), process.stdout.isTTY && !given.json);
  signals.onKill((signal) => {
    const paths = accountPaths(settings, venue, knownAccount(settings, venue));
    return killBeforeStart({ paths, ...context, reason: signal });
  });
  const bot = await Bot.start({
    ...loaded,
    venue,
    ...context,
    ...(held !== null && { objection: held.objection }),
  });
  const watched = held?.watch(bot);
  const paper = settings.mode === 'paper' ? 'PAPER ' : '';
  const { sharding } = settings;
  const shard = sharding === null ? '' : `, shard ${sharding.shard} of ${sharding.of}`;
  const exit = await watchBot({
    bot,
    head: { title: `oddsmith ${paper}${venue.name}${shard}`, links: botLinks(bot.url, context.logFile) },
    presenter: choosePresenter(given.json),
    forMs: given.for ?? null,
    signals,
  });
  await watched;
  return exit;
}

interface LeasedRun {
  readonly file: string;
  readonly settings: BotSettings;
  readonly venue: VenueSettings;
  readonly lease: LeaseSettings;
  readonly overrides: readonly string[];
  readonly given: RunArguments;
  readonly signals: StopSignals;
}

/** Runs a bot while it holds a shard. A lost shard is withdrawn, and the next free one is waited for. */
async function runLeased({ file, overrides, given, signals, ...run }: LeasedRun): Promise<ExitCode> {
  const { env: environment } = process;
  const shards = await LeasedShards.open({ ...run, environment, clock: new SystemClock(), onNews: remark });
  const stop = new AbortController();
  try {
    for (;;) {
      signals.onStop(() => stop.abort());
      const held = await shards.take(stop.signal);
      if (held === null) return EXIT.clean;
      const endRenewal = held.renew();
      try {
        const loaded = loadBotSettings(file, environment, [...overrides, `sharding.shard=${held.shard}`]);
        const exit = await runBot(loaded, run.venue, given, signals, held);
        if (!held.isLost) return exit;
      } finally {
        endRenewal();
      }
    }
  } finally {
    shards.close();
  }
}
