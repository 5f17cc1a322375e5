import { Bot } from '../../runs/live/bot.js';
import { killBeforeStart } from '../../ops/state/latches.js';
import { accountPaths, knownAccount } from '../../ops/state/account-folder.js';
import { type ExitCode, UsageError } from '../../domain/errors.js';
import { loadBotSettings, secretsOf } from '../../settings/index.js';
import { openContext } from '../context.js';
import { botLinks, choosePresenter, FORCED, watchBot } from '../presenter.js';
import { hearStopSignals } from '../signals.js';
import { runDemo } from './demo.js';

export interface RunArguments {
  readonly for?: number;
  readonly json: boolean;
  readonly realMoney: boolean;
}

/** `oddsmith paper <config.yaml>`: as run, with orders on a simulated venue beside the live data of the real one. */
export const paperConfiguration = (file: string, given: Omit<RunArguments, 'realMoney'>): Promise<ExitCode> =>
  runConfiguration(file, { ...given, realMoney: false }, ['mode=paper']);

/** `oddsmith run <config.yaml>`: a bot on the venue of the file, or on the exchange of the file when it names none. */
export async function runConfiguration(
  file: string,
  given: RunArguments,
  overrides: readonly string[] = [],
): Promise<ExitCode> {
  const { settings, source } = loadBotSettings(file, process.env, overrides);
  const isPaper = settings.mode === 'paper';
  if (settings.currencyMode === 'real_money' && !given.realMoney && !isPaper)
    throw new UsageError(`${file} trades real money; add --real-money if that is what you want`);
  const { venue } = settings;
  if (venue === null) return runDemo({ ...given, config: file });
  const signals = hearStopSignals(FORCED);
  const context = openContext({ settings, source }, secretsOf(settings), process.stdout.isTTY && !given.json);
  signals.onKill((signal) => {
    const paths = accountPaths(settings, venue, knownAccount(settings, venue));
    return killBeforeStart({ paths, ...context, reason: signal });
  });
  const bot = await Bot.start({ settings, source, venue, ...context });
  return watchBot({
    bot,
    head: {
      title: `oddsmith ${isPaper ? 'PAPER ' : ''}${venue.name}`,
      links: botLinks(bot.url, context.logFile),
    },
    presenter: choosePresenter(given.json),
    forMs: given.for ?? null,
    signals,
  });
}
