import type { GuardEnd } from '../../ops/guard/guard.js';
import { clearFence, type FenceClearing } from '../../ops/guard/resume.js';
import { runGuard } from '../../ops/guard/run-guard.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import { loadBotSettings } from '../../settings/index.js';
import { newsPrinter } from '../news.js';
import { hearStopSignals } from '../signals.js';

export interface GuardArguments {
  readonly json: boolean;
}

const EXIT_BY_END: Readonly<Record<GuardEnd, ExitCode>> = {
  idle: EXIT.clean,
  fenced: EXIT.killLatched,
  'orders-may-remain': EXIT.ordersMayRemain,
};

/** `oddsmith guard <config.yaml>`: watches the bot of a configuration from a second process, until a signal. */
export async function guardConfiguration(file: string, { json }: GuardArguments): Promise<ExitCode> {
  const { settings } = loadBotSettings(file, process.env);
  const stop = new AbortController();
  const signals = hearStopSignals('ended at once; nobody guards the bot');
  signals.onStop(() => stop.abort());
  const end = await runGuard({
    settings,
    file,
    clock: new SystemClock(),
    tell: newsPrinter(json, settings),
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
    'the fence stands: no guard has proved yet that nothing of the bot is left at the venue. Wait for the line "proved" of ' +
      `the guard, or start one: oddsmith guard ${file}. Where it cannot prove it, and you have looked at the account: ` +
      `oddsmith guard clear --unproved ${file}`,
  ],
};

/** `oddsmith guard clear <config.yaml>`: a person has looked; the bot may quote again. */
export function clearGuard(file: string, { unproved }: ClearArguments): ExitCode {
  const { settings } = loadBotSettings(file, process.env);
  const [exit, text] = CLEARINGS[clearFence(settings, file, unproved ? 'unproved' : 'proved')](file);
  (exit === EXIT.clean ? process.stdout : process.stderr).write(`${text}\n`);
  return exit;
}
