import { runSweepWorker } from '../../runs/sweep/redis/worker.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { hearStopSignals } from '../signals.js';

export interface SweepWorkerArguments {
  readonly redis: string;
  readonly threads: number;
  readonly folder?: string;
  readonly stalledAfter: number;
}

/** `oddsmith sweep worker`: backtests of sweeps that other machines started, until it is stopped. */
export async function workOnSweeps(given: SweepWorkerArguments): Promise<ExitCode> {
  const stop = new AbortController();
  const signals = hearStopSignals('stopped at once; what was begun is run again elsewhere');
  signals.onStop((signal) => {
    say(`${signal}: finishing what was begun`);
    stop.abort();
  });
  const jobs = await runSweepWorker({
    redis: given.redis,
    environment: process.env,
    threads: given.threads,
    folder: given.folder,
    stalledAfterMs: given.stalledAfter,
    stop: stop.signal,
    onNews: say,
    onFinished: (count) => say(`${count} backtest${count === 1 ? '' : 's'} done`),
  });
  process.stdout.write(`${jobs} backtest${jobs === 1 ? '' : 's'} done\n`);
  return EXIT.clean;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);
