import { type Command, Option } from 'commander';
import type { ExitCode } from '../../domain/errors.js';
import { VENUES } from '../../recordings/import-options.js';
import {
  collect,
  parseCount,
  parseDuration,
  parseFolder,
  parseInstant,
  parsePositive,
} from '../option-values.js';
import type { ExportArguments, ImportArguments, RawArguments } from './recording.js';

type Ends = (code: ExitCode) => void;

/** Commands about raw recordings of venues. */
export function registerRecordingCommands(program: Command, ends: Ends): void {
  const recording = program
    .command('recording')
    .description('raw recordings of venues: look into them, import them');
  const FILES = 'files, folders, patterns and zip archives; plain, gzip or bzip2';
  withOptions(recording.command('import').argument('<files...>', FILES))
    .description('raw recordings of Betfair, Kalshi or Polymarket in the neutral form, for backtests')
    .requiredOption('--out <folder>', 'where to; the numbers in its markets.json stay', parseFolder)
    .action(async (files: string[], options: ImportArguments) => {
      const { importRecording } = await import('./recording.js');
      ends(await importRecording(files, options));
    });
  withOptions(recording.command('inspect').argument('<files...>', FILES))
    .description(
      'format, markets, span and gaps of raw recordings, and what an import would refuse; 2 when it would',
    )
    .action(async (files: string[], options: RawArguments) => {
      const { inspectRecording } = await import('./recording.js');
      ends(await inspectRecording(files, options));
    });
  recording
    .command('export <recordings...>')
    .description('recordings, raw ones too, as another program reads them, a file for each market')
    .addOption(new Option('--to <program>', 'which program').choices(['hftbacktest']).makeOptionMandatory())
    .requiredOption('--out <folder>', 'where to', parseFolder)
    .addOption(
      new Option('--latency <duration>', 'from the venue to the bot, the same for every event')
        .argParser(parseDuration)
        .default(0, '0ms'),
    )
    .action(async (files: string[], options: ExportArguments) => {
      const { exportRecording } = await import('./recording.js');
      ends(await exportRecording(files, options));
    });
}

const withOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--from <venue>', 'whose frames they are').choices([...VENUES, 'auto']).default('auto'),
    )
    .option('--market <id>', "a market by the venue's id; as often as needed, left out: all", collect, [])
    .option('--event <id>', "an event by the venue's id; as often as needed, left out: all", collect, [])
    .option(
      '--from-time <instant>',
      'take what is at or after it, such as 2026-07-01T14:22:33Z',
      parseInstant,
    )
    .option('--to-time <instant>', 'take what is before it', parseInstant)
    .option('--levels <number>', 'most levels a side', parseCount, 10)
    .option(
      '--grid <price>',
      'steps of prices, 0.01 to 0.00001; levels between are moved outwards and merged. Betfair: 0.001 when left out',
      parsePositive,
    )
    .option('--names <file>', 'a table with names of markets, CSV or JSON; as often as needed', collect, [])
    .option(
      '--resolution <file or id=result>',
      'results: a table, or KXGOLD-1=yes, ...=void, ...=0.5; as often as needed',
      collect,
      [],
    )
    .addOption(
      new Option('--no-prices <side>', 'Kalshi: what the prices of the no side are prices of').choices([
        'no',
        'yes',
      ]),
    )
    .option('--token <id>', 'Polymarket: the token that is the long side; as often as needed', collect, [])
    .option('--off-book', 'Kalshi: take block trades, too', false)
    .addOption(
      new Option(
        '--gaps <what>',
        'Kalshi: at a jump of sequence numbers, go on or close the market until a snapshot',
      )
        .choices(['ignore', 'close'])
        .default('ignore'),
    )
    .option('--json', 'as one JSON document', false);
