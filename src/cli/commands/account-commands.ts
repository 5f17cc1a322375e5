/** Commands that look at what a bot stands on: machine and venue, what its account traded, what lies on the disk. */
import { type Command, Option } from 'commander';
import type { ExitCode } from '../../domain/errors.js';
import { GROUPINGS } from '../../report/history.js';
import { parseDuration, parseInstant } from '../option-values.js';
import type { CleanArguments } from './clean.js';
import type { ConformanceArguments } from './conformance.js';
import type { DoctorArguments } from './doctor.js';
import type { HistoryArguments } from './history.js';

export function registerAccountCommands(program: Command, ends: (code: ExitCode) => void): void {
  program
    .command('doctor <config.yaml>')
    .description(
      'whether a bot of a file could run here: machine, disk, network, keys, signing, channels, markets, state',
    )
    .option('--paper', 'without keys, as oddsmith paper would run', false)
    .option('--json', 'as one JSON line', false)
    .action(async (file: string, options: DoctorArguments) => {
      const { examine } = await import('./doctor.js');
      ends(await examine(file, options));
    });
  program
    .command('conformance <config.yaml>')
    .description('what is assumed of the venue of a file, tried there with the least play-money orders')
    .addOption(
      new Option('--market <id>', 'an open market of the file, for the orders').makeOptionMandatory(),
    )
    .addOption(new Option('--currency <code>', 'OOM: play money').makeOptionMandatory())
    .option('--json', 'as one JSON line', false)
    .action(async (file: string, options: ConformanceArguments) => {
      const { showConformance } = await import('./conformance.js');
      ends(await showConformance(file, options));
    });
  program
    .command('history <config.yaml>')
    .description('fills, fees and profit of the account of a file, over all its runs')
    .addOption(new Option('--by <grouping>', 'what a row is').choices(GROUPINGS).default('day'))
    .option('--from <instant>', 'a time, or +24h after the first fill', parseInstant)
    .option('--to <instant>', 'a time, or +24h after the first fill', parseInstant)
    .option('--run <id>', 'one run alone')
    .option('--out <file>', 'every fill, as a file that ends in .csv or .parquet')
    .option('--csv', 'the rows as CSV', false)
    .option('--paper', 'the paper bot of the file', false)
    .option('--json', 'as one JSON line', false)
    .action(async (file: string, options: HistoryArguments) => {
      const { showHistory } = await import('./history.js');
      ends(await showHistory(file, options));
    });
  program
    .command('clean <config.yaml>')
    .description('remove old runs, sweeps and logs below the stateDir of a file; shows them first')
    .addOption(
      new Option('--older-than <duration>', 'nothing was written for so long, such as 30d')
        .argParser(parseDuration)
        .makeOptionMandatory(),
    )
    .option('--tapes', 'recordings of oddsmith record, too', false)
    .option('--yes', 'remove them', false)
    .option('--json', 'as one JSON line', false)
    .action(async (file: string, options: CleanArguments) => {
      const { cleanState } = await import('./clean.js');
      ends(cleanState(file, options));
    });
}
