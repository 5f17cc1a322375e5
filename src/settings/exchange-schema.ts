/** The schema of the bundled exchange: the `exchange:` section of a configuration file. */
import { z } from 'zod';
import { CURRENCIES, KYC_STATUSES } from '../domain/vocabulary.js';
import { FRAME_FAULTS, REQUEST_FAULTS } from '../fills/faults.js';
import {
  amountScalar,
  countScalar,
  feeScalar,
  idScalar,
  msScalar,
  portScalar,
  probabilityScalar,
  sharesScalar,
  tickSizeScalar,
  timeScalar,
} from './scalars.js';

const rate = z.number().positive().max(100_000);
const share = z.number().min(0).max(1);

const balances = z.partialRecord(z.enum(CURRENCIES), amountScalar).prefault({});

const accountSchema = z.strictObject({
  id: idScalar,
  username: z.string().min(1),
  email: z.string().min(3),
  publicKey: z.string().min(1),
  privateKey: z.string().min(1).describe('literal only here, because this venue is our own'),
  emailConfirmed: z.boolean().default(true),
  realCurrencyEnabled: z.boolean().default(true),
  kycStatus: z.enum(KYC_STATUSES).default('approved'),
  blocked: z.boolean().default(false),
  forbiddenCountry: z.boolean().default(false),
  following: z.array(idScalar).default([]),
  publicWagers: z.boolean().default(true),
  walletUser: z.boolean().default(false),
  dateJoined: timeScalar.nullable().default(null),
  balances,
});

export const exchangeMarketSchema = z.strictObject({
  id: idScalar,
  title: z.string().min(1),
  tickSize: tickSizeScalar.prefault('0.01'),
  longLabel: z.string().default('Yes'),
  shortLabel: z.string().default('No'),
});

export const exchangeEventSchema = z.strictObject({
  id: idScalar,
  title: z.string().min(1),
  slug: z.string().nullable().default(null),
  description: z.string().default(''),
  isBinary: z.boolean().nullable().default(null),
  resolutionMode: z.enum(['exclusive', 'non_exclusive']).default('exclusive'),
  category: z.strictObject({ id: idScalar, name: z.string() }).nullable().default(null),
  betStartDate: timeScalar.nullable().default(null),
  betEndDate: timeScalar.nullable().default(null),
  eventStartDate: timeScalar.nullable().default(null),
  eventEndDate: timeScalar.nullable().default(null),
  tax: z
    .strictObject({
      play_money: z.coerce.number().nullable().default(null),
      real_money: z.coerce.number().nullable().default(null),
    })
    .prefault({}),
  minAmount: amountScalar.prefault('0.01'),
  maxAmount: amountScalar.prefault('100000'),
  markets: z.array(exchangeMarketSchema).min(1, 'expected at least one market'),
});

const trader = { account: idScalar, markets: z.array(idScalar).min(1) };

export const participantSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('noise'),
    ...trader,
    ratePerS: rate.default(1),
    sizeMin: sharesScalar.prefault('1'),
    sizeMax: sharesScalar.prefault('10'),
  }),
  z.strictObject({
    kind: z.literal('informed'),
    ...trader,
    ratePerS: rate.default(0.2),
    sizeMin: sharesScalar.prefault('1'),
    sizeMax: sharesScalar.prefault('10'),
    probability: share.default(0.5),
  }),
  z.strictObject({ kind: z.literal('lmsr'), ...trader, b: z.number().positive().max(1e6).default(100) }),
  z.strictObject({
    kind: z.literal('maker'),
    ...trader,
    halfSpread: probabilityScalar.prefault('0.02'),
    sizeMin: sharesScalar.prefault('10'),
    sizeMax: sharesScalar.prefault('10'),
  }),
  z.strictObject({
    kind: z.literal('recording'),
    file: z.string().min(1),
    speed: z.number().positive().max(1e6).default(1),
    event: idScalar,
  }),
]);

const FAULT_KINDS = [...REQUEST_FAULTS, ...FRAME_FAULTS] as const;

export const faultsSchema = z
  .strictObject({
    seed: countScalar(0, 0xffff_ffff).default(1),
    rules: z
      .array(
        z
          .strictObject({
            on: z.string().min(1).describe('method and path, or ws'),
            kind: z.enum(FAULT_KINDS),
            probability: share.optional(),
            nth: countScalar(1, Number.MAX_SAFE_INTEGER).optional(),
            ms: msScalar.optional(),
          })
          .refine((rule) => rule.probability !== undefined || rule.nth !== undefined, {
            message: 'expected probability, nth, or both',
          }),
      )
      .default([]),
  })
  .prefault({});

const feesSchema = (taker: string) =>
  z.strictObject({ taker: feeScalar.prefault(taker), maker: feeScalar.prefault('0') }).prefault({});

export const exchangeSchema = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: portScalar.default(4_010).describe('REST and websocket share it'),
  seed: countScalar(0, 0xffff_ffff).default(42),
  appKey: z.string().min(1).default('local'),
  adminToken: z.string().default('').describe('empty: no admin interface'),
  dataDir: z.string().nullable().default(null).describe('a folder makes it durable'),
  clockWindowS: countScalar(1, 3_600).default(60),
  rateLimit: z
    .strictObject({
      perMinute: countScalar(1, 1e9).default(2_000),
      perDay: countScalar(1, 1e12).default(1_000_000),
    })
    .nullable()
    .prefault({}),
  duplicateWindowMs: msScalar.default(1_000),
  processingDelayMs: msScalar.default(0),
  bookCacheMs: msScalar.default(0),
  signing: z.strictObject({ nested: z.enum(['python', 'json', 'omit']).default('python') }).prefault({}),
  fees: z.strictObject({ play_money: feesSchema('0'), real_money: feesSchema('0.001') }).prefault({}),
  accounts: z.array(accountSchema).min(1, 'expected at least one account'),
  events: z.array(exchangeEventSchema).default([]),
  participants: z.array(participantSchema).default([]),
  faults: faultsSchema,
});

/** A file for `oddsmith exchange`. */
export const exchangeFileSchema = z.strictObject({ exchange: exchangeSchema });

export type ExchangeSettings = z.output<typeof exchangeSchema>;
export type ParticipantSettings = z.output<typeof participantSchema>;
export type ExchangeEventSettings = z.output<typeof exchangeEventSchema>;
export type ExchangeMarketSettings = z.output<typeof exchangeMarketSchema>;
