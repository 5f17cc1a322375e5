/** The commands `runs list`, `runs compare` and `runs query`, with their options. */
import { type Command, Option } from 'commander';
import type { ExitCode } from '../../domain/errors.js';
import { DEFAULT_STATE_DIR } from '../../settings/bot-schema.js';
import { parseCount } from '../option-values.js';
import type { RunsArguments, RunsListArguments } from './runs.js';

/** @param ends told the exit code of the command that ran */
export function registerRunsCommands(program: Command, ends: (code: ExitCode) => void): void {
  const runs = program
    .command('runs')
    .description('what backtests, sweeps, screens and bots came to, of all that ended in a state folder');
  const state = (): Option =>
    new Option('--state-dir <folder>', 'whose catalogue is read').default(DEFAULT_STATE_DIR);
  runs
    .command('list')
    .description('the last runs, a line each; of a sweep its best, or every configuration where it is named')
    .argument('[run]', 'id of a run or of a sweep')
    .option('--last <number>', 'lines at most', parseCount, 30)
    .addOption(state())
    .option('--json', 'every row as one JSON line', false)
    .action(async (run: string | undefined, options: RunsListArguments) => {
      const { listRuns } = await import('./runs.js');
      ends(await listRuns(run, options));
    });
  runs
    .command('compare')
    .description('two runs side by side: the parameters that differ, and the figures of each scenario')
    .argument('<run>', 'id of a run, or of a configuration of a sweep, such as sw-0123456789abcdef/3')
    .argument('<other>', 'another one')
    .addOption(state())
    .option('--json', 'as one JSON line', false)
    .action(async (run: string, other: string, options: RunsArguments) => {
      const { compareCatalogued } = await import('./runs.js');
      ends(await compareCatalogued(run, other, options));
    });
  runs
    .command('query')
    .description('asks the table runs in SQL; needs the optional package @duckdb/node-api')
    .argument('<statement>', 'such as "SELECT run, profit FROM runs WHERE headline = 1 ORDER BY profit DESC"')
    .addOption(state())
    .option('--json', 'the rows as one JSON line', false)
    .action(async (statement: string, options: RunsArguments) => {
      const { queryRuns } = await import('./runs.js');
      ends(await queryRuns(statement, options));
    });
}
