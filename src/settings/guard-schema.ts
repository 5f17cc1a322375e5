/** The section `guard` of a bot's file. */
import { z } from 'zod';
import { countScalar } from './scalars.js';

export const guardSchema = z
  .strictObject({
    silenceMs: countScalar(1_000, 3_600_000)
      .default(5_000)
      .describe('milliseconds; a heartbeat silent for longer raises the fence'),
    publicKey: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe('a key of its own for the same account; null: the key of the venue'),
    privateKey: z.string().min(1).nullable().default(null).describe('must be ${NAME}; goes with publicKey'),
    requestsPerMinute: countScalar(10, 1_000_000)
      .default(60)
      .describe('most that a guard sends; without a key of its own the bot leaves them to it'),
    requestsPerDay: countScalar(10, 1_000_000_000)
      .default(2_000)
      .describe('the same in any 24 hours; once half of it is used the rest is spread over a day'),
  })
  .refine(({ publicKey, privateKey }) => (publicKey === null) === (privateKey === null), {
    message: 'expected both publicKey and privateKey, or neither',
  })
  .prefault({});
