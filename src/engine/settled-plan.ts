import type { QuoteIntent, QuoteLevel } from '../domain/intent.js';
import type { Shares } from '../domain/units.js';
import type { MarketTerms } from '../execution/market-terms.js';
import type { OwnOrder } from '../execution/own-order.js';
import { takes, type Touch } from '../execution/touch.js';

/** What a plan is made from, as far as it can change while the same orders stand. */
export interface PlanGround {
  readonly intent: QuoteIntent;
  readonly terms: MarketTerms;
  /** Shares held per position. */
  readonly long: Shares;
  readonly short: Shares;
  readonly touch: Touch;
}

/**
 * Remembers that everything stood as it should, so that most book updates, which change no quote, need no plan. Where
 * every level is made of orders that stand, neither cash nor fair value nor time enters into a plan: it is the same as
 * long as intent, orders, holdings and terms are, and no level would take. Whoever asks forgets it when an order changes.
 */
export class SettledPlan {
  #ground: PlanGround | null = null;

  forget(): void {
    this.#ground = null;
  }

  /** Nothing was to be done. @param working the orders that every level of the intent is made of */
  note(ground: PlanGround, working: readonly OwnOrder[]): void {
    const isKnown = working.every(({ fillsUnknownSince }) => fillsUnknownSince === null);
    this.#ground = isKnown && isPassive(ground) ? ground : null;
  }

  /** Would the plan be the same: nothing to do? */
  holds(now: PlanGround): boolean {
    const then = this.#ground;
    return (
      then !== null &&
      then.terms === now.terms &&
      then.long === now.long &&
      then.short === now.short &&
      isSameIntent(then.intent, now.intent) &&
      isPassive(now)
    );
  }
}

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
