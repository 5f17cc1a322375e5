import { basename, join, resolve } from 'node:path';
import { bundledVenueOf } from '../../app/bundled-venue.js';
import { ChannelRecorder, type RecordedSoFar } from '../../app/channel-recorder.js';
import { type RunningExchange, runExchange } from '../../app/exchange.js';
import { tapesFolder } from '../../app/state-paths.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { afterDelay } from '../../runtime/delay.js';
import { type BotSettings, loadListenerSettings, type SettingsSource } from '../../settings/index.js';
import type { TapeWriteError } from '../../tape/index.js';
import { type RunContext, openContext } from '../context.js';
import { durationText } from '../screen/format.js';
import { hearStopSignals, type StopSignals } from '../signals.js';

export interface RecordArguments {
  readonly for?: number;
  readonly out?: string;
  readonly json: boolean;
}

const SHOW_MS = 1_000;
const CLEAR = '\r\x1b[2K';

/** `oddsmith record <config.yaml>`: what the venue tells everybody, until a signal. 1 when the disk takes no more. */
export async function recordChannels(file: string, given: RecordArguments): Promise<ExitCode> {
  const { settings, source } = loadListenerSettings(file, process.env);
  const signals = hearStopSignals('ended at once; at most the last flush interval of the tape is missing');
  const context = openContext(settings, [], false);
  const exchange = settings.venue === null ? await openExchange(settings, source, context) : null;
  const venue = exchange === null ? settings.venue! : bundledVenueOf(settings.exchange!, exchange.server);
  const dir = given.out ?? join(tapesFolder(settings.stateDir), basename(file).replace(/\.ya?ml$/, ''));
  let fault: TapeWriteError | null = null;
  let isOver = (): void => undefined;
  const over = new Promise<void>((end) => (isOver = end));
  try {
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
    });
    say(
      given.json,
      { event: 'recording', tape: resolve(dir), pid: process.pid },
      `recording to ${resolve(dir)}`,
    );
    const stopShowing = show(recorder);
    await until(over, isOver, signals, given.for ?? null);
    stopShowing();
    await recorder.close();
    const { soFar } = recorder;
    say(given.json, { event: 'summary', tape: resolve(dir), ...soFar }, summary(soFar));
  } finally {
    await exchange?.close();
  }
  return ended(fault);
}

function ended(fault: TapeWriteError | null): ExitCode {
  if (fault === null) return EXIT.clean;
  process.stderr.write(`${fault.message}\n`);
  return EXIT.internal;
}

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
function show(recorder: ChannelRecorder): () => void {
  if (!process.stderr.isTTY) return () => undefined;
  const startedAt = performance.now();
  const pictures = setInterval(() => {
    const { lines, frames, connection } = recorder.soFar;
    const elapsed = durationText(performance.now() - startedAt);
    process.stderr.write(`${CLEAR}${elapsed}  ${connection}  ${frames} frames, ${lines} lines`);
  }, SHOW_MS);
  return () => {
    clearInterval(pictures);
    process.stderr.write(CLEAR);
  };
}

const summary = ({ lines, frames, before }: RecordedSoFar): string =>
  `recorded ${lines} lines, ${frames} frames of them${before === 0 ? '' : `, behind ${before} lines of runs before`}`;

const say = (json: boolean, facts: object, text: string): void =>
  void process.stdout.write(`${json ? JSON.stringify(facts) : text}\n`);
