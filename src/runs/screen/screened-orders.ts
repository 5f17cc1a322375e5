/** Our orders in one market of a screen: what stands, what is under way, and what a ladder asks to change. */
import { ORDERS_PER_LEVEL } from '../../core/execution/planning/legs.js';
import type { QuoteIntent, QuoteLevel } from '../../domain/intent.js';
import type { Micros, Shares, Ticks } from '../../domain/units.js';
import type { OrderId } from '../../exchange/contract/ids.js';
import { ASK, BID, type BookSide } from '../../exchange/matching/levels.js';

/** One of our orders, as the bot knows it. */
export interface ScreenedOrder {
  readonly id: OrderId;
  readonly side: BookSide;
  /** Whether it sells what is held; otherwise it buys the other position. */
  readonly sells: boolean;
  tick: Ticks;
  /** Still to be filled. */
  remaining: Shares;
  /** Filled since it was created or changed. */
  filled: number;
  state: 'creating' | 'live' | 'updating' | 'cancelling';
  /** When it was asked for, or last changed. */
  bornAt: Micros;
}

/** A part of a level that no order stands for. */
export type WantedOrder = Pick<ScreenedOrder, 'side' | 'sells' | 'tick'> & { readonly shares: Shares };

/** What is to be sent for one market: cancels alone, else moves alone, else creates. */
export interface ScreenedPlan {
  readonly cancels: readonly ScreenedOrder[];
  readonly moves: readonly { readonly order: ScreenedOrder; readonly to: WantedOrder }[];
  readonly creates: readonly WantedOrder[];
  /** When an order that rests may be moved; infinite: none waits. */
  readonly restsUntil: number;
}

/** How far an order may be from what is wanted and still be left alone. */
export interface KeepingPolicy {
  readonly toleranceTicks: number;
  readonly toleranceShares: number;
  readonly refillShare: number;
  readonly minRestMs: number;
}

/** Shares held that orders of each side may sell. */
export interface HeldShares {
  readonly long: number;
  readonly short: number;
}

interface Drafted {
  readonly cancels: ScreenedOrder[];
  readonly moves: { order: ScreenedOrder; to: WantedOrder }[];
  readonly creates: WantedOrder[];
  restsUntil: number;
}

/** Compares the ladder with the orders that stand, by the rules of the engine's router and reconciliation. */
export function planOrders(
  intent: QuoteIntent | null,
  orders: readonly ScreenedOrder[],
  held: HeldShares,
  policy: KeepingPolicy,
  now: Micros,
): ScreenedPlan {
  const plan: Drafted = { cancels: [], moves: [], creates: [], restsUntil: Infinity };
  const bids = orders.filter(({ side }) => side === BID);
  const asks = orders.filter(({ side }) => side === ASK);
  const bestBid = bids.reduce((best, { tick }) => Math.max(best, tick), -Infinity);
  const bestAsk = asks.reduce((best, { tick }) => Math.min(best, tick), Infinity);
  planSide({ side: BID, own: bids, bound: bestAsk, held: held.short, policy, now }, intent?.bids ?? [], plan);
  planSide({ side: ASK, own: asks, bound: bestBid, held: held.long, policy, now }, intent?.asks ?? [], plan);
  return plan;
}

/** One side of a market. */
interface SideSource {
  readonly side: BookSide;
  readonly own: readonly ScreenedOrder[];
  /** Own quotes of the other side: nothing may meet them. */
  readonly bound: number;
  readonly held: number;
  readonly policy: KeepingPolicy;
  readonly now: Micros;
}

