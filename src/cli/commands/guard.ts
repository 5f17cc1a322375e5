import type { GuardEnd } from '../../ops/guard/guard.js';
import { clearFence, type FenceClearing, resumeFromOutside } from '../../ops/guard/resume.js';
import { runGuard } from '../../ops/guard/run-guard.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { SystemClock, afterDelay } from '../../storage/clocks/system-clock.js';
import {
  loadBotSettings,
  loadKeylessSettings,
  type BotSettings,
  type SettingsSource,
} from '../../settings/index.js';
import { paperOverrides, shardOverrides } from '../option-values.js';
import { hearStopSignals } from '../signals.js';
import { killFromOutside } from '../../ops/guard/kill.js';
import { describeNews, type GuardNews, NEWS_LEVELS } from '../../ops/guard/guard-news.js';
import { print, printJson, remark } from '../output.js';

export interface GuardArguments {
  readonly json: boolean;
  readonly shard?: number;
}

const EXIT_BY_END: Readonly<Record<GuardEnd, ExitCode>> = {
  idle: EXIT.clean,
  fenced: EXIT.killLatched,
  'orders-may-remain': EXIT.ordersMayRemain,
};

/** `oddsmith guard <config.yaml>`: watches the bot of a configuration from a second process, until a signal. */
export async function guardConfiguration(file: string, given: GuardArguments): Promise<ExitCode> {
  const { settings } = loadBotSettings(file, process.env, shardOverrides(given));
  if (settings.mode === 'paper')
    throw new UsageError(`${file} trades on paper, which needs no guard: its orders end with its process`);
  const stop = new AbortController();
  const signals = hearStopSignals('ended at once; nobody guards the bot');
  signals.onStop(() => stop.abort());
  const end = await runGuard({
    settings,
    file,
    clock: new SystemClock(),
    tell: newsPrinter(given.json, settings),
    signal: stop.signal,
  });
  return EXIT_BY_END[end];
}

export interface ClearArguments {
  readonly unproved: boolean;
}

/** What a person is told of the fence of a file, and the exit code. */
const CLEARINGS: Readonly<Record<FenceClearing, (file: string) => readonly [ExitCode, string]>> = {
  cleared: () => [
    EXIT.clean,
    'the fence is cleared: the bot may quote again, unless its kill switch is latched. A guard that is still looking for ' +
      'orders of the bot raises the fence again',
  ],
  none: () => [EXIT.clean, 'no fence stands'],
  unproved: (file) => [
    EXIT.ordersMayRemain,
    'the fence is up: no guard has proved yet that nothing of the bot is left at the venue. Wait for the line "proved" of ' +
      `the guard, or start one: oddsmith guard ${file}. Where it cannot prove it, and you have looked at the account: ` +
      `oddsmith guard clear --unproved ${file}`,
  ],
};

/** `oddsmith guard clear <config.yaml>`: a person has looked; the bot may quote again. */
export function clearGuard(file: string, { unproved }: ClearArguments): ExitCode {
  const { settings } = loadKeylessSettings(file, process.env);
  const [exit, text] = CLEARINGS[clearFence(settings, file, unproved ? 'unproved' : 'proved')](file);
  (exit === EXIT.clean ? print : remark)(text);
  return exit;
}

export interface KillArguments {
  readonly all: boolean;
  readonly everyOrderOfTheAccount: boolean;
  readonly paper: boolean;
  readonly for: number;
  readonly json: boolean;
}

export interface ResumeArguments {
  readonly paper: boolean;
}

const UNPROVED = 'orders may remain at the venue; look at them there';

/** `oddsmith kill <config.yaml>`: latches the kill switch, withdraws everything and proves it. */
export async function killConfiguration(file: string, given: KillArguments): Promise<ExitCode> {
  if (given.all && !given.everyOrderOfTheAccount)
    throw new UsageError(
      '--all cancels every order of the account in every market, also those of other programs and those placed by ' +
        'hand; if that is what you want, add --every-order-of-the-account',
    );
  const { settings, source } = loadKeylessSettings(file, process.env, paperOverrides(given));
  const stop = new AbortController();
  const signals = hearStopSignals(UNPROVED);
  signals.onStop(() => stop.abort());
  const cancelLimit = afterDelay(given.for, () => stop.abort());
  try {
    const reach = given.all ? 'account-wide' : 'configuration';
    const tell = newsPrinter(given.json, settings);
    const { signal } = stop;
    const { unsetKeys } = source;
    const run = { settings, unsetKeys, file, reach, clock: new SystemClock(), tell, signal } as const;
    if (await killFromOutside(run)) return EXIT.clean;
    remark(UNPROVED);
    return EXIT.ordersMayRemain;
  } finally {
    cancelLimit();
  }
}

const RESET =
  'what was latched is reset: the bot of this configuration quotes again as its markets allow it, at once where it runs';

/** `oddsmith resume <config.yaml>`: resets the kill switch of a bot, running or not, and lets its stopped strategies go on. */
export async function resumeConfiguration(file: string, given: ResumeArguments): Promise<ExitCode> {
  const { settings, source } = loadKeylessSettings(file, process.env, paperOverrides(given));
  const latched = resumeFromOutside(settings, file);
  if (latched.length > 0) print(RESET, ...latched.map((path) => `  ${path}`));
  const areLeased = await resumeLeasesOf(settings, source);
  if (areLeased) print('shards of the account are leased again');
  if (latched.length === 0 && !areLeased) print('nothing was latched');
  return EXIT.clean;
}

/** @returns whether processes kept from leasing shards of the account */
async function resumeLeasesOf(settings: BotSettings, { unsetKeys }: SettingsSource): Promise<boolean> {
  const { venue, sharding } = settings;
  const lease = sharding?.lease ?? null;
  if (venue === null || lease === null) return false;
  const unset = unsetKeys.find(({ path }) => path === 'venue.publicKey');
  if (unset !== undefined)
    throw new UsageError(
      `the leases of the account are found by its public key: set the variable ${unset.at.name}`,
    );
  const { resumeLeases } = await import('../../runs/sharding/leased-shards.js');
  return resumeLeases({ settings, venue, lease, environment: process.env, onNews: remark });
}

/** Prints news on standard output: a line with its time, or one JSON document a line. */
function newsPrinter(json: boolean, { venue }: Pick<BotSettings, 'venue'>): (news: GuardNews) => void {
  const address = venue?.baseUrl ?? '';
  return (news) => {
    const at = new Date().toISOString();
    const text = describeNews(news, address);
    if (json) printJson({ event: news.kind, level: NEWS_LEVELS[news.kind], at, ...membersOf(news), text });
    else print(`${at.slice(11, 19)}  ${text}`);
  };
}

/** The facts of a piece of news; of an error what it says. */
function membersOf({ kind: _kind, ...members }: GuardNews): object {
  return 'error' in members ? { ...members, error: members.error.message } : members;
}
