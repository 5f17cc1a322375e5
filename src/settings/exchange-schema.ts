/** The schema of the bundled exchange: the `exchange:` section of a configuration file. */
import { z } from 'zod';
import { CURRENCIES, KYC_STATUSES } from '../domain/vocabulary.js';
import { FRAME_FAULTS, faultProblem, REQUEST_FAULTS } from '../venues/simulated/models/faults.js';
import { formatMoney, formatShares } from '../venues/futuur/protocol/decimals.js';
import { formatMilliseconds } from '../venues/futuur/protocol/timestamps.js';
import { channelsPerConnectionSetting, feesSchema } from './venue-schema.js';
import {
  inOrder,
  amountScalar,
  countScalar,
  faultMsScalar,
  fractionScalar,
  idScalar,
  msScalar,
  portScalar,
  tickSizeScalar,
  timeScalar,
  hostScalar,
  pathScalar,
  probabilityScalar,
  sharesScalar,
} from './scalars.js';
import type { Shares } from '../domain/units.js';

const share = z.number().min(0).max(1);

const balances = z
  .partialRecord(z.enum(CURRENCIES), amountScalar)
  .prefault({})
  .describe('balance at the start, by currency');

const keyPair = {
  publicKey: z.string().min(1).describe('public key of the account, in the header Key'),
  privateKey: z.string().min(1).describe('private key; it may be literal, because this venue is our own'),
};

const accountSchema = z.strictObject({
  id: idScalar.describe('id of the account; the demo trades with the first one'),
  username: z.string().min(1).describe('shown to others'),
  email: z.string().min(3).nullable().default(null).describe('null: made from the username'),
  ...keyPair,
  keys: z
    .array(z.strictObject(keyPair))
    .default([])
    .describe('more keys of the account, such as one for a guard; each has an allowance of its own'),
  emailConfirmed: z.boolean().default(true).describe('false: EmailNotConfirmed'),
  realCurrencyEnabled: z.boolean().default(true).describe('false: RealMoneyBetNotAllowed'),
  kycStatus: z.enum(KYC_STATUSES).default('approved').describe('shown to itself'),
  blocked: z.boolean().default(false).describe('true: UserBlockedBets'),
  forbiddenCountry: z.boolean().default(false).describe('true: RealMoneyForbiddenCountry'),
  following: z.array(idScalar).default([]).describe('ids of the accounts whose wagers it follows'),
  publicWagers: z.boolean().default(true).describe('whether unsigned requests see its wagers'),
  walletUser: z.boolean().default(false).describe('signed up with a wallet'),
  dateJoined: timeScalar.nullable().default(null).describe('shown to itself'),
  balances,
});

export const exchangeMarketSchema = z.strictObject({
  id: idScalar.describe('unique in the file'),
  title: z.string().min(1).describe('the outcome'),
  tickSize: tickSizeScalar.prefault('0.01').describe('price step'),
  longLabel: z.string().default('Yes').describe('what long stands for'),
  shortLabel: z.string().default('No').describe('what short stands for'),
});

export const exchangeEventSchema = z
  .strictObject({
    id: idScalar.describe('unique in the file'),
    title: z.string().min(1).describe('the question'),
    slug: z.string().nullable().default(null).describe('null: made from the title'),
    description: z.string().default('').describe('free text'),
    isBinary: z
      .boolean()
      .nullable()
      .default(null)
      .describe('whether the event is binary; null: if it has one market'),
    resolutionMode: z
      .enum(['exclusive', 'non_exclusive'])
      .default('exclusive')
      .describe('exclusive: at most one market resolves long'),
    category: z
      .strictObject({
        id: idScalar.describe('of the category'),
        name: z.string().describe('of the category'),
      })
      .nullable()
      .default(null)
      .describe('category of the event; null: a general one'),
    betStartDate: timeScalar.nullable().default(null).describe('orders are taken from this time'),
    betEndDate: timeScalar.nullable().default(null).describe('orders are taken until this time'),
    eventStartDate: timeScalar.nullable().default(null).describe('shown'),
    eventEndDate: timeScalar.nullable().default(null).describe('shown'),
    tax: z
      .strictObject({
        play_money: fractionScalar.nullable().default(null).describe('rate; null: none'),
        real_money: fractionScalar.nullable().default(null).describe('rate; null: none'),
      })
      .prefault({})
      .describe('tax that the interface shows; nobody is charged'),
    minAmount: amountScalar.prefault('0.01').describe('least amount of one order (price x shares)'),
    maxAmount: amountScalar.prefault('100000').describe('greatest amount of one order (price x shares)'),
    markets: z
      .array(exchangeMarketSchema)
      .min(1, 'expected at least one market')
      .describe('markets of the event'),
  })
  .superRefine((event, context) => {
    const { minAmount, maxAmount, betStartDate, betEndDate, eventStartDate, eventEndDate } = event;
    inOrder(context, [minAmount, 'minAmount'], [maxAmount, 'maxAmount'], formatMoney);
    inOrder(context, [betStartDate, 'betStartDate'], [betEndDate, 'betEndDate'], formatMilliseconds);
    inOrder(context, [eventStartDate, 'eventStartDate'], [eventEndDate, 'eventEndDate'], formatMilliseconds);
  });

const rate = z.number().positive().max(100_000);

const trader = {
  account: idScalar.describe('id of the account that it trades with'),
  markets: z.array(idScalar).min(1).describe('ids of the markets in which it trades'),
};

const sizesInOrder = (
  { sizeMin, sizeMax }: { readonly sizeMin: Shares; readonly sizeMax: Shares },
  context: z.RefinementCtx,
): void => inOrder(context, [sizeMin, 'sizeMin'], [sizeMax, 'sizeMax'], formatShares);

const participantSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('noise').describe('a trader without information, at random times'),
      ...trader,
      ratePerS: rate.default(1).describe('orders a second, over all its markets'),
      sizeMin: sharesScalar.prefault('1').describe('least shares of an order'),
      sizeMax: sharesScalar.prefault('10').describe('most shares of an order'),
    })
    .superRefine(sizesInOrder),
  z
    .strictObject({
      kind: z
        .literal('informed')
        .describe('a trader who knows where the price will end, buys below and sells above'),
      ...trader,
      ratePerS: rate.default(0.2).describe('how often a second it looks at the market'),
      sizeMin: sharesScalar.prefault('1').describe('least shares of an order'),
      sizeMax: sharesScalar.prefault('10').describe('most shares of an order'),
      probability: share
        .default(0.5)
        .describe('start of the price path that it knows; the path ends at 0 or 1'),
    })
    .superRefine(sizesInOrder),
  z.strictObject({
    kind: z.literal('lmsr').describe('an automatic market maker (LMSR) that quotes with orders'),
    ...trader,
    b: z.number().positive().max(1e6).default(100).describe('liquidity; it loses at most b ln(markets)'),
  }),
  z
    .strictObject({
      kind: z.literal('maker').describe('another market maker, whose fair value wanders'),
      ...trader,
      halfSpread: probabilityScalar
        .prefault('0.02')
        .describe('distance of its first level from its fair value'),
      sizeMin: sharesScalar.prefault('10').describe('least shares of a level'),
      sizeMax: sharesScalar.prefault('10').describe('most shares of a level'),
    })
    .superRefine(sizesInOrder),
  z.strictObject({
    kind: z.literal('recording').describe('re-enacts a recording as volume of others'),
    file: z.string().min(1).describe('the recording, from the folder of this file'),
    speed: z.number().positive().max(1e6).default(1).describe('speed of the re-enactment; 1: as recorded'),
    event: idScalar.describe('id of the event that re-enacts it; markets pair by id, else by position'),
  }),
]);

export type ParticipantSettings = z.output<typeof participantSchema>;

const FAULT_KINDS = [...REQUEST_FAULTS, ...FRAME_FAULTS] as const;

const faultsSchema = z
  .strictObject({
    seed: countScalar(0, 0xffff_ffff).default(1).describe('seed of the probabilities'),
    rules: z
      .array(
        z
          .strictObject({
            on: z
              .string()
              .min(1)
              .describe('request by method (* for any) and path ({...} for any segment), or ws'),
            kind: z.enum(FAULT_KINDS).describe('what goes wrong'),
            probability: share.optional().describe('probability of each matching request'),
            nth: countScalar(1, Number.MAX_SAFE_INTEGER)
              .optional()
              .describe('number of the matching request, from 1'),
            ms: faultMsScalar.optional().describe('duration, for kinds that take one'),
          })
          .superRefine((rule, context) => {
            const problem = faultProblem(rule);
            if (problem !== null)
              context.addIssue({ code: 'custom', path: [problem.field], message: problem.message });
          }),
      )
      .default([])
      .describe('faults; of several that match the first one fires'),
  })
  .prefault({});

export const exchangeSchema = z.strictObject({
  host: hostScalar.default('127.0.0.1').describe('address to listen on; loopback: this machine alone'),
  port: portScalar.default(4_010).describe('port of REST and websocket'),
  seed: countScalar(0, 0xffff_ffff).default(42).describe('seed of the simulated traders'),
  appKey: z.string().min(1).default('local').describe('Pusher application key'),
  adminToken: z.string().default('').describe('token of the admin interface; empty: there is none'),
  dataDir: pathScalar
    .nullable()
    .default(null)
    .describe('folder that keeps the exchange over restarts; null: nothing is kept'),
  snapshotEvery: countScalar(1, 1e9)
    .default(100_000)
    .describe('commands from one snapshot in dataDir to the next'),
  clockWindowS: countScalar(1, 3_600)
    .default(60)
    .describe('seconds by which the time of a signature may differ'),
  rateLimit: z
    .strictObject({
      perMinute: countScalar(1, 1e9).default(2_000).describe('requests of a key in a minute'),
      perDay: countScalar(1, 1e12).default(1_000_000).describe('requests of a key in a day'),
    })
    .nullable()
    .prefault({})
    .describe('requests that the exchange allows a key; null: no limit'),
  duplicateWindowMs: msScalar
    .default(1_000)
    .describe('a create that repeats within this time is refused; 0: never'),
  processingDelayMs: msScalar.default(0).describe('time for which a new order is in processing'),
  bookCacheMs: msScalar.default(0).describe('greatest age of a book that REST returns (cache of the venue)'),
  channelsPerConnection: channelsPerConnectionSetting,
  signing: z
    .strictObject({
      nested: z
        .enum(['python', 'json', 'omit'])
        .default('python')
        .describe('how nested values of a body are written in the text that is signed'),
    })
    .prefault({})
    .describe('signatures, where the specification is silent'),
  fees: feesSchema.describe('fees per share'),
  accounts: z.array(accountSchema).default([]).describe('who may trade'),
  events: z.array(exchangeEventSchema).default([]).describe('events of the exchange'),
  participants: z.array(participantSchema).default([]).describe('simulated traders'),
  faults: faultsSchema.describe('faults, for tests of a client'),
});

/** A file for `oddsmith exchange`. */
export const exchangeFileSchema = z.strictObject({
  exchange: exchangeSchema.describe('the venue'),
});

/** Reads only the section `exchange` of a bot's file. */
export const exchangeSectionSchema = z.object({ exchange: exchangeSchema.nullable().default(null) });

export type ExchangeSettings = z.output<typeof exchangeSchema>;
export type ExchangeEventSettings = z.output<typeof exchangeEventSchema>;
