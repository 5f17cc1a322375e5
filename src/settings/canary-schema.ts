/** The schema of a canary: new parameters of one instance, tried on paper beside the present ones. */
import { z } from 'zod';
import { durationScalar } from './scalars.js';

/** Shorter, and fills are few. */
const LEAST_MS = 60_000;

export const canarySchema = z
  .strictObject({
    instance: z.string().min(1).describe('name of the instance whose parameters are tried'),
    params: z
      .record(z.string(), z.unknown())
      .describe('parameters that are to be others; the rest is as in the instance'),
    for: durationScalar(LEAST_MS).default(7_200_000).describe('how long it runs'),
    promote: z
      .enum(['by-hand', 'if-better'])
      .default('by-hand')
      .describe(
        'if-better: the file takes the parameters over once 95 % of the distribution of the difference is above zero',
      ),
  })
  .nullable()
  .default(null);

export type CanarySettings = NonNullable<z.output<typeof canarySchema>>;
