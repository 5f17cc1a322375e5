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
    widenMs: msScalar
      .default(0)
      .describe('time before the close from which quotes stand further away; 0: never'),
    widenTicks: countScalar(1, 1_000).default(1).describe('ticks by which quotes stand further away'),
    shrinkMs: msScalar.default(0).describe('time before the close from which quotes are smaller; 0: never'),
    shrinkTo: fractionScalar.prefault('0.5').describe('part of the size that stays'),
    reduceOnlyMs: msScalar
      .default(0)
      .describe('time before the close from which only quotes that reduce the position stand; 0: never'),
    atEventStart: z.boolean().default(true).describe('whether the start of the event counts as a close'),
    whenLive: z.boolean().default(true).describe('whether an event that is live is left alone'),
  })
  .prefault({});

export const quotingSchema = z
  .strictObject({
    toleranceTicks: countScalar(0, 1_000).default(0).describe('a resting quote this close in price is kept'),
    toleranceShares: sharesScalar.prefault('0').describe('a resting quote this close in size is kept'),
    refillShare: fractionScalar
      .prefault('0.25')
      .describe('what was filled is put back once it is this part of the quote; 0: at once'),
    minRestMs: msScalar.default(0).describe('time that a quote rests before a small move'),
    maxBookAgeMs: msScalar
      .nullable()
      .default(null)
      .describe('has no effect any more: a silent book is not a stale one; accepted in older files'),
    preCloseMs: msScalar
      .default(2_000)
      .describe("quotes leave the market this long before betting closes, by the venue's clock"),
    preClose: preCloseSchema.describe('steps before the close, and what else counts as a close'),
    requoteEveryMs: msScalar
      .nullable()
      .default(null)
      .describe(
        'the bot starts only if the request budget lets it move all quotes this often; null: no such check',
      ),
    expiryMs: expiryScalar
      .nullable()
      .default(null)
      .describe('time after which the venue cancels an order that is not renewed; null: never'),
    strategyMaxMs: msScalar.default(1_000).describe('time that a strategy may take to answer, measured live'),
    strategyOverruns: countScalar(0, 1_000)
      .default(10)
      .describe('a strategy that took longer so often within a minute is stopped; 0: never'),
    heldFirst: z
      .boolean()
      .default(true)
      .describe('whether an ask sells held shares before it locks cash; while cash is short it always does'),
  })
  .prefault({});

/** What risk control allows an instance, as its configuration states it. */

const fillBreakerSchema = z
  .strictObject({
    windowMs: msScalar.default(10_000).describe('time over which fills are counted'),
    maxShares: sharesScalar
      .nullable()
      .prefault('1000')
      .describe('net shares filled on one side that trip it, per market and per event; null: no limit'),
    maxAmount: amountScalar
      .nullable()
      .prefault('1000')
      .describe('money paid or received that trips it; null: no limit'),
    coolDownMs: msScalar.default(30_000).describe('time without quotes after it trips'),
    steps: countScalar(1, 20).default(3).describe('steps in which sizes return after that'),
    stepMs: msScalar.default(10_000).describe('length of a step'),
  })
  .prefault({});

const markOutSchema = z
  .strictObject({
    horizonMs: msScalar.default(5_000).describe('time after a fill at which it is compared with the mid'),
    fills: countScalar(1, 10_000).default(20).describe('number of fills of a market that are averaged'),
    maxLoss: probabilityScalar
      .nullable()
      .prefault('0.03')
      .describe(
        'average loss per share at which sizes are reduced, and at which quoting stops the second time; null: no limit',
      ),
    reduceTo: fractionScalar.prefault('0.5').describe('part of the size that stays the first time'),
  })
  .prefault({});

export const limitsSchema = z
  .strictObject({
    maxOrderShares: sharesScalar.prefault('1000').describe('most shares of one order'),
    maxOrderAmount: amountScalar.prefault('1000').describe('greatest amount of one order (price x shares)'),
    maxPositionShares: sharesScalar
      .prefault('1000')
      .describe('most net shares per market, open orders counted'),
    maxEventLoss: amountScalar
      .prefault('1000')
      .describe('greatest loss of one event in the worst case, open orders counted'),
    maxCategoryLoss: amountScalar
      .nullable()
      .default(null)
      .describe(
        'greatest loss of all events of one category together, each in its worst case; null: no limit',
      ),
    maxAccountLoss: amountScalar
      .nullable()
      .default(null)
      .describe('the same of all events of the run; null: no limit'),
    maxLocked: amountScalar
      .nullable()
      .default(null)
      .describe('cash that open bids may lock together; null: all there is'),
    maxLoss: amountScalar.prefault('1000').describe('loss of the run that latches the kill switch'),
    maxDrawdown: amountScalar
      .nullable()
      .default(null)
      .describe('fall of the profit from its peak that latches the kill switch; null: no limit'),
    maxTakenAmount: amountScalar
      .nullable()
      .prefault('1000')
      .describe('amount taken unintentionally within an hour; more latches the kill switch; null: no limit'),
    taking: amountScalar
      .nullable()
      .default(null)
      .describe(
        'amount that an event strategy may take within an hour, at its worst prices, over restarts too; null: nothing',
      ),
    priceCollar: probabilityScalar
      .prefault('0.2')
      .describe('greatest distance of a quote from fair value and mid'),
    coherentQuotes: z
      .boolean()
      .default(true)
      .describe('whether quotes of an exclusive event may not add up to a certain loss'),
    ordersPerMinute: countScalar(1, 1_000_000)
      .default(1_200)
      .describe(
        'creates and updates of the instance in any minute, over restarts too; beyond that quotes move less often',
      ),
    fillBreaker: fillBreakerSchema.describe('breaker: many fills on one side stop quoting for a while'),
    markOut: markOutSchema.describe(
      'guard against fills after which the price moves against us: smaller quotes, then none',
    ),
  })
  .prefault({});
