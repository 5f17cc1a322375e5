/** Every command of the program, with its options. */
import { Argument, Command, Option } from 'commander';
import { EXIT, type ExitCode } from '../domain/errors.js';
import { completionOf, type Shell, SHELLS } from './completion.js';
import { print } from './output.js';
import type { AlertTestArguments } from './commands/alert.js';
import type { BacktestArguments } from './commands/backtest.js';
import type { CalibrateArguments } from './commands/calibrate.js';
import type { DemoArguments } from './commands/demo.js';
import type { ExchangeArguments } from './commands/exchange.js';
import type { ClearArguments, GuardArguments, KillArguments, ResumeArguments } from './commands/guard.js';
import type { NewStrategyArguments } from './commands/new.js';
import type { ReportArguments } from './commands/report.js';
import type { StateResetArguments, StateShowArguments } from './commands/state.js';
import type { InitArguments } from './commands/init.js';
import type { MarketsArguments } from './commands/markets.js';
import type { RunArguments } from './commands/run.js';
import type { ShadowArguments } from './commands/shadow.js';
import {
  collect,
  parseCount,
  parseDuration,
  parseFolder,
  parseInstant,
  parseParameters,
  parsePort,
  parsePositive,
  SHARD,
} from './option-values.js';
import { addExamples, optionText, withHint } from './help.js';
import { namedRun } from './named-run.js';
import { programVersion } from '../runs/program.js';
import { registerAccountCommands } from './commands/account-commands.js';
import { registerLiveCommands } from './commands/live-commands.js';
import { registerRecordingCommands } from './commands/recording-commands.js';
import { registerRunsCommands } from './commands/runs-commands.js';
import { registerSweepCommands } from './commands/sweep-commands.js';
import { registerTapeCommands } from './commands/tape-commands.js';
import { registerValidateCommands } from './commands/validate-commands.js';

type Ends = (code: ExitCode) => void;

