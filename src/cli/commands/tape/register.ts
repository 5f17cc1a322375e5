import type { Command } from 'commander';
import type { ExitCode } from '../../../domain/errors.js';
import { runParity } from '../parity.js';
import { type SurveyArguments, tapeInfo, verifyTape } from './info.js';

type Ends = (code: ExitCode) => void;

/** Everything about tapes: recording, looking, comparing. */
export function registerTapeCommands(program: Command, ends: Ends): void {
  const tape = program.command('tape').description('look at recordings, check and change them');
  tape
    .command('info <tape>')
    .description('counts, time span, gaps, books per market')
    .option('--json', 'as one JSON document', false)
    .action(async (path: string, options: SurveyArguments) => ends(await tapeInfo(path, options)));
  tape
    .command('verify <tape>')
    .description('check every line against the one before; 1 when something is wrong')
    .option('--json', 'as one JSON document', false)
    .action(async (path: string, options: SurveyArguments) => ends(await verifyTape(path, options)));
  program
    .command('parity <tape>')
    .description('replay the run of a tape and compare every decision; 1 when one differs')
    .option('--json', 'as one JSON document', false)
    .action(async (path: string, options: SurveyArguments) => ends(await runParity(path, options)));
}
