/** The main job: the bundled exchange and a bot as its client, over the wire. */
import { rmSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Micros } from '../domain/units.js';
import type { Clock } from '../core/ports/clock.js';
import type { Random } from '../core/ports/random.js';
import { UsageError } from '../domain/errors.js';
import type { BotSettings, SettingsSource } from '../settings/index.js';
import type { Logger } from '../ops/telemetry/logger.js';
import { Bot } from './live/bot.js';
import type { BotOptions } from './live/connections.js';
import { bundledVenueOf, runExchange, type RunningExchange } from './exchange/exchange.js';
import { forgetRiskState } from '../ops/state/risk-file.js';
import { forgetEnded } from '../ops/state/kept-state.js';
import { type RecordingChoice, reenactmentOf } from './recording/reenactment.js';
import { accountId } from '../domain/ids.js';
import { accountPaths, type StatePaths } from '../ops/state/account-folder.js';
import { emptyHoldings } from '../ops/state/fills-file.js';
import { forgetWindows } from '../ops/state/window-file.js';

export interface DemoOptions {
  readonly settings: BotSettings;
  readonly source: SettingsSource;
  readonly recording: RecordingChoice | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly runId: string;
  /** As {@link BotOptions.load}. */
  readonly load?: BotOptions['load'];
}

export interface Demo {
  readonly exchange: RunningExchange;
  readonly bot: Bot;
  /** When a re-enactment is over; null when it goes on for ever. */
  readonly ends: Micros | null;
}

/**
 * Starts the exchange of the settings and a bot on it. Nothing is shared between them but the wire.
 * @throws UsageError when the settings have no exchange
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { clock, random, logger, source } = options;
  const start = clock.now();
  const { settings, exchange: exchangeSettings, ends } = staged(options, start);
  const exchange = await runExchange({
    settings: exchangeSettings,
    file: source.file,
    clock,
    random: random.fork(`exchange ${exchangeSettings.seed}`),
    logger: logger.child({ instance: 'exchange' }),
    busyPort: 'use-free-one',
    start,
  });
  try {
    const venue = bundledVenueOf(exchangeSettings, exchange.server);
    const account = accountId(exchangeSettings.accounts[0]!.id);
    if (exchangeSettings.dataDir === null) forgetVenue(accountPaths(settings, venue, account));
    const bot = await Bot.start({
      settings,
      venue,
      source,
      clock,
      random: random.fork('bot'),
      logger,
      runId: options.runId,
      ...(options.load !== undefined && { load: options.load }),
    });
    return { exchange, bot, ends };
  } catch (error) {
    await exchange.close();
    throw error;
  }
}

/** What a file without an exchange is for. */
const notHere = ({ venue }: BotSettings, file: string): string =>
  venue === null
    ? `${file} has neither a venue nor an exchange to trade on: it is for oddsmith backtest ${file}`
    : `${file} has no exchange section: its bot trades on a venue, with oddsmith run ${file}`;

/** An exchange without a folder begins anew, and what guards learned of the one before, and used of it, with it. */
function forgetVenue({ riskState, windows, ended, spending, fills }: StatePaths): void {
  forgetRiskState(riskState);
  forgetWindows(windows);
  forgetEnded(ended);
  rmSync(spending, { force: true });
  emptyHoldings(fills);
}

function staged({ settings, source, recording }: DemoOptions, start: Micros) {
  if (settings.exchange === null) throw new UsageError(notHere(settings, source.file));
  if (recording === null) return { settings, exchange: settings.exchange, ends: null };
  const file = isAbsolute(recording.file) ? recording.file : resolve(recording.file);
  return reenactmentOf(settings, settings.exchange, { ...recording, file }, start);
}