/** A command is loaded when it is called: all of them together take longer than most of them run. @param ends told the exit code of the one that ran */
export function buildProgram(ends: Ends): Command {
  const program = new Command('oddsmith')
    .description('Market making on prediction markets.')
    .version(programVersion(), '-V, --version', 'the version of this program')
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ optionDescription: optionText })
    .configureOutput({ outputError: (text, write) => write(withHint(text)) })
    .addHelpText('after', AFTER_HELP);
  program
    .command('demo')
    .description('a bot makes a market on the bundled exchange, over the wire, with play money')
    .option('--config <file>', 'another configuration than config/demo.yaml')
    .option('--for <duration>', 'stop by itself, e.g. after 20s', parseDuration)
    .option('--json', 'one JSON line when ready, one at the end', false)
    .option('--recording <file>', 're-enact a recording instead of simulated traders')
    .option('--speed <factor>', 'of the re-enactment, 1 when left out', parsePositive)
    .option(
      '--strategy <name or file>',
      'quotes in place of the strategies of the file; a bundled one by its name, else a file from the working directory',
    )
    .option(
      '--param <name=value...>',
      'parameters, of that strategy or on top of those in the file',
      parseParameters,
    )
    .action(async (options: DemoArguments) => {
      const { runDemo } = await import('./commands/demo.js');
      ends(await runDemo(options));
    });
  program
    .command('init')
    .argument('[file]', 'the file to write', 'bot.yaml')
    .description(
      'write a first configuration file: choose markets, a strategy and a budget; never writes a secret',
    )
    .option('--venue <file>', 'a file whose section venue is taken over; left out: Futuur')
    .option('--currency <code>', 'OOM is play money')
    .option('--search <text>', 'look for markets by these words')
    .option('--markets <ids...>', 'the markets to quote')
    .option('--strategy <name>', 'a bundled strategy')
    .option('--budget <amount>', 'what may be lost', parsePositive)
    .option('--yes', 'ask nothing: what no option says is as usual', false)
    .action(async (file: string, options: InitArguments) => {
      const { initFile } = await import('./commands/init.js');
      ends(await initFile(file, options));
    });
  program
    .command('run <config.yaml...>')
    .description(
      'a bot on the venue of a configuration file, or on its exchange, started with it, when it names none; several files: a bot each, in one process',
    )
    .option('--for <duration>', 'stop by itself', parseDuration)
    .option('--json', 'one JSON line when ready, one at the end', false)
    .option('--real-money', 'needed when the file trades real money', false)
    .option(...SHARD)
    .action(async (files: readonly string[], options: RunArguments) => {
      const { runConfigurations } = await import('./commands/run.js');
      ends(await runConfigurations(files, options));
    });
  program
    .command('paper <config.yaml...>')
    .description(
      'the bot of a configuration file on live data of its venue, without keys; orders go to a simulated venue',
    )
    .option('--for <duration>', 'stop by itself', parseDuration)
    .option('--json', 'one JSON line when ready, one at the end', false)
    .option(...SHARD)
    .action(async (files: readonly string[], options: Omit<RunArguments, 'realMoney'>) => {
      const { paperConfigurations } = await import('./commands/run.js');
      ends(await paperConfigurations(files, options));
    });
  program
    .command('markets [config.yaml]')
    .description(
      'open markets of the venue of a file with their books, without keys; or recorded ones, by what a quote would have earned',
    )
    .option('--search <text>', 'events that the venue finds for these words')
    .option('--category <name>', 'events of this category')
    .option('--closes-after <instant>', 'betting ends later, e.g. +24h or 2026-07-01T12:00:00Z', parseInstant)
    .option('--closes-before <instant>', 'betting ends earlier', parseInstant)
    .option('--min-volume <amount>', 'events with at least this turnover', parsePositive)
    .option(
      '--max-spread <price>',
      'markets whose bid and ask are no further apart, e.g. 0.05',
      parsePositive,
    )
    .option('--limit <number>', 'markets whose books are read', parseCount, 50)
    .option(
      '--edge <recordings...>',
      'no venue: rank the markets of these recordings, and of folders of them',
    )
    .option(
      '--step <price>',
      'of --edge: between the distances; left out: as far as takers reach',
      parsePositive,
    )
    .option('--distances <number>', 'of --edge: how many of them', parsePositive, 5)
    .option('--json', 'JSON: one line, of --edge one a market', false)
    .action(async (file: string | undefined, options: MarketsArguments) => {
      const { markets } = await import('./commands/markets.js');
      ends(await markets(file, options));
    });
  program
    .command('backtest <config.yaml>')
    .description('the bot of a configuration file on recordings, under three scenarios of fills')
    .option(
      '--set <path=value>',
      'change the configuration, e.g. instances.rain.params.shares=5; as often as needed',
      collect,
      [],
    )
    .option('--json', 'the result as one JSON line', false)
    .option(
      '--out <folder>',
      'below it a folder named by the run, left out: in runs below the stateDir; run, decisions, report',
      parseFolder,
    )
    .option('--threads <number>', 'threads that share the scenarios', parseCount, 1)
    .option(
      '--each <recordings...>',
      'every instance alone on each of these, as a table and a page; folders, too',
    )
    .action(async (file: string, options: BacktestArguments) => {
      const { backtestConfiguration } = await import('./commands/backtest.js');
      ends(await backtestConfiguration(file, options));
    });
  program
    .command('exchange <file>')
    .description('the bundled exchange of a file alone, without its bot')
    .option('--port <number>', 'instead of the port of the file; 0: any free one', parsePort)
    .option('--json', 'one JSON line when it listens', false)
    .action(async (file: string, options: ExchangeArguments) => {
      const { runExchangeAlone } = await import('./commands/exchange.js');
      ends(await runExchangeAlone(file, options));
    });
  addOperatorCommands(program, ends);
  addAlertCommands(program, ends);
  addCompletion(program, ends);
  addAnalysisCommands(program, ends);
  registerAccountCommands(program, ends);
  registerTapeCommands(program, ends);
  registerRecordingCommands(program, ends);
  registerValidateCommands(program, ends);
  registerLiveCommands(program, ends);
  addNewCommands(program, ends);
  addStateCommands(program, ends);
  const config = program.command('config').description('look at configuration files');
  config
    .command('check <file>')
    .description('validate a file; problems as file:line:column')
    .action(async (file: string) => {
      const { checkConfiguration } = await import('./commands/config.js');
      ends(await checkConfiguration(file));
    });
  config
    .command('schema')
    .description('JSON Schema of the configuration, for editors')
    .action(async () => {
      const { printSchema } = await import('./commands/config.js');
      ends(printSchema());
    });
  addExamples(program);
  return program;
}

/** Files to go on from. */
function addNewCommands(program: Command, ends: Ends): void {
  program
    .command('new')
    .description('files to go on from')
    .command('strategy <name>')
    .description('writes a strategy, its test and a file that runs it; overwrites nothing')
    .option('--dir <folder>', 'write there instead of into the working directory')
    .action(async (name: string, options: NewStrategyArguments) => {
      const { newStrategy } = await import('./commands/new.js');
      ends(newStrategy(name, options));
    });
}

function addStateCommands(program: Command, ends: Ends): void {
  const state = program.command('state').description('what strategies remember across restarts');
  state
    .command('show <config.yaml>')
    .description('what strategies of the account remember of each market')
    .option('--paper', 'the paper bot of the file', false)
    .option('--json', 'as one JSON line', false)
    .action(async (file: string, options: StateShowArguments) => {
      const { showState } = await import('./commands/state.js');
      ends(showState(file, options));
    });
  state
    .command('reset <config.yaml>')
    .description('makes strategies forget; refused while the bot of the account runs')
    .option('--instance <name>', 'of this instance alone')
    .option('--market <id>', 'of this market or event alone')
    .option('--paper', 'the paper bot of the file', false)
    .action(async (file: string, options: StateResetArguments) => {
      const { resetState } = await import('./commands/state.js');
      ends(resetState(file, options));
    });
}

