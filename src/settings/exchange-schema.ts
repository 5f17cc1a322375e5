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
  .describe('by currency, what it begins with');

const keyPair = {
  publicKey: z.string().min(1).describe('goes in the header Key'),
  privateKey: z.string().min(1).describe('literal only here, because this venue is our own'),
};

const accountSchema = z.strictObject({
  id: idScalar.describe('the first account is the one the demo trades with'),
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
  following: z.array(idScalar).default([]).describe('accounts whose wagers it follows'),
  publicWagers: z.boolean().default(true).describe('whether unsigned requests see its wagers'),
  walletUser: z.boolean().default(false).describe('signed up with a wallet'),
  dateJoined: timeScalar.nullable().default(null).describe('shown to itself'),
  balances,
});

export const exchangeMarketSchema = z.strictObject({
  id: idScalar.describe('unique in the file'),
  title: z.string().min(1).describe('the outcome'),
  tickSize: tickSizeScalar.prefault('0.01').describe('price grid'),
  longLabel: z.string().default('Yes').describe('what long stands for'),
  shortLabel: z.string().default('No').describe('what short stands for'),
});

export const exchangeEventSchema = z
  .strictObject({
    id: idScalar.describe('unique in the file'),
    title: z.string().min(1).describe('the question'),
    slug: z.string().nullable().default(null).describe('null: made from the title'),
    description: z.string().default('').describe('free text'),
    isBinary: z.boolean().nullable().default(null).describe('null: when it has one market'),
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
      .describe('null: a general one'),
    betStartDate: timeScalar.nullable().default(null).describe('orders are taken from here'),
    betEndDate: timeScalar.nullable().default(null).describe('and until here'),
    eventStartDate: timeScalar.nullable().default(null).describe('shown'),
    eventEndDate: timeScalar.nullable().default(null).describe('shown'),
    tax: z
      .strictObject({
        play_money: fractionScalar.nullable().default(null).describe('rate; null: none'),
        real_money: fractionScalar.nullable().default(null).describe('rate; null: none'),
      })
      .prefault({})
      .describe('told to who asks, charged to nobody'),
    minAmount: amountScalar.prefault('0.01').describe('least price x shares of one order'),
    maxAmount: amountScalar.prefault('100000').describe('most price x shares of one order'),
    markets: z.array(exchangeMarketSchema).min(1, 'expected at least one market').describe('its outcomes'),
  })
  .superRefine((event, context) => {
    const { minAmount, maxAmount, betStartDate, betEndDate, eventStartDate, eventEndDate } = event;
    inOrder(context, [minAmount, 'minAmount'], [maxAmount, 'maxAmount'], formatMoney);
    inOrder(context, [betStartDate, 'betStartDate'], [betEndDate, 'betEndDate'], formatMilliseconds);
    inOrder(context, [eventStartDate, 'eventStartDate'], [eventEndDate, 'eventEndDate'], formatMilliseconds);
  });

const rate = z.number().positive().max(100_000);

const trader = {
  account: idScalar.describe('trades with this account'),
  markets: z.array(idScalar).min(1).describe('and in these markets'),
};

const sizesInOrder = (
  { sizeMin, sizeMax }: { readonly sizeMin: Shares; readonly sizeMax: Shares },
  context: z.RefinementCtx,
): void => inOrder(context, [sizeMin, 'sizeMin'], [sizeMax, 'sizeMax'], formatShares);

const participantSchema = z.discriminatedUnion('kind', [
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

const FAULT_KINDS = [...REQUEST_FAULTS, ...FRAME_FAULTS] as const;

const faultsSchema = z
  .strictObject({
    seed: countScalar(0, 0xffff_ffff).default(1).describe('of the probabilities'),
    rules: z
      .array(
        z
          .strictObject({
            on: z.string().min(1).describe('method (* is any) and path ({...} is any segment), or ws'),
            kind: z.enum(FAULT_KINDS).describe('what goes wrong'),
            probability: share.optional().describe('of each match'),
            nth: countScalar(1, Number.MAX_SAFE_INTEGER).optional().describe('only this match, from 1'),
            ms: faultMsScalar.optional().describe('how long, where the kind takes a duration'),
          })
          .superRefine((rule, context) => {
            const problem = faultProblem(rule);
            if (problem !== null)
              context.addIssue({ code: 'custom', path: [problem.field], message: problem.message });
          }),
      )
      .default([])
      .describe('the first that fires counts'),
  })
  .prefault({});

export const exchangeSchema = z.strictObject({
  host: hostScalar.default('127.0.0.1').describe('loopback unless others are to trade'),
  port: portScalar.default(4_010).describe('REST and websocket share it'),
  seed: countScalar(0, 0xffff_ffff).default(42).describe('of participants'),
  appKey: z.string().min(1).default('local').describe('Pusher application key'),
  adminToken: z.string().default('').describe('empty: no admin interface'),
  dataDir: pathScalar.nullable().default(null).describe('a folder makes it durable'),
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
    .describe('null: no limit'),
  duplicateWindowMs: msScalar
    .default(1_000)
    .describe('the same creating request within it is refused; 0: never'),
  processingDelayMs: msScalar.default(0).describe('how long an order is processing before it opens'),
  bookCacheMs: msScalar.default(0).describe('how old a book read over REST may be'),
  channelsPerConnection: channelsPerConnectionSetting,
  signing: z
    .strictObject({
      nested: z
        .enum(['python', 'json', 'omit'])
        .default('python')
        .describe('how nested values of a body enter the signed text'),
    })
    .prefault({})
    .describe('what the specification leaves open about signatures'),
  fees: feesSchema.describe('charged per share'),
  accounts: z.array(accountSchema).default([]).describe('who may trade'),
  events: z.array(exchangeEventSchema).default([]).describe('what is traded'),
  participants: z.array(participantSchema).default([]).describe('simulated traders'),
  faults: faultsSchema.describe('what is to go wrong, for tests of a client'),
});

/** A file for `oddsmith exchange`. */
export const exchangeFileSchema = z.strictObject({
  exchange: exchangeSchema.describe('the venue'),
});

/** Of a bot's file the exchange alone, whatever else stands there. */
export const exchangeSectionSchema = z.object({ exchange: exchangeSchema.nullable().default(null) });

export type ExchangeSettings = z.output<typeof exchangeSchema>;
export type ExchangeEventSettings = z.output<typeof exchangeEventSchema>;
