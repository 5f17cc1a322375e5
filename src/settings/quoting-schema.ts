/** How quotes are kept up, as configuration states it. */
import { z } from 'zod';
import { countScalar, expiryScalar, fractionScalar, msScalar, sharesScalar } from './scalars.js';

const preCloseSchema = z
  .strictObject({
    widenMs: msScalar.default(0).describe('quotes stand further away from this long before; 0: never'),
    widenTicks: countScalar(1, 1_000).default(1).describe('by so many ticks'),
    shrinkMs: msScalar.default(0).describe('quotes are smaller from this long before; 0: never'),
    shrinkTo: fractionScalar.prefault('0.5').describe('part of the size that is left'),
    reduceOnlyMs: msScalar
      .default(0)
      .describe('only what reduces the position is quoted from this long before; 0: never'),
    atEventStart: z.boolean().default(true).describe('the start of the event is a close, too'),
    whenLive: z.boolean().default(true).describe('no quotes while the venue says that the event is live'),
  })
  .prefault({});

export const quotingSchema = z
  .strictObject({
    toleranceTicks: countScalar(0, 1_000).default(0).describe('a resting quote this close in price is kept'),
    toleranceShares: sharesScalar.prefault('0').describe('a resting quote this close in size is kept'),
    minRestMs: msScalar.default(0).describe('least time a quote rests before a cosmetic move'),
    maxBookAgeMs: msScalar.default(30_000).describe('a book silent for longer withdraws its quotes'),
    preCloseMs: msScalar
      .default(2_000)
      .describe("out of the market this long before betting closes, by the venue's clock"),
    preClose: preCloseSchema.describe('what happens before that, and what else counts as a close'),
    requoteEveryMs: msScalar
      .default(10_000)
      .describe('all quotes can be moved this often within the request budget, or the bot does not start'),
    expiryMs: expiryScalar
      .nullable()
      .default(null)
      .describe('the venue cancels an order this long after we last stated it; null: never'),
    heldFirst: z.boolean().default(true).describe('sell held shares before collateral is locked'),
  })
  .prefault({});
