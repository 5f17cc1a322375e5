/** How quotes are kept up, as configuration states it. */
import { z } from 'zod';
import {
  countScalar,
  expiryScalar,
  fractionScalar,
  msScalar,
  sharesScalar,
  amountScalar,
  probabilityScalar,
} from './scalars.js';

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

/** What risk control allows an instance, as its configuration states it. */

const fillBreakerSchema = z
  .strictObject({
    windowMs: msScalar.default(10_000).describe('fills are counted over so long'),
    maxShares: sharesScalar
      .nullable()
      .prefault('1000')
      .describe(
        'net shares filled one way, per market and over the markets of an event; null: no such limit',
      ),
    maxAmount: amountScalar
      .nullable()
      .prefault('1000')
      .describe('the same as money paid or received; null: no such limit'),
    coolDownMs: msScalar.default(30_000).describe('nothing is quoted there for so long'),
    steps: countScalar(1, 20).default(3).describe('then sizes come back in so many steps before all of it'),
    stepMs: msScalar.default(10_000).describe('length of a step'),
  })
  .prefault({});

const markOutSchema = z
  .strictObject({
    horizonMs: msScalar.default(5_000).describe('a fill is compared with the mid so long after it'),
    fills: countScalar(1, 10_000).default(20).describe('fills of a market that are judged together'),
    maxLoss: probabilityScalar
      .nullable()
      .prefault('0.03')
      .describe(
        'average loss per share that reduces the size, and stops when it happens again; null: no limit',
      ),
    reduceTo: fractionScalar.prefault('0.5').describe('part of the size that is left at first'),
  })
  .prefault({});

export const limitsSchema = z
  .strictObject({
    maxOrderShares: sharesScalar.prefault('1000').describe('of one order'),
    maxOrderAmount: amountScalar.prefault('1000').describe('price x shares of one order'),
    maxPositionShares: sharesScalar
      .prefault('1000')
      .describe('net shares per market, working orders counted'),
    maxEventLoss: amountScalar.prefault('1000').describe('worst case of one event, working orders counted'),
    maxLocked: amountScalar
      .nullable()
      .default(null)
      .describe('cash that working bids may lock together; null: as much as there is'),
    maxLoss: amountScalar.prefault('1000').describe('loss of the run that latches the kill switch'),
    maxDrawdown: amountScalar
      .nullable()
      .default(null)
      .describe('fall of the profit from its best that latches the kill switch; null: no such limit'),
    maxTakenAmount: amountScalar
      .nullable()
      .prefault('1000')
      .describe('taken without meaning to within an hour of the run; more latches the kill switch'),
    priceCollar: probabilityScalar
      .prefault('0.2')
      .describe('most distance of a quote from fair value and mid'),
    coherentQuotes: z
      .boolean()
      .default(true)
      .describe('whether quotes on outcomes that exclude each other must not add up to a certain loss'),
    ordersPerMinute: countScalar(1, 1_000_000)
      .default(1_200)
      .describe('creates and updates in any minute, over restarts, too'),
    fillBreaker: fillBreakerSchema.describe('one-sided fills stop quoting for a while'),
    markOut: markOutSchema.describe('fills that go wrong make quotes smaller, then stop them'),
  })
  .prefault({});
