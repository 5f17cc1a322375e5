/** The simulated traders of an exchange's file. */
import { z } from 'zod';
import type { Shares } from '../domain/units.js';
import { formatShares } from '../venues/futuur/protocol/decimals.js';
import { inOrder } from './in-order.js';
import { idScalar, probabilityScalar, sharesScalar } from './scalars.js';

const rate = z.number().positive().max(100_000);
const share = z.number().min(0).max(1);

const trader = {
  account: idScalar.describe('trades with this account'),
  markets: z.array(idScalar).min(1).describe('and in these markets'),
};

const sizesInOrder = (
  { sizeMin, sizeMax }: { readonly sizeMin: Shares; readonly sizeMax: Shares },
  context: z.RefinementCtx,
): void => inOrder(context, [sizeMin, 'sizeMin'], [sizeMax, 'sizeMax'], formatShares);

export const participantSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('noise').describe('uninformed orders that arrive at random'),
      ...trader,
      ratePerS: rate.default(1).describe('arrivals a second, over all its markets'),
      sizeMin: sharesScalar.prefault('1').describe('least shares of an order'),
      sizeMax: sharesScalar.prefault('10').describe('most shares of an order'),
    })
    .superRefine(sizesInOrder),
  z
    .strictObject({
      kind: z.literal('informed').describe('buys what it knows to be cheap, sells what is dear'),
      ...trader,
      ratePerS: rate.default(0.2).describe('looks at the market a second'),
      sizeMin: sharesScalar.prefault('1').describe('least shares of an order'),
      sizeMax: sharesScalar.prefault('10').describe('most shares of an order'),
      probability: share.default(0.5).describe('where the path that it knows begins; it ends at 0 or 1'),
    })
    .superRefine(sizesInOrder),
  z.strictObject({
    kind: z.literal('lmsr').describe('an automatic market maker that quotes as orders'),
    ...trader,
    b: z.number().positive().max(1e6).default(100).describe('liquidity; it loses at most b ln(markets)'),
  }),
  z
    .strictObject({
      kind: z.literal('maker').describe('a competing quoter with a wandering opinion'),
      ...trader,
      halfSpread: probabilityScalar.prefault('0.02').describe('distance of its first level from its opinion'),
      sizeMin: sharesScalar.prefault('10').describe('least shares of a level'),
      sizeMax: sharesScalar.prefault('10').describe('most shares of a level'),
    })
    .superRefine(sizesInOrder),
  z.strictObject({
    kind: z.literal('recording').describe('re-enacts a recording as volume of others'),
    file: z.string().min(1).describe('the recording, from the folder of this file'),
    speed: z.number().positive().max(1e6).default(1).describe('how many times faster than it happened'),
    event: idScalar.describe('where it happens again; markets pair by id, else by position'),
  }),
]);

export type ParticipantSettings = z.output<typeof participantSchema>;