function planSide(source: SideSource, levels: readonly QuoteLevel[], plan: Drafted): void {
  const { side, own, policy } = source;
  const kept = new Set<ScreenedOrder>();
  const wanted: WantedOrder[] = [];
  let { held } = source;
  let room = 0;
  for (const { price: tick, shares } of levels) {
    const standing = keptAt(tick, shares, own, kept, policy.toleranceTicks, side);
    const stands = standing.reduce((sum, { remaining }) => sum + remaining, 0);
    const missing = missingOf(shares, stands, standing, policy);
    held -= standing.reduce((sum, { sells, remaining }) => sum + (sells ? remaining : 0), 0);
    const isAnew = missing > 0 && standing.length >= ORDERS_PER_LEVEL;
    if (!isAnew) for (const order of standing) kept.add(order);
    const asked = isAnew ? shares : missing;
    const sold = Math.max(0, Math.min(held, asked));
    held -= sold;
    room += isAnew ? shares : missing + stands;
    if (sold > 0) wanted.push({ side, sells: true, tick, shares: sold as Shares });
    if (asked > sold) wanted.push({ side, sells: false, tick, shares: (asked - sold) as Shares });
  }
  for (const { remaining } of own) room -= remaining;
  settle(source, wanted, kept, room, plan);
}

/** Live orders that stand for a level, or a little behind it. */
function keptAt(
  tick: Ticks,
  shares: number,
  own: readonly ScreenedOrder[],
  kept: ReadonlySet<ScreenedOrder>,
  tolerance: number,
  side: BookSide,
): readonly ScreenedOrder[] {
  const found: ScreenedOrder[] = [];
  let left = shares;
  for (const order of own) {
    const shy = side === BID ? tick - order.tick : order.tick - tick;
    const stands = order.state === 'live' || order.state === 'creating';
    if (!stands || kept.has(order) || shy < 0 || shy > tolerance || order.remaining > left) continue;
    found.push(order);
    left -= order.remaining;
  }
  return found;
}

/** What is to be put back: what was filled comes back once it is worth it. */
function missingOf(
  shares: number,
  stands: number,
  standing: readonly ScreenedOrder[],
  { toleranceShares, refillShare }: KeepingPolicy,
): number {
  const missing = shares - stands;
  if (standing.length === 0) return missing;
  const filled = standing.reduce((sum, order) => sum + order.filled, 0);
  const isNear = missing <= Math.min(toleranceShares, shares - 1);
  return isNear || (missing <= filled && missing < refillShare * shares) ? 0 : missing;
}

/** Moves what stands for nothing to what nothing stands for; the rest is cancelled and created. */
function settle(
  { own, bound, policy, now, side }: SideSource,
  wanted: readonly WantedOrder[],
  kept: ReadonlySet<ScreenedOrder>,
  roomLeft: number,
  plan: Drafted,
): void {
  const open = new Set(wanted);
  const away = side === BID ? -1 : 1;
  let room = roomLeft;
  for (const order of own) {
    if (order.state !== 'live' || kept.has(order)) continue;
    const to = nearest(order, open);
    if (to === null) {
      plan.cancels.push(order);
      continue;
    }
    const bold = (to.tick - order.tick) * away;
    const more = to.shares - order.remaining;
    const until = order.bornAt + policy.minRestMs * 1_000;
    const rests = bold <= 0 && more >= 0 && until > now;
    if (!rests && order.filled > 0) {
      plan.cancels.push(order);
      continue;
    }
    open.delete(to);
    if (rests) plan.restsUntil = Math.min(plan.restsUntil, until);
    else if ((to.tick - bound) * away > 0 && more <= Math.max(0, room)) {
      room -= Math.max(0, more);
      plan.moves.push({ order, to });
    }
  }
  for (const order of open) {
    if (order.shares > room || (order.tick - bound) * away <= 0) continue;
    room -= order.shares;
    plan.creates.push(order);
  }
}

/** The nearest free part of the ladder that changes the same holding. */
function nearest({ tick, sells }: ScreenedOrder, open: ReadonlySet<WantedOrder>): WantedOrder | null {
  let found: WantedOrder | null = null;
  for (const one of open)
    if (one.sells === sells && (found === null || Math.abs(one.tick - tick) < Math.abs(found.tick - tick)))
      found = one;
  return found;
}
