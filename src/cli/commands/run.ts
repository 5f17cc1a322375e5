import { basename, extname } from 'node:path';
import { Bot } from '../../runs/live/bot.js';
import { killBeforeStart } from '../../ops/state/latches.js';
import { SharedListener } from '../../ops/http/shared-listener.js';
import { createLogger } from '../../ops/telemetry/logger.js';
import { accountPaths, knownAccount } from '../../ops/state/account-folder.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import type { BotOptions } from '../../runs/live/connections.js';
import { type HeldShard, LeasedShards, requireSameLease } from '../../runs/sharding/leased-shards.js';
import {
  type BotSettings,
  type Loaded,
  loadBotSettings,
  secretsOf,
  type VenueSettings,
} from '../../settings/index.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import { logConsole, openContext } from '../context.js';
import { describeFailure, exitCodeOf } from '../failure.js';
import { remark } from '../output.js';
import { shardOverrides } from '../option-values.js';
import { botLinks, choosePresenter, FORCED, watchBot } from '../presenter.js';
import { hearStopSignals, sharedSignals, type StopSignals } from '../signals.js';
import { runDemo } from './demo.js';

export interface RunArguments {
  readonly for?: number;
  readonly json: boolean;
  readonly realMoney: boolean;
  readonly shard?: number;
}

/** `oddsmith paper <config.yaml...>`: as run, with orders on a simulated venue beside the live data of the real one. */
export const paperConfigurations = (
  files: readonly string[],
  given: Omit<RunArguments, 'realMoney'>,
): Promise<ExitCode> => runConfigurations(files, { ...given, realMoney: false }, ['mode=paper']);

/**
 * `oddsmith run <config.yaml...>`: a bot on the venue of the file, or on the exchange of the file when it names none. Several
 * files are several accounts, each with a bot of its own in this process.
 */
export async function runConfigurations(
  files: readonly string[],
  given: RunArguments,
  more: readonly string[] = [],
): Promise<ExitCode> {
  const overrides = [...more, ...shardOverrides(given)];
  const runs = files.map((file) => startOf(file, given, overrides));
  const [only, second] = runs;
  if (second !== undefined) return runAccounts(runs);
  const { venue } = only!;
  if (venue === null) return runDemo({ ...given, config: files[0]! });
  return runAccount({ ...only!, venue }, hearStopSignals(FORCED));
}

/** What a bot of one file is started with. */
interface AccountRun {
  readonly file: string;
  readonly loaded: Loaded<BotSettings>;
  readonly venue: VenueSettings;
  readonly overrides: readonly string[];
  readonly given: RunArguments;
  /** One of several. */
  readonly among?: BotOptions['among'];
}

type Checked = Omit<AccountRun, 'venue'> & { readonly venue: VenueSettings | null };

/** @throws SettingsError, UsageError */
function startOf(file: string, given: RunArguments, overrides: readonly string[]): Checked {
  const loaded = loadBotSettings(file, process.env, overrides);
  const { currencyMode, mode, venue } = loaded.settings;
  if (currencyMode === 'real_money' && !given.realMoney && mode !== 'paper')
    throw new UsageError(`${file} trades real money; add --real-money if that is what you want`);
  return { file, loaded, venue, overrides, given };
}

/** The more there is to look after, the earlier. */
const WORST_FIRST: readonly ExitCode[] = [
  EXIT.ordersMayRemain,
  EXIT.internal,
  EXIT.killLatched,
  EXIT.keysRefused,
  EXIT.venueUnreachable,
  EXIT.usage,
];

/** A bot for each account, with one address for all. A bot that fails ends alone. @returns the worst of their exit codes */
async function runAccounts(runs: readonly Checked[]): Promise<ExitCode> {
  const names = namesOf(runs.map(({ file }) => file));
  const accounts = runs.map((run) => ({ ...run, venue: venueOf(run) }));
  const signals = sharedSignals(hearStopSignals(FORCED));
  const first = accounts[0]!.loaded.settings;
  // Nobody can tell which account's strategy prints.
  const secrets = accounts.flatMap(({ loaded }) => secretsOf(loaded.settings));
  logConsole(createLogger({ level: first.log.level, secrets }));
  const shared = await SharedListener.open(first.http, names);
  remark(`${accounts.length} accounts at ${shared.url}/`);
  try {
    const exits = await Promise.all(
      accounts.map(async (run, at) => {
        const name = names[at]!;
        const among = { name, listen: shared.mount.bind(shared, name) };
        return runAccount({ ...run, among }, signals()).catch((error: unknown) => {
          remark(`${name}: ${describeFailure(error)}`);
          return exitCodeOf(error);
        });
      }),
    );
    return WORST_FIRST.find((code) => exits.includes(code)) ?? EXIT.clean;
  } finally {
    await shared.close();
  }
}

