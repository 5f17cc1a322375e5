/** `oddsmith canary`: new parameters on paper beside the present ones, and what is done with them afterwards. */
import { join } from 'node:path';
import { EXIT, type ExitCode, OddsmithError, UsageError } from '../../domain/errors.js';
import { runCanary, type CanarySlice } from '../../runs/canary/canary.js';
import type { CanaryVerdict } from '../../runs/canary/judgement.js';
import { keepOutcome, outcomeOf, promoteIn, rollBackIn } from '../../runs/canary/outcome.js';
import {
  type BotSettings,
  type CanarySettings,
  type Loaded,
  loadKeylessSettings,
  secretsOf,
} from '../../settings/index.js';
import { openContext } from '../context.js';
import { print, printJson } from '../output.js';
import { durationText, signed } from '../screen/format.js';
import { hearStopSignals } from '../signals.js';

export interface CanaryArguments {
  readonly for?: number;
  readonly json: boolean;
}

export interface PromoteArguments {
  readonly unproved: boolean;
}

function load(file: string): { readonly loaded: Loaded<BotSettings>; readonly canary: CanarySettings } {
  const loaded = loadKeylessSettings(file, process.env, ['mode=paper']);
  const { canary } = loaded.settings;
  if (canary === null)
    throw new UsageError(`${file} has no section canary: it says which instance tries which parameters`);
  return { loaded, canary };
}

/** `oddsmith canary run <file>`: until its time is over, or Ctrl-C, which judges what there is. */
export async function runCanaryOf(file: string, given: CanaryArguments): Promise<ExitCode> {
  const { loaded, canary } = load(file);
  const { settings } = loaded;
  const { venue, currency } = settings;
  if (venue === null) throw new UsageError(`${file} names no venue: a canary needs its live data`);
  const stop = new AbortController();
  const signals = hearStopSignals('ended at once; nothing was at a venue');
  signals.onStop(() => stop.abort());
  // Not into the log of the bot that it runs beside.
  const log = { ...settings.log, file: settings.log.file && join(settings.stateDir, 'canary', 'canary.log') };
  const context = openContext({ ...loaded, settings: { ...settings, log } }, secretsOf(settings), false);
  const forMs = given.for ?? canary.for;
  if (!given.json)
    print(
      `canary of ${canary.instance} on paper for ${durationText(forMs)}: ${JSON.stringify(canary.params)}`,
    );
  const verdict = await runCanary({
    ...loaded,
    ...context,
    venue,
    canary: { ...canary, for: forMs },
    signal: stop.signal,
    onSample: (slice) =>
      given.json ? printJson({ event: 'sample', ...slice }) : print(sliceLine(slice, currency)),
  });
  keepOutcome(settings, context.runId, canary, verdict);
  return concludeCanary(file, loaded, verdict, given.json);
}

/**
 * Says what a canary found, and takes the parameters over where the file wants that. A file that cannot take them over is left
 * as it is, and the verdict is told all the same.
 */
export async function concludeCanary(
  file: string,
  { settings }: Loaded<BotSettings>,
  verdict: CanaryVerdict,
  isJson: boolean,
): Promise<ExitCode> {
  const { currency } = settings;
  const canary = settings.canary!;
  const isWanted = verdict.outcome === 'better' && canary.promote === 'if-better';
  const refusal = isWanted ? await refusalOf(() => promoteIn(file, canary)) : null;
  const isPromoted = isWanted && refusal === null;
  const exit = refusal === null ? EXIT.clean : EXIT.usage;
  if (isJson) {
    printJson({ event: 'verdict', ...verdict, promoted: isPromoted, ...(refusal !== null && { refusal }) });
    return exit;
  }
  const { interval, slices, difference } = verdict;
  const range =
    interval === null
      ? ''
      : `, ${interval.low.toFixed(4)} to ${interval.high.toFixed(4)} a slice with 95 % confidence`;
  print(
    `${verdict.outcome}: ${verdict.text}; difference ${signed(difference.toFixed(2))} ${currency} over ${slices} slices${range}`,
    ...(refusal === null ? [] : [`not promoted: ${refusal}`]),
    isPromoted
      ? promotedText(file)
      : `oddsmith canary promote ${file} takes them over, oddsmith canary rollback ${file} forgets them`,
  );
  return exit;
}

async function refusalOf(promotion: () => Promise<void>): Promise<string | null> {
  try {
    await promotion();
    return null;
  } catch (error) {
    if (error instanceof OddsmithError || isFileError(error)) return error.message;
    throw error;
  }
}

const isFileError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

const sliceLine = ({ elapsedMs, now, next, fillsNow, fillsNext }: CanarySlice, currency: string): string =>
  `${durationText(elapsedMs)}  now ${signed(now.toFixed(2))} (${fillsNow} fills)  new ${signed(next.toFixed(2))} (${fillsNext} fills)  ` +
  `difference ${signed((next - now).toFixed(2))} ${currency}`;

const promotedText = (file: string): string =>
  `${file} has the new parameters: a bot that watches its file takes them over, any other with oddsmith reload ${file}`;

/** `oddsmith canary promote <file>`. @throws UsageError for parameters that no canary has tried to its end */
export async function promoteCanary(file: string, { unproved }: PromoteArguments): Promise<ExitCode> {
  const { loaded, canary } = load(file);
  const outcome = outcomeOf(loaded.settings, canary);
  if (outcome?.outcome !== 'better' && !unproved)
    throw new UsageError(
      outcome === null
        ? `no canary has tried these parameters: oddsmith canary run ${file}, or add --unproved`
        : `the canary ${outcome.runId} found: ${outcome.text}; add --unproved to take them over all the same`,
    );
  await promoteIn(file, canary);
  print(promotedText(file));
  return EXIT.clean;
}

/** `oddsmith canary rollback <file>`: the section leaves the file; the instance stays as it is. */
export function rollBackCanary(file: string): ExitCode {
  load(file);
  rollBackIn(file);
  print(`${file} has no canary any more; its instance is as it was`);
  return EXIT.clean;
}
