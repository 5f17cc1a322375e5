/** The schema of a sweep: the parameters to try, and how the choice between them is tested. */
import { z } from 'zod';
import { SCENARIOS } from './backtest-schema.js';
import { countScalar } from './scalars.js';

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Finds values that repeat an earlier one. `10`, `'10'` and `10.0` count as equal. */
function repeats(values: readonly z.output<typeof valueSchema>[]): readonly number[] {
  const keys = values.map((value) => {
    const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
    return isNumber ? String(Number(value)) : String(value);
  });
  return keys.flatMap((key, place) => (keys.indexOf(key) === place ? [] : [place]));
}

const rangeSchema = z
  .strictObject({
    from: z.number(),
    to: z.number(),
    step: z.number().positive().nullable().default(null),
  })
  .refine(({ from, to }) => from < to, { message: 'expected from below to' });

const choiceSchema = z.union([z.array(valueSchema).min(1), rangeSchema], {
  error: 'expected a list of values, or {from, to} with numbers and perhaps a step',
});

export const sweepSchema = z
  .strictObject({
    method: z
      .enum(['grid', 'random', 'latin-hypercube'])
      .default('grid')
      .describe('grid: every combination; random, latin-hypercube: that many samples'),
    samples: countScalar(1, 100_000).default(20).describe('configurations to draw; a grid ignores it'),
    seed: countScalar(0, Number.MAX_SAFE_INTEGER)
      .default(1)
      .describe('seed of the samples and of the bootstrap'),
    parameters: z
      .record(z.string(), choiceSchema)
      .refine((found) => Object.keys(found).length > 0, { message: 'expected at least one path' })
      .meta({ title: 'paths, each with a list of values or a range' })
      .describe('paths as in --set, each with a list or a range {from, to, step}; step 0.0001 unless stated'),
    splits: z
      .enum(['walk-forward', 'leave-one-event-out'])
      .default('walk-forward')
      .describe('walk-forward: tests on later pieces; leave-one-event-out: on an event left out of training'),
    windows: countScalar(1, 1_000)
      .default(1)
      .describe('equal parts of time into which each event is cut; each part is traded alone'),
    objective: z
      .enum(['profit', 'certainty-equivalent', 'sharpe', 'profit-less-errors'])
      .default('profit')
      .describe('what is best, of the profits of the pieces; see the guide for the formulas'),
    gamma: z
      .number()
      .positive()
      .nullable()
      .default(null)
      .describe('risk aversion of certainty-equivalent, per unit of currency'),
    k: z
      .number()
      .positive()
      .default(2)
      .describe('standard errors that profit-less-errors takes off the profit'),
    scenario: z
      .enum(SCENARIOS)
      .nullable()
      .default(null)
      .describe('scenario whose profits count; null: backtest.headline'),
  })
  .superRefine(({ parameters }, context) => {
    for (const [name, choice] of Object.entries(parameters))
      if (Array.isArray(choice))
        for (const place of repeats(choice))
          context.addIssue({
            code: 'custom',
            path: ['parameters', name, place],
            message: `the value ${choice[place]} is listed twice`,
          });
  })
  .superRefine(({ method, parameters }, context) => {
    if (method !== 'grid') return;
    for (const [name, choice] of Object.entries(parameters))
      if (!Array.isArray(choice) && choice.step === null)
        context.addIssue({
          code: 'custom',
          path: ['parameters', name],
          message: 'a range in a grid needs a step',
        });
  })
  .superRefine(({ objective, gamma }, context) => {
    if (objective === 'certainty-equivalent' && gamma === null)
      context.addIssue({
        code: 'custom',
        path: ['gamma'],
        message: 'certainty-equivalent needs a risk aversion, such as 0.01 per unit of currency',
      });
  });

export type SweepSettings = z.output<typeof sweepSchema>;