/** @throws UsageError for two files of one name */
function namesOf(files: readonly string[]): readonly string[] {
  const names = files.map((file) => basename(file, extname(file)));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new UsageError(
      `two files are called ${twice}: each account is named after its file, so rename one`,
    );
  return names.map(encodeURIComponent);
}

function venueOf({ file, venue }: Checked): VenueSettings {
  if (venue !== null) return venue;
  throw new UsageError(`${file} names no venue: its exchange runs with one bot alone, so start it by itself`);
}

function runAccount(run: AccountRun, signals: StopSignals): Promise<ExitCode> {
  const { settings } = run.loaded;
  return (settings.sharding?.lease ?? null) === null ? runBot(run, signals, null) : runLeased(run, signals);
}

async function runBot(run: AccountRun, signals: StopSignals, held: HeldShard | null): Promise<ExitCode> {
  const { loaded, venue, given, among } = run;
  const { settings } = loaded;
  const hasScreen = process.stdout.isTTY && !given.json && among === undefined;
  const context = openContext(loaded, secretsOf(settings), hasScreen, among === undefined);
  const { logger } = context;
  signals.onKill((signal) => {
    const paths = accountPaths(settings, venue, knownAccount(settings, venue));
    return killBeforeStart({ paths, ...context, reason: signal });
  });
  const bot = await Bot.start({
    ...loaded,
    venue,
    ...context,
    ...(among !== undefined && { among, logger: logger.child({ bot: among.name }) }),
    ...(held !== null && { objection: held.objection }),
  });
  const watched = held?.watch(bot);
  const paper = settings.mode === 'paper' ? 'PAPER ' : '';
  const { sharding } = settings;
  const shard = sharding === null ? '' : `, shard ${sharding.shard} of ${sharding.of}`;
  const exit = await watchBot({
    bot,
    head: { title: `oddsmith ${paper}${venue.name}${shard}`, links: botLinks(bot.url, context.logFile) },
    presenter: choosePresenter(given.json, among?.name),
    forMs: given.for ?? null,
    signals,
  });
  await watched;
  return exit;
}

/** Runs a bot while it holds a shard. A lost shard is withdrawn, and the next free one is waited for. */
async function runLeased(run: AccountRun, signals: StopSignals): Promise<ExitCode> {
  const { venue, among } = run;
  const { settings } = run.loaded;
  const { env: environment } = process;
  const onNews = (text: string): void => remark(among === undefined ? text : `${among.name}: ${text}`);
  const lease = settings.sharding!.lease!;
  const stop = new AbortController();
  signals.onStop(() => stop.abort());
  const shards = await LeasedShards.open({
    settings,
    venue,
    lease,
    environment,
    clock: new SystemClock(),
    onNews,
    signal: stop.signal,
  });
  if (shards === null) return EXIT.clean;
  try {
    for (;;) {
      signals.onStop(() => stop.abort());
      const held = await shards.take(stop.signal);
      if (held === null) return EXIT.clean;
      const endRenewal = held.renew();
      try {
        const loaded = await loadedAgain(run, held);
        const exit = await runBot({ ...run, loaded, venue: loaded.settings.venue! }, signals, held);
        if (!held.isLost) return exit;
      } finally {
        endRenewal();
      }
    }
  } finally {
    shards.close();
  }
}

/** The file as it is now: the wait for a shard may have been long. */
async function loadedAgain(
  { file, overrides, loaded, venue }: AccountRun,
  held: HeldShard,
): Promise<Loaded<BotSettings>> {
  try {
    const now = loadBotSettings(file, process.env, [...overrides, `sharding.shard=${held.shard}`]);
    requireSameLease({ settings: loaded.settings, venue }, now, file);
    return now;
  } catch (error) {
    await held.giveBack();
    throw error;
  }
}
