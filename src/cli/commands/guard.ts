import type { GuardEnd } from '../../app/guard/guard.js';
import { clearFence, runGuard } from '../../app/guard/start-guard.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { SystemClock } from '../../runtime/system-clock.js';
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

const CLEARED =
  'the fence is cleared: the bot may quote again, unless its kill switch is latched. A guard that has not proved yet that ' +
  'nothing of it stands raises the fence again';

/** `oddsmith guard clear <config.yaml>`: a person has looked; the bot may quote again. */
export function clearGuard(file: string): ExitCode {
  const { settings } = loadBotSettings(file, process.env);
  const stood = clearFence(settings, file);
  process.stdout.write(`${stood ? CLEARED : 'no fence stood'}\n`);
  return EXIT.clean;
}
