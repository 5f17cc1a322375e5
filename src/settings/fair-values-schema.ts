/** The schema of sources of fair values: the list `fairValues:` of a bot's file. */
import { z } from 'zod';
import { boundedMsScalar, marketScalar, pathScalar, sourceUrlScalar } from './scalars.js';

const DAY_MS = 86_400_000;
const maxAgeMs = boundedMsScalar(1, DAY_MS);

const common = {
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'expected a kebab-case name')
    .describe('name in logs and metrics, in kebab-case'),
  markets: z
    .array(
      z.strictObject({
        id: marketScalar.describe('id of a market of events; it has one source at most'),
        key: z
          .string()
          .min(1)
          .nullable()
          .default(null)
          .describe('what the source calls the market; null: its id'),
        maxAgeMs: maxAgeMs.nullable().default(null).describe('age limit of this market; null: of the source'),
      }),
    )
    .min(1, 'expected at least one market')
    .describe('markets whose fair value comes from this source alone'),
  maxAgeMs: maxAgeMs.default(60_000).describe('a value older than this is not used'),
  whenStale: z
    .enum(['halt', 'unknown'])
    .default('halt')
    .describe(
      'without a value that is young enough. halt: the market is not quoted; unknown: the strategy is asked, and `fair` is null',
    ),
  signalsOnly: z
    .boolean()
    .default(false)
    .describe(
      'whether it gives signals of kind external alone: its markets may have another source of fair values',
    ),
};

const kind = <Word extends string>(word: Word, meaning: string) => z.literal(word).describe(meaning);

const fileSchema = z.strictObject({
  kind: kind('file', 'a file that is followed'),
  ...common,
  path: pathScalar.describe(
    'CSV or NDJSON file, relative to this file; it may be appended to, cut or replaced',
  ),
});

const urlSchema = z.strictObject({
  kind: kind('url', 'an address that is asked again and again'),
  ...common,
  url: sourceUrlScalar.describe(
    'answers JSON, NDJSON or CSV; it is shown in records of the run, so a secret goes into token',
  ),
  everyMs: boundedMsScalar(100, DAY_MS).default(5_000).describe('time from one answer to the next request'),
  token: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('sent as `Authorization: Bearer`; must be ${NAME}; null: none'),
});

const processSchema = z.strictObject({
  kind: kind('process', 'the standard output of a program'),
  ...common,
  command: z
    .array(z.string().min(1))
    .min(1, 'expected a program')
    .describe('program and its arguments, run in the folder of this file; it writes NDJSON or CSV lines'),
});

const pushSchema = z.strictObject({
  kind: kind('push', 'values that are sent to the bot: POST /fair-values, or Bot.fairValue() of a program'),
  ...common,
});

export const fairValuesSchema = z
  .array(z.discriminatedUnion('kind', [fileSchema, urlSchema, processSchema, pushSchema]))
  .default([]);

export type FairSourceSettings = z.output<typeof fairValuesSchema>[number];
