import { basename, join, resolve } from 'node:path';
import { bundledVenueOf, type RunningExchange, runExchange } from '../../runs/exchange/exchange.js';
import {
  ChannelRecorder,
  type RecordedSoFar,
  type Heard,
  type RecordingNews,
} from '../../runs/recording/channel-recorder.js';
import { selectedSettings } from '../../runs/selection.js';
import { tapesFolder } from '../../ops/state/run-folders.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { afterDelay } from '../../storage/clocks/system-clock.js';
import { type BotSettings, loadListenerSettings, type SettingsSource } from '../../settings/index.js';
import type { TapeWriteError } from '../../storage/index.js';
import type { Logger } from '../../ops/telemetry/logger.js';
import { type RunContext, openContext } from '../context.js';
import { durationText } from '../screen/format.js';
import { LiveLine } from '../screen/progress.js';
import { hearStopSignals, type StopSignals } from '../signals.js';
import { print, printJson, remark } from '../output.js';

export interface RecordArguments {
  readonly for?: number;
  readonly out?: string;
  readonly json: boolean;
}

const SHOW_MS = 1_000;

/** `oddsmith record <config.yaml>`: what the venue tells everybody, until a signal. 1 when the disk takes no more, 4 when the venue never spoke. */
export async function recordChannels(file: string, given: RecordArguments): Promise<ExitCode> {
  const { settings: stated, source } = loadListenerSettings(file, process.env);
  const signals = hearStopSignals('ended at once; at most the last flush interval of the tape is missing');
  const context = openContext({ settings: stated, source }, [], false);
  const exchange = stated.venue === null ? await openExchange(stated, source, context) : null;
  const venue = exchange === null ? stated.venue! : bundledVenueOf(stated.exchange!, exchange.server);
  const dir = given.out ?? join(tapesFolder(stated.stateDir), basename(file).replace(/\.ya?ml$/, ''));
  const line = new LiveLine(process.stderr);
  let fault: TapeWriteError | null = null;
  let heard: Heard = 'nothing';
  let isOver = (): void => undefined;
  const over = new Promise<void>((end) => (isOver = end));
  try {
    const { settings } = await selectedSettings({ settings: stated, source, venue, ...context });
    const recorder = await ChannelRecorder.start({
      ...context,
      settings,
      source,
      venue,
      dir,
      onFault: (error) => {
        fault = error;
        isOver();
      },
      onNews: (news) => sayNews(given.json, news, context.logger, line),
    });
    say(
      given.json,
      { event: 'recording', tape: resolve(dir), pid: process.pid },
      `recording to ${resolve(dir)}`,
    );
    const stopShowing = show(recorder, line);
    await until(over, isOver, signals, given.for ?? null);
    stopShowing();
    await recorder.close();
    const { soFar } = recorder;
    ({ heard } = soFar);
    say(given.json, { event: 'summary', tape: resolve(dir), ...soFar }, summary(soFar));
  } finally {
    await exchange?.close();
  }
  return ended(fault, heard, venue.baseUrl);
}

function ended(fault: TapeWriteError | null, heard: Heard, address: string): ExitCode {
  const [exit, text] = fault === null ? NOTHING_HEARD[heard](address) : [fault.exit, fault.message];
  if (text !== '') remark(text);
  return exit;
}

/** A tape on which the venue says nothing is no recording. */
const NOTHING_HEARD: Readonly<Record<Heard, (address: string) => readonly [ExitCode, string]>> = {
  something: () => [EXIT.clean, ''],
  nothing: (address) => [
    EXIT.venueUnreachable,
    `nothing was recorded: the venue could not be reached at ${address}`,
  ],
  'only refusals': (address) => [
    EXIT.usage,
    `nothing was recorded: the venue at ${address} refused whatever was asked for; look at the events and markets of the file`,
  ],
};

function openExchange(
  { exchange }: BotSettings,
  { file }: SettingsSource,
  { clock, random, logger }: RunContext,
): Promise<RunningExchange> {
  if (exchange === null) throw new UsageError('this configuration has neither a venue nor an exchange');
  return runExchange({
    settings: exchange,
    file,
    clock,
    random: random.fork(`exchange ${exchange.seed}`),
    logger,
    busyPort: 'use-free-one',
    start: clock.now(),
  });
}

/** A signal, the time given, or a disk that takes no more. */
async function until(
  over: Promise<void>,
  end: () => void,
  signals: StopSignals,
  forMs: number | null,
): Promise<void> {
  signals.onStop(end);
  const cancelLimit = forMs === null ? null : afterDelay(forMs, end);
  await over;
  cancelLimit?.();
}

/** One line on standard error, when that is a terminal. */
function show(recorder: ChannelRecorder, line: LiveLine): () => void {
  if (!line.isSeen) return () => undefined;
  const startedAt = performance.now();
  const pictures = setInterval(() => {
    const { lines, frames, connection } = recorder.soFar;
    line.show([
      { text: durationText(performance.now() - startedAt), rank: 2 },
      { text: connection, rank: 0 },
      { text: `${frames} frames, ${lines} lines`, rank: 1 },
    ]);
  }, SHOW_MS);
  return () => {
    clearInterval(pictures);
    line.clear();
  };
}

const summary = ({ lines, frames, before }: RecordedSoFar): string =>
  `recorded ${lines} lines, ${frames} frames of them${before === 0 ? '' : `, behind ${before} lines of runs before`}`;

/** On standard output, and in the log where that is not the same terminal. */
function sayNews(json: boolean, { kind, level, text }: RecordingNews, logger: Logger, line: LiveLine): void {
  if (line.isSeen) line.clear();
  else logger[level](text);
  const at = new Date().toISOString();
  say(json, { event: kind, level, at, text }, `${at.slice(11, 19)}  ${text}`);
}

const say = (json: boolean, facts: object, text: string): void => (json ? printJson(facts) : print(text));
