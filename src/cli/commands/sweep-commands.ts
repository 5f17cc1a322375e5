/** The command `sweep` and its workers, with their options. */
import { type Command, Option } from 'commander';
import type { ExitCode } from '../../domain/errors.js';
import { REDIS_PASSWORD } from '../../runs/sweep/redis/connection.js';
import { collect, parseCount, parseFolder, parseSilence } from '../option-values.js';
import type { SweepArguments, SweepWorkerArguments } from './sweep.js';

/** @param ends told the exit code of the command that ran */
export function registerSweepCommands(program: Command, ends: (code: ExitCode) => void): void {
  const redis = new Option(
    '--redis <url>',
    `redis://[user@]host[:port][/database]; its password in ${REDIS_PASSWORD}`,
  );
  const sweep = program
    .command('sweep <config.yaml>')
    .description('many configurations on the same recordings, ranked by what they were not trained on')
    .enablePositionalOptions()
    .option(
      '--set <path=value>',
      'change the configuration before anything is tried; as often as needed',
      collect,
      [],
    )
    .option('--json', 'the result as one JSON line', false)
    .option(
      '--out <folder>',
      'results, left out: in sweeps below the stateDir; what is finished there is not run again',
      parseFolder,
    )
    .option('--threads <number>', 'threads that share the work', parseCount, 1)
    .addOption(new Option(redis.flags, 'workers of this Redis share the work, on any machine'))
    .option('--screen', 'rank all configurations by a fast model; the engine confirms the best', false)
    .option(
      '--confirm <number>',
      'with --screen: how many of the best the engine confirms, left out: 10',
      parseCount,
    )
    .option(
      '--explain-differences',
      'with --screen: what latency, budget, copies and levels have to do with the difference of screen and engine',
      false,
    )
    .action(async (file: string, options: SweepArguments) => {
      const { sweepConfiguration } = await import('./sweep.js');
      ends(await sweepConfiguration(file, options));
    });
  sweep
    .command('worker')
    .description('backtests of sweeps that were started with --redis, until it is stopped')
    .addOption(redis.makeOptionMandatory())
    .option('--threads <number>', 'backtests at one time', parseCount, 1)
    .option('--folder <folder>', 'where the configuration file of the sweep would lie on this machine')
    .addOption(
      new Option('--stalled-after <duration>', 'silence after which a backtest is given to another')
        .argParser(parseSilence)
        .default(30_000, '30s'),
    )
    .action(async (options: SweepWorkerArguments) => {
      const { workOnSweeps } = await import('./sweep.js');
      ends(await workOnSweeps(options));
    });
}
