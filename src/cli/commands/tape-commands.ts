import { type Command, Option } from 'commander';
import type { ExitCode } from '../../domain/errors.js';
import { SCENARIOS } from '../../settings/index.js';
import type { OrderName } from '../../runs/explain/story-teller.js';
import type { ExplainArguments } from './explain.js';
import { parseDuration, parseFolder, parseId, parseInstant, parseOrderName } from '../option-values.js';
import { namedRun } from '../named-run.js';
import type { RecordArguments } from './record.js';
import type { CutArguments, OutArgument, SurveyArguments } from './tape.js';

type Ends = (code: ExitCode) => void;

const TAPE = 'the folder or the id of a run, or a tape';
const named = (text: string): string => namedRun(text);

/** Everything about tapes: recording, looking, comparing. */
export function registerTapeCommands(program: Command, ends: Ends): void {
  program
    .command('record <config.yaml>')
    .description('record what the venue of a file tells everybody; needs no keys')
    .option('--for <duration>', 'stop by itself, e.g. after 2h; left out: until Ctrl-C', parseDuration)
    .option(
      '--out <folder>',
      'the tape, left out: in tapes below the stateDir, by the name of the file; one that is there is gone on with',
      parseFolder,
    )
    .option('--json', 'one JSON line when it begins, one at the end', false)
    .action(async (file: string, options: RecordArguments) => {
      const { recordChannels } = await import('./record.js');
      ends(await recordChannels(file, options));
    });
  const tape = program.command('tape').description('look at recordings, check and change them');
  tape
    .command('info')
    .description('counts, time span, gaps, books per market')
    .argument('<tape>', TAPE, named)
    .option('--json', 'as one JSON document', false)
    .action(async (path: string, options: SurveyArguments) => {
      const { tapeInfo } = await import('./tape.js');
      ends(await tapeInfo(path, options));
    });
  tape
    .command('verify')
    .description('check every line against the one before; 1 when something is wrong')
    .argument('<tape>', TAPE, named)
    .option('--json', 'as one JSON document', false)
    .action(async (path: string, options: SurveyArguments) => {
      const { verifyTape } = await import('./tape.js');
      ends(await verifyTape(path, options));
    });
  tape
    .command('cut')
    .description('a part of a tape as a tape')
    .argument('<tape>', TAPE, named)
    .requiredOption('--out <folder>', 'where to; a name ending in .ndjson makes one plain file', parseFolder)
    .option(
      '--from <instant>',
      'such as 2026-07-01T14:22:33Z, or +90s after the beginning of the tape',
      parseInstant,
    )
    .option('--to <instant>', 'the same', parseInstant)
    .option('--market <id>', 'this market alone; as often as needed', parseId, [])
    .action(async (path: string, options: CutArguments) => {
      const { cutToPart } = await import('./tape.js');
      ends(await cutToPart(path, options));
    });
  tape
    .command('merge <tapes...>')
    .description('several tapes as one, in the order of receipt')
    .requiredOption('--out <folder>', 'where to', parseFolder)
    .action(async (paths: string[], options: OutArgument) => {
      const tapes = paths.map(named);
      const { mergeIntoOne } = await import('./tape.js');
      ends(await mergeIntoOne(tapes, options));
    });
  tape
    .command('import <recordings...>')
    .description('recordings in the neutral form as a tape, in time order')
    .requiredOption('--out <folder>', 'where to', parseFolder)
    .action(async (files: string[], options: OutArgument) => {
      const { importRecordings } = await import('./tape.js');
      ends(await importRecordings(files, options));
    });
  tape
    .command('values')
    .description('fair values from outside, as NDJSON for backtest.fairValues')
    .argument('<tape>', TAPE, named)
    .action(async (path: string) => {
      const { printValues } = await import('./tape.js');
      ends(await printValues(path));
    });
  tape
    .command('export')
    .description('books, trades, orders, fills and decisions as Parquet')
    .argument('<tape>', TAPE, named)
    .requiredOption('--out <folder>', 'where to', parseFolder)
    .action(async (path: string, options: OutArgument) => {
      const { exportTables } = await import('./tape.js');
      ends(await exportTables(path, options));
    });
  program
    .command('parity')
    .description('replay the run of a tape and compare every decision; 1 when one differs')
    .argument('<run>', TAPE, named)
    .option('--json', 'as one JSON document', false)
    .action(async (path: string, options: SurveyArguments) => {
      const { runParity } = await import('./parity.js');
      ends(await runParity(path, options));
    });
  program
    .command('explain')
    .description(
      'why an order of a run stood where it did, and what became of it; without one, all its orders',
    )
    .argument('<run>', TAPE, named)
    .argument('[order]', "the venue's number, or request.item such as 12.0", parseOrderName)
    .addOption(new Option('--scenario <name>', 'of a backtest').choices(SCENARIOS).default('expected'))
    .option('--json', 'as JSON', false)
    .action(async (path: string, order: OrderName | undefined, options: ExplainArguments) => {
      const { explainRun } = await import('./explain.js');
      ends(await explainRun(path, order, options));
    });
}
