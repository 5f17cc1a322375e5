/** The schema of a backtest: recordings, what the simulated venue does, and how fills are believed to have come. */
import { z } from 'zod';
import { amountScalar, countScalar, msScalar } from './scalars.js';

/** Beliefs about fills, from the most to the least cautious. */
export const SCENARIOS = ['pessimistic', 'expected', 'optimistic'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

const way = (meaning: string) =>
  z
    .union([z.number().min(0).max(600_000), z.array(z.number().min(0).max(600_000)).min(1)], {
      error: 'expected milliseconds, or a list of equally spaced quantiles in milliseconds, ascending',
    })
    .refine(
      (found) => typeof found === 'number' || found.every((ms, at) => at === 0 || ms >= found[at - 1]!),
      {
        message: 'expected quantiles in ascending order',
      },
    )
    .meta({ title: 'milliseconds, or a list of quantiles' })
    .default(25)
    .describe(meaning);

const queueSchema = z
  .enum(['risk-averse', 'power', 'log', 'front'])
  .describe('what left a level without a trade stood ahead of ours or behind');

const fillsSchema = (queue: z.output<typeof queueSchema>, crossing: 'fill' | 'ignore') =>
  z
    .strictObject({
      queue: queueSchema.default(queue),
      power: z.number().positive().max(100).default(1).describe('exponent of the power queue'),
      consumption: z
        .enum(['until-refreshed', 'until-vanished', 'returns'])
        .default('until-refreshed')
        .describe(
          'what we took of others is missing until the recorded size rises or the level vanishes, until it vanishes, or no longer than to the next book line',
        ),
      crossing: z
        .enum(['fill', 'ignore'])
        .default(crossing)
        .describe('whether a recorded level that crosses an order of ours fills it'),
    })
    .prefault({});

export const backtestSchema = z.strictObject({
  recordings: z
    .array(z.string().min(1))
    .min(1, 'expected at least one recording')
    .describe(
      'files in the neutral form and own tapes (folders of runs or of `oddsmith record`), from the folder of this file; merged in time order',
    ),
  markets: z
    .enum(['configured', 'recorded'])
    .default('configured')
    .describe('recorded: events and markets are those of the recordings, and the first instance quotes all'),
  depth: countScalar(1, 255)
    .nullable()
    .default(null)
    .describe(
      'cuts deeper recordings, and what the bot is shown, to so many levels a side; null: as recorded',
    ),
  balance: amountScalar.prefault('10000').describe('cash at the start, in the currency of the run'),
  latency: z
    .strictObject({
      feedMs: way('from the venue to the bot: a number, or quantiles of a recorded distribution'),
      requestMs: way('from the bot to the venue'),
      responseMs: way('from the venue back'),
    })
    .prefault({})
    .describe('how long messages take; every request, cancels too'),
  trades: z
    .strictObject({
      model: z
        .enum(['recorded', 'inferred'])
        .default('inferred')
        .describe(
          'inferred: on an own tape, what left the touch while the turnover of its event rose was traded, and what takers took from own orders',
        ),
    })
    .prefault({})
    .describe('which trades of others there were'),
  duplicateWindowMs: msScalar
    .default(1_000)
    .describe('the same creating request within it is refused; 0: never'),
  processingDelayMs: msScalar.default(0).describe('how long an order is processing before it opens'),
  scenarios: z
    .strictObject({
      pessimistic: fillsSchema('risk-averse', 'ignore').describe('the slowest queue, prints alone fill'),
      expected: fillsSchema('power', 'fill').describe('the likeliest'),
      optimistic: fillsSchema('front', 'fill').describe('nobody is ever ahead of us'),
    })
    .prefault({})
    .describe('how fills are believed to come; all three always run'),
  headline: z
    .enum(SCENARIOS)
    .default('pessimistic')
    .describe('scenario whose profit stands over the result; sweeps rank by it'),
});

export type BacktestSettings = z.output<typeof backtestSchema>;
export type FillSettings = BacktestSettings['scenarios']['expected'];

/** Scenarios as a configuration states them, or the defaults. @param given of a configuration that was checked before */
export const scenariosOf = (given: unknown): BacktestSettings['scenarios'] =>
  backtestSchema.shape.scenarios.parse(given);
