import type { Command } from 'commander';
import type { ExitCode } from '../../domain/errors.js';
import { parseCount, parseDuration, SHARD } from '../option-values.js';
import type { CanaryArguments, PromoteArguments } from './canary.js';
import type { LookArguments, PauseArguments, ScopeArguments } from './live.js';
import type { LogArguments } from './logs.js';
import type { ReloadArguments } from './reload.js';

type Ends = (code: ExitCode) => void;

const PAPER = ['--paper', 'the paper bot of the file', false] as const;

/** Everything about a bot that runs, from another terminal. */
export function registerLiveCommands(program: Command, ends: Ends): void {
  program
    .command('reload <config.yaml>')
    .alias('apply')
    .description(
      'hands the changed file to the bot that runs: all of it, or nothing; quotes of what stays the same stand',
    )
    .option(...PAPER)
    .option(...SHARD)
    .option('--dry-run', 'show what would change', false)
    .option('--json', 'the difference as one JSON line', false)
    .action(async (file: string, options: ReloadArguments) => {
      const { reloadConfiguration } = await import('./reload.js');
      ends(await reloadConfiguration(file, options));
    });
  const looking = (name: string, description: string): Command =>
    program
      .command(`${name} <config.yaml>`)
      .description(description)
      .option(...PAPER)
      .option(...SHARD)
      .option('--watch', 'again every two seconds, until Ctrl-C', false)
      .option('--json', 'as one JSON line', false);
  looking('status', 'how the bot that runs is: markets, profit, balance, requests, alarms')
    .option('--markets', 'the markets that it quotes, with books and own quotes', false)
    .action(async (file: string, options: LookArguments & { readonly markets: boolean }) => {
      const { showStatus } = await import('./live.js');
      ends(await showStatus(file, options));
    });
  looking('positions', 'what the bot that runs holds').action(
    async (file: string, options: LookArguments) => {
      const { showPositions } = await import('./live.js');
      ends(await showPositions(file, options));
    },
  );
  looking('orders', 'open orders of the bot that runs').action(
    async (file: string, options: LookArguments) => {
      const { showOrders } = await import('./live.js');
      ends(await showOrders(file, options));
    },
  );
  looking('fills', 'the latest fills of the bot that runs').action(
    async (file: string, options: LookArguments) => {
      const { showFills } = await import('./live.js');
      ends(await showFills(file, options));
    },
  );
  addActions(program, ends);
  addCanary(program, ends);
  program
    .command('logs <config.yaml>')
    .description('the last lines of the log of the bot that runs')
    .option(...PAPER)
    .option(...SHARD)
    .option('-f, --follow', 'go on until Ctrl-C', false)
    .option('--lines <number>', 'how many to begin with', parseCount, 20)
    .action(async (file: string, options: LogArguments) => {
      const { showLog } = await import('./logs.js');
      ends(await showLog(file, options));
    });
}

function addCanary(program: Command, ends: Ends): void {
  const canary = program.command('canary').description('new parameters on paper, beside the present ones');
  canary
    .command('run <config.yaml>')
    .description('both on the same live data, compared slice by slice of time; needs no keys')
    .option('--for <duration>', 'instead of the time of the file', parseDuration)
    .option('--json', 'one JSON line for each slice of time, one for the verdict', false)
    .action(async (file: string, options: CanaryArguments) => {
      const { runCanaryOf } = await import('./canary.js');
      ends(await runCanaryOf(file, options));
    });
  canary
    .command('promote <config.yaml>')
    .description('writes the parameters of the canary into their instance, in the file')
    .option('--unproved', 'although no canary found them better', false)
    .action(async (file: string, options: PromoteArguments) => {
      const { promoteCanary } = await import('./canary.js');
      ends(await promoteCanary(file, options));
    });
  canary
    .command('rollback <config.yaml>')
    .description('takes the canary out of the file')
    .action(async (file: string) => {
      const { rollBackCanary } = await import('./canary.js');
      ends(rollBackCanary(file));
    });
}

function addActions(program: Command, ends: Ends): void {
  const acting = (name: string, description: string): Command =>
    program
      .command(`${name} <config.yaml>`)
      .description(description)
      .option('--market <id>', 'this market alone')
      .option('--event <id>', 'the markets of this event alone')
      .option('--instance <name>', 'the markets of this instance alone')
      .option('--all', 'everything', false)
      .option(...PAPER)
      .option(...SHARD)
      .option('--json', 'as one JSON line', false);
  acting('pause', 'withdraws the quotes of a part of the bot that runs, and quotes nothing there')
    .option('--for <duration>', 'such as 10m; left out: until it is ended', parseDuration)
    .option('--end', 'ends the pause', false)
    .action(async (file: string, options: PauseArguments) => {
      const { pauseMarkets } = await import('./live.js');
      ends(await pauseMarkets(file, options));
    });
  acting(
    'cancel',
    'cancels what stands in a part of the bot that runs; it is quoted again after 10 s',
  ).action(async (file: string, options: ScopeArguments) => {
    const { cancelMarkets } = await import('./live.js');
    ends(await cancelMarkets(file, options));
  });
}
