import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { ExitCode } from '../../domain/errors.js';
import { parsePositive } from '../option-values.js';
import type * as validate from './validate.js';

/** `oddsmith validate <model>`: each with its numbers as options. */
export function registerValidateCommands(program: Command, ends: (code: ExitCode) => void): void {
  const models = program
    .command('validate')
    .description('the formulas that trade, for any input, beside what the literature prints');
  const add = (usage: string, text: string): Command =>
    models.command(usage).description(text).option('--json', 'one JSON line a row', false);

  add('avellaneda-stoikov', 'the experiment of the paper, simulated')
    .option('--gamma <number>', 'risk aversion', parsePositive, 0.1)
    .option('--paths <number>', 'simulated paths', parseWhole, 1_000)
    .option('--seed <number>', 'of the random numbers', parseWhole, 1)
    .action(async (options: validate.ExperimentArguments) => {
      ends((await import('./validate.js')).validateAvellanedaStoikov(options));
    });
  add('glft', 'exact and closed distances for every inventory from -Q to Q, and the constants')
    .option('--sigma <number>', 'volatility', parsePositive, 0.3)
    .option('--A <number>', 'fills per unit of time at the mid', parsePositive, 0.9)
    .option('--k <number>', 'decay of the fills with the distance', parsePositive, 0.3)
    .option('--gamma <number>', 'risk aversion', parsePositive, 0.01)
    .option('--Q <number>', 'inventory bound', parseWhole, 3)
    .option('--T <number>', 'horizon', parsePositive, 600)
    .option('--t <number>', 'time', parseNumber, 0)
    .option('--xi <number>', 'price impact of a fill', parseNumber, 0)
    .action(async (options: validate.GlftArguments) => {
      ends((await import('./validate.js')).validateGlft(options));
    });
  add('lmsr', "an event's prices after a purchase, its cost, the bound of the loss, and the ladder of asks")
    .argument('[prices...]', 'first prices of the outcomes, which sum to 1', collectProbability)
    .option('--b <number>', 'liquidity', parsePositive)
    .option('--budget <number>', 'most that may be lost, in place of b', parsePositive)
    .option('--outcome <number>', 'the outcome that is bought, from 1', parseWhole, 1)
    .option('--buy <shares>', 'shares bought', parseNumber, 0)
    .option('--tick <price>', 'distance of the orders of the ladder', parsePositive, 0.01)
    .option('--levels <number>', 'orders of the ladder', parseWhole, 3)
    .action(async (prices: number[] | undefined, options: Omit<validate.LmsrArguments, 'prices'>) => {
      const some = prices === undefined || prices.length === 0 ? [0.5, 0.5] : prices;
      ends((await import('./validate.js')).validateLmsr({ ...options, prices: some }));
    });
  add('coherence', 'probabilities moved together until they sum to the number of winners')
    .argument('<prices...>', 'probabilities of the outcomes', collectProbability)
    .option('--winners <number>', 'outcomes that win', parsePositive, 1)
    .action(async (prices: number[], options: validate.CoherenceArguments) => {
      ends((await import('./validate.js')).validateCoherence(prices, options));
    });
  add('exposure', 'the least that each event of a portfolio can bring, open orders counted')
    .requiredOption(
      '--portfolio <file>',
      'JSON: { events: [{ exclusive, markets: [{ long, short, cost, orders }] }] }',
    )
    .action(async (options: validate.ExposureArguments) => {
      ends((await import('./validate.js')).validateExposure(options));
    });
  add('queue', 'shares ahead of an order while its level changes, by each queue model')
    .argument(
      '<steps...>',
      'the new size of the level, or t and the shares of a trade, such as 140 110 t20 80',
    )
    .option('--ahead <shares>', 'shares ahead at first', parseNumber, 100)
    .option('--level <shares>', 'size of the level at first', parseNumber, 100)
    .option('--power <number>', 'of the power model', parsePositive, 1)
    .action(async (steps: string[], options: Omit<validate.QueueArguments, 'steps'>) => {
      ends((await import('./validate.js')).validateQueue({ ...options, steps }));
    });
  add('modifiers', 'every bundled modifier over every bundled strategy, on invented contexts')
    .option('--contexts <number>', 'contexts for each pair', parseWhole, 10_000)
    .option('--seed <number>', 'of the random numbers', parseWhole, 1)
    .action(async (options: validate.ModifiersArguments) => {
      ends(await (await import('./validate.js')).validateModifiers(options));
    });
  add('informed-takers', 'strategies before takers of whom some know the value')
    .option('--m <list>', 'shares of informed takers, 0 to 0.3', parseNumbers, [0, 0.1, 0.2, 0.3])
    .option('--paths <number>', 'simulated windows of ten minutes', parseWhole, 600)
    .option('--seed <number>', 'of the random numbers', parseWhole, 1)
    .action(async (options: validate.InformedArguments) => {
      ends(await (await import('./validate.js')).validateInformedTakers(options));
    });
  add('calibration', 'A, k, xi and edge found again in simulated prints; or A and k of counts that are given')
    .option('--A <number>', 'takers a second and side', parsePositive, 0.2)
    .option('--k <number>', 'decay of their number with the distance, per price', parsePositive, 60)
    .option('--xi <number>', 'move of the mid after a taker, for good', parseNumber, 0.012)
    .option('--sigma <number>', 'move of the mid per square root of a second besides', parseNumber, 0.001)
    .option('--seed <number>', 'of the random numbers', parseWhole, 1)
    .option('--seconds <number>', 'of simulated prints; how long the quotes stood', parsePositive, 36_000)
    .option('--distances <list>', 'of counts: distances from the mid, such as 0.01,0.02', parseNumbers)
    .option('--fills <list>', 'of counts: fills at each of them', parseNumbers)
    .action(async (options: validate.CalibrationArguments) => {
      ends((await import('./validate.js')).validateCalibration(options));
    });
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a number.');
  return value;
}

function parseWhole(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1) throw new InvalidArgumentError('Expected a whole number from 1.');
  return value;
}

const parseNumbers = (text: string): number[] => text.split(',').map(parseNumber);

function collectProbability(text: string, before: readonly number[] = []): number[] {
  const value = parseNumber(text);
  if (!(value > 0 && value < 1)) throw new InvalidArgumentError('Expected probabilities between 0 and 1.');
  return [...before, value];
}
