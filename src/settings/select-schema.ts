/** The section `select` of a strategy instance: markets that the venue's listing names when the run begins. */
import { z } from 'zod';
import { countScalar, instantScalar, probabilityScalar } from './scalars.js';

export const selectSchema = z.strictObject({
  search: z.string().min(1).nullable().default(null).describe('words that the venue searches for; null: any'),
  categories: z
    .array(z.string().min(1))
    .default([])
    .describe('events of one of these categories; empty: of any'),
  minVolume: z
    .number()
    .nonnegative()
    .nullable()
    .default(null)
    .describe('least turnover of the event, in currency; null: any'),
  maxSpread: probabilityScalar
    .nullable()
    .default(null)
    .describe('greatest distance of best bid and best ask; a market without both is left out; null: any'),
  closesAfter: instantScalar.nullable().default(null).describe('betting closes then or later; null: any'),
  closesBefore: instantScalar.nullable().default(null).describe('betting closes then or earlier; null: any'),
  max: countScalar(1, 10_000).default(20).describe('most markets; those of events with most turnover'),
});

export type SelectSettings = z.output<typeof selectSchema>;
