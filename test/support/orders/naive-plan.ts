/** What {@link reconcile} promises, without regard for speed: whatever is asked, all orders are gone through. */
import type { LimitOrder } from '../../../src/domain/orders.js';
import {
  complement,
  type Micros,
  type Money,
  type PriceUnits,
  type Shares,
} from '../../../src/domain/units.js';
import { bookSide, type Side } from '../../../src/domain/vocabulary.js';
import { isCancelable, type OwnOrder } from '../../../src/core/execution/orders/own-order.js';
import { lastsLongEnough } from '../../../src/core/execution/planning/expiry.js';
import { lockOf } from '../../../src/core/execution/planning/market-terms.js';
import { canStand, type Tolerance } from '../../../src/core/execution/planning/pairing.js';
import {
  NO_PLAN,
  type Plan,
  type PlannedReplacement,
  type Waiting,
  type WaitReason,
} from '../../../src/core/execution/planning/plan.js';
import type { ReconcileMarket, ReconcilePolicy } from '../../../src/core/execution/planning/reconcile.js';

const EXACT: Tolerance = { shyUnits: 0, boldUnits: 0, missingShares: 0, excessShares: 0 };

const sideOf = ({ side, position }: LimitOrder): Side => bookSide(side, position);
const longPriceOf = ({ position, price }: LimitOrder): number =>
  position === 'long' ? price : complement(price);

export const naivePlan = (
  desired: readonly LimitOrder[],
  working: readonly OwnOrder[],
  market: ReconcileMarket,
  policy: ReconcilePolicy,
): Plan => new NaivePlan(desired, working, market, policy).made();

