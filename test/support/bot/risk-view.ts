/** A risk view of one market of one event in which everything is stated, for rules under test. */
import { eventId, marketId } from '../../../src/domain/ids.js';
import type { LimitOrder } from '../../../src/domain/orders.js';
import { money, priceUnits, shares } from '../../../src/domain/units.js';
import {
  type Proposal,
  proposalOf,
  type RiskLimits,
  type RiskTerms,
  type RiskView,
} from '../../../src/core/risk/index.js';

/** Ticks of a cent, no fees. */
export const riskTerms = (changes: Partial<RiskTerms> = {}): RiskTerms => ({
  tickUnits: 100,
  currency: 'OOM',
  fee: money(0),
  lockedFee: 0,
  ...changes,
});

/** One event, fair value one half, nothing held, nothing working. */
export const riskView = (changes: Partial<RiskView> = {}): RiskView => ({
  terms: () => riskTerms(),
  fairValue: () => priceUnits(5_000),
  bookMid: () => priceUnits(5_000),
  netRange: () => ({ low: shares(0), high: shares(0) }),
  heldRange: () => ({ low: shares(0), high: shares(0) }),
  quoteRoom: () => null,
  eventLossWith: () => money(0),
  eventLossWhereItCosts: () => money(0),
  lossElsewhere: () => money(0),
  locked: () => money(0),
  ...changes,
});

/** A bid for ten long shares at 0.48, unless stated otherwise. */
export const orderOf = (changes: Partial<LimitOrder> = {}): LimitOrder => ({
  eventId: eventId(873),
  marketId: marketId(2231),
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  price: priceUnits(4_800),
  shares: shares(1_000),
  expiresAt: null,
  ...changes,
});

/** The same as a proposal. */
export const wanted = (changes: Partial<LimitOrder> = {}, terms = riskTerms()): Proposal =>
  proposalOf(orderOf(changes), null, terms);

/** Limits that a test does not come near to, unless stated otherwise. */
export const limitsOf = (changes: Partial<RiskLimits> = {}): RiskLimits => ({
  maxOrderShares: shares(100_000),
  maxOrderAmount: money(1_000_000_000),
  maxPositionShares: shares(100_000),
  maxEventLoss: money(1_000_000_000),
  maxCategoryLoss: null,
  maxAccountLoss: null,
  maxLocked: null,
  maxLoss: money(1_000_000_000),
  maxDrawdown: null,
  maxTakenAmount: null,
  taking: null,
  fillBreaker: {
    windowMs: 10_000,
    maxShares: null,
    maxAmount: null,
    coolDownMs: 30_000,
    steps: 3,
    stepMs: 10_000,
  },
  markOut: { horizonMs: 5_000, fills: 20, maxLoss: null, reduceTo: 0.5 },
  priceCollar: priceUnits(2_000),
  coherentQuotes: true,
  ordersPerMinute: 1_200,
  ...changes,
});