/** What is made of runs and recordings afterwards. */
function addAnalysisCommands(program: Command, ends: Ends): void {
  registerSweepCommands(program, ends);
  registerRunsCommands(program, ends);
  program
    .command('calibrate <tape...>')
    .description(
      'fill intensity, volatility, edge and latency from recordings, as YAML to paste, with standard errors',
    )
    .option(
      '--step <price>',
      'price between the quotes that are imagined, such as 0.01; left out: so that one in twenty takers reaches the furthest',
      parsePositive,
    )
    .option('--distances <number>', 'how many of them on each side', parsePositive, 5)
    .action(async (files: string[], options: CalibrateArguments) => {
      const tapes = files.map((file) => namedRun(file));
      const { calibrateRecordings } = await import('./commands/calibrate.js');
      ends(await calibrateRecordings(tapes, options));
    });
  program
    .command('shadow')
    .description(
      'a recorded run against the same orders in simulated venues: predicted and real fills, queue, latency',
    )
    .argument('<tape>', 'the folder or the id of a run, or a tape', (text) => namedRun(text))
    .option('--json', 'the figures as one JSON line', false)
    .action(async (path: string, options: ShadowArguments) => {
      const { shadowRun } = await import('./commands/shadow.js');
      ends(await shadowRun(path, options));
    });
  program
    .command('report')
    .description(
      'the report of a run: one page, JSON and CSV, from its folder, or from its tape when it left none',
    )
    .argument('<run>', 'the folder or the id of a run, or a tape', (text) => namedRun(text))
    .option('--against <run>', 'compare with another run over the same events', (text) => namedRun(text))
    .option('--tried <number>', 'configurations tried until these two were chosen', parsePositive, 2)
    .option('--out <folder>', 'write there instead of into the folder of the run', parseFolder)
    .action(async (folder: string, options: ReportArguments) => {
      const { rewriteReport } = await import('./commands/report.js');
      ends(await rewriteReport(folder, options));
    });
}

/** What a person, or a second process, does to a bot from outside. */
function addOperatorCommands(program: Command, ends: Ends): void {
  const guard = program
    .command('guard <config.yaml>')
    .description('watch the bot of a file from a second process; when it falls silent, withdraw its quotes')
    .option('--json', 'one JSON line for each thing that happens', false)
    .option(...SHARD)
    .action(async (file: string, options: GuardArguments) => {
      const { guardConfiguration } = await import('./commands/guard.js');
      ends(await guardConfiguration(file, options));
    });
  guard
    .command('clear <config.yaml>')
    .description(
      'clear the fence that a guard raised, once it has proved that nothing is left and you have looked',
    )
    .option('--unproved', 'although no guard has proved that nothing is left', false)
    .action(async (file: string, options: ClearArguments) => {
      const { clearGuard } = await import('./commands/guard.js');
      ends(clearGuard(file, options));
    });
  program
    .command('kill <config.yaml>')
    .description('latch the kill switch of the bot of a file, withdraw everything and prove it')
    .option('--all', 'every order of the account; needs the next flag', false)
    .option('--every-order-of-the-account', 'also those of other programs and of hands', false)
    .option('--paper', 'the paper bot of the file', false)
    .addOption(
      new Option('--for <duration>', 'give up after this long')
        .argParser(parseDuration)
        .default(120_000, '2m'),
    )
    .option('--json', 'one JSON line for each thing that happens', false)
    .action(async (file: string, options: KillArguments) => {
      const { killConfiguration } = await import('./commands/guard.js');
      ends(await killConfiguration(file, options));
    });
  program
    .command('resume <config.yaml>')
    .description('reset the kill switch of the bot of a file, and let its strategies that failed go on')
    .option('--paper', 'the paper bot of the file', false)
    .action(async (file: string, options: ResumeArguments) => {
      const { resumeConfiguration } = await import('./commands/guard.js');
      ends(await resumeConfiguration(file, options));
    });
}

function addCompletion(program: Command, ends: Ends): void {
  program
    .command('completion')
    .description('a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      print(completionOf(program, shell).trimEnd());
      ends(EXIT.clean);
    });
}

function addAlertCommands(program: Command, ends: Ends): void {
  program
    .command('alert')
    .description('who is told when something happens')
    .command('test <config.yaml>')
    .description('sends one message to each receiver of a file, and says whether it arrived')
    .option('--receiver <name>', 'to this receiver alone')
    .option('--json', 'one JSON line for each receiver', false)
    .action(async (file: string, options: AlertTestArguments) => {
      const { testAlerts } = await import('./commands/alert.js');
      ends(await testAlerts(file, options));
    });
}

const AFTER_HELP = `
oddsmith <command> --help shows options and examples. In a checkout: npm run -s oddsmith -- <command>, or, once it is
built, npx oddsmith <command>.

Exit codes: 0 clean, 1 internal, 2 usage or configuration, 3 keys refused, 4 venue unreachable,
5 orders may remain, 6 kill latched or fenced, 130 forced by a second signal.`;
