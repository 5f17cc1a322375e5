/** The schema of a backtest: recordings, the simulated venue, and assumptions about fills. */
import { z } from 'zod';
import { amountScalar, countScalar, msScalar, pathScalar } from './scalars.js';

/** Assumptions about fills, from the most to the least cautious. */
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
  .describe(
    'where cancels of others happen: behind our orders (risk-averse), split by size (power, log); front: our orders are first',
  );

const fillsSchema = (queue: z.output<typeof queueSchema>, crossing: 'fill' | 'ignore') =>
  z
    .strictObject({
      queue: queueSchema.default(queue),
      power: z.number().positive().max(100).default(1).describe('exponent of the power queue'),
      consumption: z
        .enum(['until-refreshed', 'until-vanished', 'returns'])
        .default('until-refreshed')
        .describe(
          'shares that we took from others are missing until the recorded size rises or the level vanishes, until it vanishes, or until the next book',
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
      'recordings, raw recordings of venues (files, folders, patterns) and own tapes (folders of runs or of `oddsmith record`), relative to this file; merged in time order',
    ),
  markets: z
    .enum(['configured', 'recorded'])
    .default('configured')
    .describe(
      'configured: those under events; recorded: those of the recordings, all quoted by the first instance',
    ),
  fairValues: pathScalar
    .nullable()
    .default(null)
    .describe(
      'CSV or NDJSON file of fair values with their times, relative to this file; it stands for the sources of fairValues, or for all markets if there are none',
    ),
  depth: countScalar(1, 255)
    .nullable()
    .default(null)
    .describe('levels a side that the bot sees of deeper recordings; null: as recorded'),
  balance: amountScalar.prefault('10000').describe('cash at the start, in the currency of the run'),
  latency: z
    .strictObject({
      feedMs: way('latency from the venue to the bot: a number, or quantiles of a distribution'),
      requestMs: way('latency of requests'),
      responseMs: way('latency of answers'),
    })
    .prefault({})
    .describe('latency of messages; it holds for every request, cancels included'),
  trades: z
    .strictObject({
      model: z
        .enum(['recorded', 'inferred'])
        .default('inferred')
        .describe(
          'recorded: trades of the recording; inferred: on an own tape, shares that left the touch while the turnover rose count as traded, too',
        ),
    })
    .prefault({})
    .describe('trades of others'),
  duplicateWindowMs: msScalar
    .default(1_000)
    .describe('a create that repeats within this time is refused; 0: never'),
  processingDelayMs: msScalar.default(0).describe('time for which a new order is in processing'),
  scenarios: z
    .strictObject({
      pessimistic: fillsSchema('risk-averse', 'ignore').describe(
        'the slowest queue; only recorded trades fill',
      ),
      expected: fillsSchema('power', 'fill').describe('the most likely queue'),
      optimistic: fillsSchema('front', 'fill').describe('our orders are first in the queue'),
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

/** Reads the scenarios of a configuration, or the defaults. @param given of a configuration that was checked before */
export const scenariosOf = (given: unknown): BacktestSettings['scenarios'] =>
  backtestSchema.shape.scenarios.parse(given);
