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
      taker: feeScalar.prefault(taker).describe('taker fee per share'),
      maker: feeScalar.prefault('0').describe('maker fee per share; negative: a rebate'),
    })
    .prefault({});

/** Fees of trades in each currency mode, for a venue and for the bundled exchange. Public examples charge takers 0.001 a share of real money (facts, "Trading rules"). */
export const feesSchema = z
  .strictObject({
    play_money: feesOfMode('0').describe('fees with play money'),
    real_money: feesOfMode('0.001').describe('fees with real money'),
  })
  .prefault({});

/** Requests of a minute and of a day that a guard needs. */
export const GUARD_LEAST = 10;

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
      .describe('public key of the guard, for the same account; null: the key of the venue'),
    privateKey: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe('private key of the guard; must be ${NAME}'),
    requestsPerMinute: countScalar(GUARD_LEAST, 1_000_000)
      .default(60)
      .describe(
        'requests a minute of the guard; without a key of its own they are taken from the allowance of the bot',
      ),
    requestsPerDay: countScalar(GUARD_LEAST, 1_000_000_000)
      .default(2_000)
      .describe('requests of the guard in any 24 hours; the second half is spread over a day'),
  })
  .refine(({ publicKey, privateKey }) => (publicKey === null) === (privateKey === null), {
    message: 'expected both publicKey and privateKey, or neither',
  })
  .prefault({});

/** Most channels of one connection. Pusher's documentation states no limit: "there is no limit on the number allowed per connection" (Channels, "How are concurrent connections counted?"). */
export const channelsPerConnectionSetting = countScalar(1, 1_000_000)
  .nullable()
  .default(null)
  .describe('channels that a connection may join, one per event and two more; null: no limit');

const realtimeSchema = z
  .strictObject({
    key: z.string().min(1).describe('Pusher application key'),
    cluster: hostScalar.nullable().default(null).describe('Pusher cluster; null: the service is at host'),
    host: hostScalar.nullable().default(null).describe('host of a Pusher server; null: a cluster'),
    port: portScalar.nullable().default(null).describe('port at host'),
    tls: z.boolean().default(true).describe('whether the connection to host is encrypted'),
    channelsPerConnection: channelsPerConnectionSetting,
  })
  .refine((value) => (value.cluster === null) !== (value.host === null), {
    message: 'expected either cluster or host',
  });

const { limits: LIMITS } = FUTUUR;

/** Request limits and fees, for any venue. */
const venueRules = {
  requestTimeoutMs: boundedMsScalar(10, 600_000)
    .default(5_000)
    .describe('a request without an answer after this time is in doubt'),
  clockWindowS: countScalar(1, 3_600)
    .default(LIMITS.clockWindowMs / 1_000)
    .describe('seconds of clock difference the venue accepts'),
  bookCacheMs: msScalar
    .default(5_000)
    .describe('greatest age of a book that REST returns (cache of the venue)'),
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
    .describe('requests that the venue allows the key; the bot stays below'),
  fees: feesSchema.describe('fees; books read over REST may state others, which then hold'),
  minAmount: amountScalar.prefault('0.01').describe('least amount of one order (price x shares)'),
  maxAmount: amountScalar.prefault('100000').describe('greatest amount of one order (price x shares)'),
};
export const venueRulesSchema = z.strictObject(venueRules).prefault({});

export const venueSchema = z
  .strictObject({
    name: fileNameScalar.default('venue').describe('name on screens and in file names, e.g. futuur'),
    baseUrl: urlScalar.describe('address of the REST interface'),
    realtime: realtimeSchema.describe('the realtime service (Pusher Channels)'),
    publicKey: z.string().min(1, 'expected a public key').describe('public key; literal or ${NAME}'),
    privateKey: z
      .string()
      .min(1, 'expected a private key from the environment, such as ${ODDSMITH_PRIVATE_KEY}')
      .describe('private key; must be ${NAME}'),
    signing: z
      .strictObject({
        nested: z
          .enum(['python', 'json', 'omit'])
          .default('python')
          .describe('how nested values of a body are written in the text that is signed'),
      })
      .prefault({})
      .describe('signatures, where the documentation is silent'),
    ...venueRules,
  })
  .superRefine(({ minAmount, maxAmount, rateLimit: { perMinute, perDay } }, context) => {
    inOrder(context, [minAmount, 'minAmount'], [maxAmount, 'maxAmount'], formatMoney);
    inOrder(context, [perMinute, 'rateLimit.perMinute'], [perDay, 'rateLimit.perDay'], String);
  });

export type VenueSettings = z.output<typeof venueSchema>;
export type VenueRules = z.output<typeof venueRulesSchema>;