class NaivePlan {
  readonly #pairs = new Map<LimitOrder, OwnOrder>();
  /** What a working order stands for, or is or waits to be moved to. */
  readonly #taken = new Set<LimitOrder>();
  readonly #rooms = { bid: 0, ask: 0 };
  readonly #unspent: Record<'cash' | 'long' | 'short', number>;
  readonly #plan = {
    cancels: [] as OwnOrder[],
    replacements: [] as PlannedReplacement[],
    creates: [] as LimitOrder[],
    waiting: [] as Waiting[],
    unwanted: [] as OwnOrder[],
    urgency: 0 as Money,
    restsUntil: null as Micros | null,
  };

  constructor(
    private readonly desired: readonly LimitOrder[],
    private readonly working: readonly OwnOrder[],
    private readonly market: ReconcileMarket,
    private readonly policy: ReconcilePolicy,
  ) {
    this.#unspent = { ...market.free };
  }

  made(): Plan {
    for (const tolerance of [EXACT, this.policy]) this.#pair(tolerance);
    const kept = [...this.#pairs.values()];
    const others = this.working.filter((order) => order.ownership === 'ours' && !kept.includes(order));
    if (this.#pairs.size === this.desired.length && others.length === 0) return NO_PLAN;
    for (const wanted of this.#pairs.keys()) this.#taken.add(wanted);
    for (const side of ['bid', 'ask'] as const) this.#rooms[side] = this.#roomOn(side);
    for (const order of others) this.#moveOrCancel(order);
    for (const wanted of this.desired) if (!this.#taken.has(wanted)) this.#create(wanted);
    return this.#plan;
  }

  #pair(tolerance: Tolerance): void {
    for (const wanted of this.desired) {
      if (this.#pairs.has(wanted)) continue;
      const free = this.working.filter((order) => ![...this.#pairs.values()].includes(order));
      const near = free.find((order) => isNear(order, wanted, tolerance, this.market));
      if (near !== undefined) this.#pairs.set(wanted, near);
    }
  }

  #roomOn(side: Side): number {
    const wanted = this.desired.filter((order) => sideOf(order) === side);
    const ours = this.working.filter((order) => order.bookSide === side && order.ownership === 'ours');
    const most = wanted.map((order) => Math.max(order.shares, this.#pairs.get(order)?.remaining ?? 0));
    return sum(most) - sum(ours.map(({ remaining }) => remaining));
  }

  #moveOrCancel(order: OwnOrder): void {
    const far = (wanted: LimitOrder): number => Math.abs(longPriceOf(wanted) - order.longPrice);
    const [to] = this.desired
      .filter((wanted) => order.state === 'live' && !this.#taken.has(wanted) && isSamePlace(order, wanted))
      .toSorted((a, b) => far(a) - far(b));
    const obstacle = to === undefined ? 'removal' : this.#obstacle(order, to);
    if (to === undefined || obstacle === 'removal') return this.#remove(order);
    this.#taken.add(to);
    if (obstacle !== null) return void this.#plan.waiting.push({ order: to, reason: obstacle });
    this.#urge(boldness(order, to), Math.max(order.remaining, to.shares));
    this.#rooms[order.bookSide] -= Math.max(0, to.shares - order.remaining);
    this.#plan.replacements.push({ order, to });
  }

  #obstacle(order: OwnOrder, to: LimitOrder): WaitReason | 'removal' | null {
    const { now } = this.market;
    const restsUntil = (order.bornAt + this.policy.minRestMs * 1_000) as Micros;
    const isHarmless = boldness(order, to) <= 0 && order.remaining <= to.shares && canStand(order, now);
    if (isHarmless && restsUntil > now) {
      this.#plan.restsUntil = Math.min(this.#plan.restsUntil ?? Infinity, restsUntil) as Micros;
      return 'resting';
    }
    if (order.stage === 'processing') return 'processing';
    if (!this.policy.update || order.stage !== 'open' || order.filled > 0) return 'removal';
    if (this.#crosses(to)) return 'crossing';
    if (to.shares - order.remaining > Math.max(0, this.#rooms[order.bookSide])) return 'room';
    return this.#pays(to, order) ? null : 'removal';
  }

  #remove(order: OwnOrder): void {
    if (order.orderId === null) this.#plan.unwanted.push(order);
    if (!isCancelable(order)) return;
    const { fair, terms } = this.market;
    const worse =
      fair === null ? 0 : order.bookSide === 'bid' ? order.longPrice - fair : fair - order.longPrice;
    this.#plan.cancels.push(order);
    this.#urge(Math.max(terms.tickUnits, worse), order.remaining);
  }

  #create(wanted: LimitOrder): void {
    const reason = this.#creationObstacle(wanted);
    if (reason !== null) return void this.#plan.waiting.push({ order: wanted, reason });
    this.#rooms[sideOf(wanted)] -= wanted.shares;
    this.#plan.creates.push(wanted);
    this.#urge(-this.market.terms.tickUnits, wanted.shares);
  }

  #creationObstacle(wanted: LimitOrder): WaitReason | null {
    if (wanted.shares > this.#rooms[sideOf(wanted)]) return 'room';
    if (this.#crosses(wanted)) return 'crossing';
    return this.#pays(wanted, null) ? null : 'funds';
  }

  #crosses(wanted: LimitOrder): boolean {
    const opposite = this.working.filter((order) => order.bookSide !== sideOf(wanted));
    const price = longPriceOf(wanted);
    return opposite.some(({ bookSide, longPrice }) =>
      bookSide === 'ask' ? price >= longPrice : price <= longPrice,
    );
  }

  #pays(wanted: LimitOrder, old: OwnOrder | null): boolean {
    const { terms } = this.market;
    const uses = wanted.side === 'bid' ? 'cash' : wanted.position;
    const locks = (price: PriceUnits, shares: Shares): number =>
      uses === 'cash' ? lockOf(price, shares, terms) : shares;
    const locked = old === null ? 0 : locks(old.price, old.remaining);
    const need = Math.max(0, locks(wanted.price, wanted.shares) - locked);
    if (need > this.#unspent[uses]) return false;
    this.#unspent[uses] -= need;
    return true;
  }

  #urge(bold: number, shares: number): void {
    const urgency = Math.abs(bold > 0 ? 2 * bold : bold) * shares;
    this.#plan.urgency = (this.#plan.urgency + urgency) as Money;
  }
}

function isNear(
  order: OwnOrder,
  wanted: LimitOrder,
  tolerance: Tolerance,
  { now, venueNow }: Pick<ReconcileMarket, 'now' | 'venueNow'>,
): boolean {
  const bold = boldness(order, wanted);
  const excess = order.remaining - wanted.shares;
  return (
    isSamePlace(order, wanted) &&
    bold <= tolerance.boldUnits &&
    -bold <= tolerance.shyUnits &&
    excess <= tolerance.excessShares &&
    -excess <= tolerance.missingShares &&
    canStand(order, now) &&
    lastsLongEnough(order, wanted.expiresAt, venueNow)
  );
}

const boldness = (order: OwnOrder, wanted: LimitOrder): number =>
  order.bookSide === 'bid' ? order.longPrice - longPriceOf(wanted) : longPriceOf(wanted) - order.longPrice;

const isSamePlace = (order: OwnOrder, { side, position, currency }: LimitOrder): boolean =>
  order.side === side && order.position === position && order.currency === currency;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
