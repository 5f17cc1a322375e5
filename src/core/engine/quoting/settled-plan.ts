import type { QuoteIntent, QuoteLevel } from '../../../domain/intent.js';
import type { Money } from '../../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { isIdle, NO_PLAN, type Plan } from '../../execution/planning/plan.js';
import type { Routed } from '../../execution/planning/route.js';
import { takes } from '../../execution/planning/touch.js';
import type { PlanGround } from './plan-ground.js';

/** What may be spent in a market. */
export interface Purse {
  /** What no order locks. */
  readonly cash: Money;
  /** The most that the market may lock where cash is shared out; null: whatever there is. */
  readonly share: Money | null;
}

/** Something remembered; the ground is null where nothing is wanted, the purse where the plan spends nothing. */
interface Settled {
  readonly ground: PlanGround | null;
  readonly purse: Purse | null;
}

/**
 * Remembers that nothing was to be sent, so that most book updates, which change no quote or one that is too young to
 * be moved, need no plan. Where every level is made of orders that stand, neither cash nor fair value nor time enters
 * into a plan; where some wait for their place, cash does, and time only as the end of a rest. It is the same as long
 * as that, intent, orders, holdings and terms are, and no level would take. Whoever asks forgets it when an order
 * changes or a rest ends.
 */
export class SettledPlan {
  #settled: Settled | null = null;

  /** @param purse what may be spent now; asked only where it matters */
  constructor(private readonly purse: () => Purse) {}

  /** Whether there is anything to hold. */
  get isNoted(): boolean {
    return this.#settled !== null;
  }

  forget(): void {
    this.#settled = null;
  }

  /**
   * A plan was made, from nothing remembered, and taken.
   * @param ground  null: nothing was wanted
   * @param working the orders that it found
   */
  note(ground: PlanGround | null, routed: Routed, plan: Plan, working: readonly OwnOrder[]): void {
    if (ground === null) {
      if (plan === NO_PLAN) this.#settled = { ground, purse: null };
      return;
    }
    const isDone = routed.stands && plan === NO_PLAN;
    // Which quotes get the cash that there is depends on the fair value, too.
    if (!isDone && (!isIdle(plan) || routed.isScarce)) return;
    if (routed.unrouted.length > 0 || !isPassive(ground) || !working.every(areFillsKnown)) return;
    this.#settled = { ground, purse: isDone ? null : this.purse() };
  }

  /** Would the plan be the same: nothing to send? */
  holds(now: PlanGround | null): boolean {
    if (this.#settled === null) return false;
    const { ground: then, purse } = this.#settled;
    if (then === null || now === null) return then === now;
    if (then === now) return purse === null || isSamePurse(purse, this.purse());
    return (
      then.terms === now.terms &&
      then.long === now.long &&
      then.short === now.short &&
      isSameIntent(then.intent, now.intent) &&
      isPassive(now) &&
      (purse === null || isSamePurse(purse, this.purse()))
    );
  }
}

const areFillsKnown = ({ fillsUnknownSince }: OwnOrder): boolean => fillsUnknownSince === null;

const isSamePurse = (before: Purse, now: Purse): boolean =>
  before.cash === now.cash && before.share === now.share;

const isSameIntent = (before: QuoteIntent, now: QuoteIntent): boolean =>
  before === now || (areSame(before.bids, now.bids) && areSame(before.asks, now.asks));

function areSame(before: readonly QuoteLevel[], now: readonly QuoteLevel[]): boolean {
  if (before.length !== now.length) return false;
  for (let level = 0; level < now.length; level += 1) {
    const { price, shares } = before[level]!;
    if (price !== now[level]!.price || shares !== now[level]!.shares) return false;
  }
  return true;
}

/** No level is moved to keep it from taking: of a side the best one would be the first. */
function isPassive({ intent, touch, terms }: PlanGround): boolean {
  const bid = intent.bids[0];
  const ask = intent.asks[0];
  return (
    (bid === undefined || !takes('bid', bid.price * terms.tickUnits, touch)) &&
    (ask === undefined || !takes('ask', ask.price * terms.tickUnits, touch))
  );
}
