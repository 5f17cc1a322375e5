/**
 * Merges reports of the venue into an order, independent of their order of arrival. Stages and cumulative fills only
 * grow, and the average price of the most shares counts.
 */
import type { OrderReport } from '../../../domain/orders.js';
import { type Micros, type Money, PRICE_ONE, type Shares, money } from '../../../domain/units.js';
import type { OrderStatus } from '../../../domain/vocabulary.js';
import type { Ending, Stage } from './order-life.js';
import type { TrackedOrder } from './tracked-order.js';

const STAGE_OF: Record<OrderStatus, Stage> = {
  pending: 'processing',
  processing: 'processing',
  open: 'open',
  partial_filled: 'partial',
  filled: 'ended',
  canceled: 'ended',
  expired: 'ended',
};

const RANK: Record<Stage, number> = { unseen: 0, processing: 1, open: 2, partial: 3, ended: 4 };

/** REST calls expired and replaced orders `canceled`: the more precise word stays. */
const ENDING_RANK: Record<Ending, number> = {
  'never-executed': 0,
  rejected: 1,
  vanished: 2,
  canceled: 3,
  expired: 4,
  replaced: 5,
  filled: 6,
};

const ENDING_OF: Partial<Record<OrderStatus, Ending>> = {
  filled: 'filled',
  canceled: 'canceled',
  expired: 'expired',
};

/** @returns whether the report is about an order that has ended */
export const isTerminal = (status: OrderStatus): boolean => STAGE_OF[status] === 'ended';

/** A listing tells the end of a canceled order but not its fills, so the stage stays as it was. */
const stageOf = ({ status, filled }: OrderReport, told: Stage): Stage =>
  isTerminal(status) && status !== 'filled' && filled === null ? told : STAGE_OF[status];

/** What a report added to the fills of an order. */
export interface FreshFill {
  /** Newly reported shares; zero when only the price of older shares became known. */
  readonly shares: Shares;
  /** Price times shares; negative when older shares turn out cheaper than assumed. */
  readonly amount: Money;
}

/** Merges one report into its order. @returns what it adds to the fills passed on before, null for nothing */
export function absorb(order: TrackedOrder, report: OrderReport, at: Micros): FreshFill | null {
  const stage = stageOf(report, order.stage);
  const opens =
    order.state !== 'done' && RANK[order.stage] < RANK.open && (stage === 'open' || stage === 'partial');
  if (RANK[stage] > RANK[order.stage]) order.stage = stage;
  if (at > order.activeAt) order.activeAt = at;
  order.absences = 0;
  // The order has traded nothing yet: every later fill is new.
  if (order.stage === stage && RANK[stage] <= RANK.open) order.countsFills = true;
  const fresh = absorbFills(order, report, at);
  if (opens) {
    order.show(at);
    order.openedAt = report.toldAt ?? null;
    // The order can be cancelled now that it is processed.
    order.failedCancels = 0;
  }
  const ending = order.filled >= order.requested ? 'filled' : ENDING_OF[report.status];
  if (ending !== undefined) conclude(order, ending);
  return fresh;
}

/** Keeps the closest word for why the order ended. */
export function conclude(order: TrackedOrder, ending: Ending): void {
  if (order.ending === null || ENDING_RANK[ending] > ENDING_RANK[order.ending]) order.ending = ending;
}

function absorbFills(order: TrackedOrder, report: OrderReport, at: Micros): FreshFill | null {
  const filled = report.status === 'filled' ? order.requested : report.filled;
  if (filled === null) {
    if (report.status === 'partial_filled' && order.filled === 0) order.fillsUnknownSince ??= at;
    return null;
  }
  if (!order.countsFills) {
    // A late frame from an earlier stage does not tell where counting begins.
    if (RANK[STAGE_OF[report.status]] < RANK[order.stage]) return null;
    beginCount(order, report, filled);
  }
  notePrice(order, filled, report.averageFillPrice);
  const fresh = Math.max(0, filled - order.filled) as Shares;
  order.filled = (order.filled + fresh) as Shares;
  if (fresh > 0) order.fillsUnknownSince = null;
  order.shrink(Math.max(0, order.requested - order.filled) as Shares, at);
  return passOn(order, fresh);
}

/** Earlier fills of a found order are in the holdings already. */
function beginCount(order: TrackedOrder, { filledNow, averageFillPrice }: OrderReport, filled: Shares): void {
  const before = Math.max(0, filled - (filledNow ?? 0)) as Shares;
  const price = averageFillPrice === null ? order.price : averageFillPrice * PRICE_ONE;
  order.countsFills = true;
  order.filled = before;
  order.amount = money(Math.round(before * price));
  order.pricedShares = before;
  order.pricedAmount = order.amount;
}

function notePrice(order: TrackedOrder, filled: Shares, average: number | null): void {
  if (average === null || filled <= order.pricedShares) return;
  order.pricedShares = filled;
  order.pricedAmount = money(Math.round(average * PRICE_ONE * filled));
}

function passOn(order: TrackedOrder, shares: Shares): FreshFill | null {
  const total = money(order.pricedAmount + (order.filled - order.pricedShares) * order.price);
  const amount = money(total - order.amount);
  if (shares === 0 && amount === 0) return null;
  order.amount = total;
  return { shares, amount };
}
