import { killFromOutside } from '../../ops/guard/kill.js';
import { resumeFromOutside } from '../../ops/guard/resume.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { afterDelay, SystemClock } from '../../storage/clocks/system-clock.js';
import { loadBotSettings } from '../../settings/index.js';
import { newsPrinter } from '../news.js';
import { hearStopSignals } from '../signals.js';

export interface KillArguments {
  readonly all: boolean;
  readonly everyOrderOfTheAccount: boolean;
  readonly for: number;
  readonly json: boolean;
}

const UNPROVED = 'orders may remain at the venue; look at them there';

/** `oddsmith kill <config.yaml>`: latches the kill switch, withdraws everything and proves it. */
export async function killConfiguration(file: string, given: KillArguments): Promise<ExitCode> {
  if (given.all && !given.everyOrderOfTheAccount)
    throw new UsageError(
      '--all cancels every order of the account in every market, also those of other programs and those placed by ' +
        'hand; if that is what you want, add --every-order-of-the-account',
    );
  const { settings } = loadBotSettings(file, process.env);
  const stop = new AbortController();
  const signals = hearStopSignals(UNPROVED);
  signals.onStop(() => stop.abort());
  const cancelLimit = afterDelay(given.for, () => stop.abort());
  try {
    const reach = given.all ? 'account-wide' : 'configuration';
    const tell = newsPrinter(given.json, settings);
    const { signal } = stop;
    const run = { settings, file, reach, clock: new SystemClock(), tell, signal } as const;
    if (await killFromOutside(run)) return EXIT.clean;
    process.stderr.write(`${UNPROVED}\n`);
    return EXIT.ordersMayRemain;
  } finally {
    cancelLimit();
  }
}

const RESET =
  'what was latched is reset: the bot of this configuration quotes again as its markets allow it, at once where it runs';

/** `oddsmith resume <config.yaml>`: resets the kill switch of a bot, running or not, and lets its stopped strategies go on. */
export function resumeConfiguration(file: string): ExitCode {
  const { settings } = loadBotSettings(file, process.env);
  const latched = resumeFromOutside(settings, file);
  const told =
    latched.length === 0 ? ['nothing was latched'] : [RESET, ...latched.map((path) => `  ${path}`)];
  process.stdout.write(`${told.join('\n')}\n`);
  return EXIT.clean;
}
