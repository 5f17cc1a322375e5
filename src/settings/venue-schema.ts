/** A venue as a bot's file describes it: address, keys, limits and fees; and the guard beside the bot. */
import { z } from 'zod';
import { formatMoney } from '../venues/futuur/protocol/decimals.js';
import { FUTUUR } from '../venues/futuur/protocol/profile.js';
import {
  amountScalar,
  boundedMsScalar,
  countScalar,
  feeScalar,
  fileNameScalar,
  hostScalar,
  inOrder,
  msScalar,
  portScalar,
  urlScalar,
} from './scalars.js';

const feesOfMode = (taker: string) =>
  z
    .strictObject({
      taker: feeScalar.prefault(taker).describe('fee per share taken'),
      maker: feeScalar.prefault('0').describe('fee per share made; negative is a rebate'),
    })
    .prefault({});

/** What trades cost in each currency mode, for a venue and for the bundled exchange. Public examples charge takers 0.001 a share of real money (facts, "Trading rules"). */
export const feesSchema = z
  .strictObject({
    play_money: feesOfMode('0').describe('when trading play money'),
    real_money: feesOfMode('0.001').describe('when trading real money'),
  })
  .prefault({});

/** The section `guard` of a bot's file. */
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

/** Pusher's documentation states none: "there is no limit on the number allowed per connection" (Channels, "How are concurrent connections counted?"). */
export const channelsPerConnectionSetting = countScalar(1, 1_000_000)
  .nullable()
  .default(null)
  .describe('channels that a connection may join, one per event and two more; null: no limit');

const realtimeSchema = z
  .strictObject({
    key: z.string().min(1).describe('Pusher application key'),
    cluster: hostScalar.nullable().default(null).describe('Pusher cluster; null when host is given'),
    host: hostScalar.nullable().default(null).describe('own server instead of a cluster'),
    port: portScalar.nullable().default(null).describe('of the own server'),
    tls: z.boolean().default(true).describe('encrypted connection to the own server'),
    channelsPerConnection: channelsPerConnectionSetting,
  })
  .refine((value) => (value.cluster === null) !== (value.host === null), {
    message: 'expected either cluster or host',
  });

const { limits: LIMITS } = FUTUUR;

/** What a venue asks of requests and charges for trades, whoever it is. */
const venueRules = {
  requestTimeoutMs: boundedMsScalar(10, 600_000)
    .default(5_000)
    .describe('a request without an answer by then is in doubt'),
  clockWindowS: countScalar(1, 3_600)
    .default(LIMITS.clockWindowMs / 1_000)
    .describe('seconds of clock difference the venue accepts'),
  bookCacheMs: msScalar.default(5_000).describe('how old a book read over REST may be'),
  rateLimit: z
    .strictObject({
      perMinute: countScalar(1, 1_000_000)
        .default(LIMITS.requestsPerMinute)
        .describe('requests in any minute'),
      perDay: countScalar(1, 1_000_000_000)
        .default(LIMITS.requestsPerDay)
        .describe('requests in any 24 hours'),
    })
    .prefault({})
    .describe('allowance of the key; the bot stays below it by itself'),
  fees: feesSchema.describe('what the venue charges; only books read over REST say so themselves'),
  minAmount: amountScalar.prefault('0.01').describe('least price x shares of one order'),
  maxAmount: amountScalar.prefault('100000').describe('most price x shares of one order'),
};
export const venueRulesSchema = z.strictObject(venueRules).prefault({});

export const venueSchema = z
  .strictObject({
    name: fileNameScalar.default('venue').describe('shown on screens and in the names of files, e.g. futuur'),
    baseUrl: urlScalar.describe('where the REST interface lives'),
    realtime: realtimeSchema.describe('the realtime service (Pusher Channels)'),
    publicKey: z.string().min(1, 'expected a public key').describe('may be literal or ${NAME}'),
    privateKey: z
      .string()
      .min(1, 'expected a private key from the environment, such as ${ODDSMITH_PRIVATE_KEY}')
      .describe('must be ${NAME}: never literal in the file'),
    signing: z
      .strictObject({
        nested: z
          .enum(['python', 'json', 'omit'])
          .default('python')
          .describe('how nested values of a body enter the signed text'),
      })
      .prefault({})
      .describe('what the venue leaves open about signatures'),
    ...venueRules,
  })
  .superRefine(({ minAmount, maxAmount, rateLimit: { perMinute, perDay } }, context) => {
    inOrder(context, [minAmount, 'minAmount'], [maxAmount, 'maxAmount'], formatMoney);
    inOrder(context, [perMinute, 'rateLimit.perMinute'], [perDay, 'rateLimit.perDay'], String);
  });

export type VenueSettings = z.output<typeof venueSchema>;
export type VenueRules = z.output<typeof venueRulesSchema>;
