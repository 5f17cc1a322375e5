/** What guards and limits leave of a ladder of a screen, and the orders that it asks for. */
import { touchOf } from '../../core/engine/quoting/book-view.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { Plan } from '../../core/execution/planning/plan.js';
import { reconcile } from '../../core/execution/planning/reconcile.js';
import { route } from '../../core/execution/planning/route.js';
import { fittedLadder } from '../../core/risk/fitted-ladder.js';
import {
  type Closing,
  preCloseChangesAt,
  preCloseRestriction,
  restrict,
  stricter,
} from '../../core/risk/quote-restriction.js';
import type { QuoteIntent, QuoteLevel } from '../../domain/intent.js';
import { dearerFee } from '../../domain/locks.js';
import { type Micros, type Money, nearestPrice, PRICE_ONE, type Shares } from '../../domain/units.js';
import type { Quoted, ScreenedEvent } from './screened-views.js';

/** Lets the guards see the mid, and takes over what they leave of the quotes. */
export function applyGuards(quoted: Quoted, engine: EngineOptions, now: Micros): void {
  if (now < quoted.restrictedUntil) return;
  const { market, event, breaker, markOut } = quoted;
  const { marketId, eventId } = market.terms;
  const { preClose } = engine.quoting;
  const closings = closingsOf(event, engine);
  const { book, isCrossed } = market.seen;
  const mid = isCrossed ? null : book.mid;
  markOut.marked(marketId, mid === null ? null : mid * PRICE_ONE, now);
  const byFills = stricter(breaker.restriction(marketId, eventId, now), markOut.restriction(marketId));
  quoted.restriction = stricter(preCloseRestriction(closings, preClose, now), byFills);
  quoted.restrictedUntil = Math.min(
    preCloseChangesAt(closings, preClose, now) ?? Infinity,
    breaker.changesAt(marketId, eventId, now) ?? Infinity,
    markOut.dueAt(marketId) ?? Infinity,
  );
}

function closingsOf({ description, isLive }: ScreenedEvent, engine: EngineOptions): readonly Closing[] {
  const { whenLive } = engine.quoting.preClose;
  const closings: Closing[] = [];
  if (description.betEnd !== null)
    closings.push({ at: description.betEnd, until: null, reason: 'closing-soon' });
  if (whenLive && isLive) closings.push({ at: 0 as Micros, until: null, reason: 'event-live' });
  for (const { from, to } of engine.informationWindows.get(description.id) ?? [])
    closings.push({ at: from, until: to, reason: 'information-window' });
  return closings;
}

/** What guards and the limits of position and of the event's loss leave of a ladder. */
export function fittedTo(
  { market, owner, event, restriction }: Quoted,
  wanted: QuoteIntent,
  refillShare: number,
): QuoteIntent {
  const { terms, account, orders } = market;
  const { marketId, tickUnits } = terms;
  const { maxPositionShares, maxOrderShares, maxEventLoss } = owner.limits;
  const intent = restrict(wanted, restriction, { tickUnits, net: account.net });
  const within = ({ shares }: QuoteLevel): boolean => shares <= maxOrderShares;
  const capped = { marketId, bids: intent.bids.filter(within), asks: intent.asks.filter(within) };
  return fittedLadder(capped, {
    tickUnits,
    fee: dearerFee(terms) as Money,
    bids: maxPositionShares - account.net,
    asks: maxPositionShares + account.net,
    standing: (side, price) =>
      orders.reduce(
        (sum, order) => (order.bookSide === side && order.longPrice === price ? sum + order.remaining : sum),
        0,
      ),
    refillShare,
    objection: (costs) =>
      -event.exposure.worstInstead(marketId, costs) > maxEventLoss &&
      -event.exposure.worstInsteadWhereTheyCost(marketId, costs) > maxEventLoss
        ? 'event-loss'
        : null,
  }).intent;
}

/** The orders that a ladder asks for, compared with those that stand. @param cash that no order locks */
export function planFor(
  { market, fair }: Quoted,
  intent: QuoteIntent | null,
  cash: Money,
  engine: EngineOptions,
  now: Micros,
): Plan {
  const { terms, orders, locked, seen } = market;
  const { tickUnits } = terms;
  const { toleranceTicks, toleranceShares, refillShare, minRestMs, heldFirst } = engine.quoting;
  const { venue } = engine;
  const [long, short] = [market.held('long'), market.held('short')];
  const price = fair === null ? null : nearestPrice(fair.p);
  const funds = { cash: (cash + locked.cash) as Money, long, short };
  const order = heldFirst || venue.legs === 'net' ? 'held-first' : 'collateral-first';
  const standing = { orders, missingShares: toleranceShares, refillShare };
  const desired =
    intent === null
      ? []
      : route(intent, funds, terms, { order, fair: price, standing, touch: touchOf(seen.levels) }).orders;
  const free = { cash, long: (long - locked.long) as Shares, short: (short - locked.short) as Shares };
  const policy = {
    shyUnits: toleranceTicks * tickUnits,
    boldUnits: 0,
    missingShares: toleranceShares,
    excessShares: 0,
    minRestMs,
    change: venue.orders.change,
  };
  return reconcile(desired, orders, { terms, free, fair: price, now, venueNow: now }, policy);
}
