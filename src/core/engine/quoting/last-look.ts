/**
 * The last look at orders, in the step that decided them, before they are journalled and sent. The venue has no post-only
 * orders: what would take from the newest book is held back and planned again. So is what the collar, the terms of the
 * market or the shares held no longer allow. Cash is not looked at here: the plan counted it, and the venue has the last
 * word on it.
 */
import type { SendEffect } from '../../../domain/effects.js';
import type { EventId, MarketId } from '../../../domain/ids.js';
import { bookSideOf, type LimitOrder, longPriceOf, type OrderPlace } from '../../../domain/orders.js';
import {
  complement,
  knownPrice,
  type Micros,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
} from '../../../domain/units.js';
import { bookSide, type Position, type Side } from '../../../domain/vocabulary.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { takes } from '../../execution/planning/touch.js';
import { beyondCollar, type RiskLimits } from '../../risk/index.js';
import type { Positions } from '../accounting/positions.js';
import type { QuotedMarket } from './quoted-market.js';

/** Why a request was held back: the reason of its `not-sent` answer. */
export const OBJECTIONS = [
  'silenced',
  'not-quoting',
  'would-take',
  'beyond-collar',
  'lacks-shares',
  'old-terms',
] as const;
export type Objection = (typeof OBJECTIONS)[number];

/** As much of an order as decides whether it would trade at once. */
type Asked = Pick<LimitOrder, 'marketId' | 'side' | 'position' | 'price'>;

/** What the last look at a market judges by. */
export type JudgedMarket = Pick<QuotedMarket, 'halt' | 'touch' | 'fair' | 'mid'> & {
  readonly owner: { readonly limits: Pick<RiskLimits, 'priceCollar' | 'coherentQuotes'> };
};

/** What the last look judges by. */
export interface LastLook {
  /** Whether the run quotes at all now. */
  readonly isQuoting: boolean;
  readonly quoted: ReadonlyMap<MarketId, JudgedMarket>;
  readonly terms: ReadonlyMap<MarketId, Pick<MarketTerms, 'tickUnits' | 'minAmount' | 'maxAmount'>>;
  /** The orders that an update is to replace, in its order. */
  readonly replacedBy: (requestId: number) => readonly OwnOrder[];
  /** Whether working asks sell more than is held. */
  readonly areOversold: (market: MarketId, position: Position) => boolean;
}

/** @returns why the request must not leave; null when it may. Cancels and reads always may */
export function objectionTo({ request, requestId }: SendEffect, look: LastLook): Objection | null {
  if (request.kind !== 'create-orders' && request.kind !== 'replace-orders') return null;
  if (!look.isQuoting) return 'not-quoting';
  if (request.kind === 'create-orders') {
    for (const order of request.orders) {
      const objection = objectionToOrder(order, order, null, look);
      if (objection !== null) return objection;
    }
    return null;
  }
  const replaced = look.replacedBy(requestId);
  for (const [at, replacement] of request.replacements.entries()) {
    const old = replaced[at];
    const objection = old === undefined ? 'not-quoting' : objectionToOrder(old, replacement, old, look);
    if (objection !== null) return objection;
  }
  return null;
}

/** @param replaced the order that makes place; null for a new order */
function objectionToOrder(
  { marketId, side, position }: OrderPlace,
  { price, shares }: { readonly price: PriceUnits; readonly shares: Shares },
  replaced: OwnOrder | null,
  look: LastLook,
): Objection | null {
  const longPrice = position === 'long' ? price : complement(price);
  const objection = objectionToPrice(bookSide(side, position), longPrice, look.quoted.get(marketId));
  if (objection !== null) return objection;
  const { tickUnits, minAmount, maxAmount } = look.terms.get(marketId)!;
  const amount = price * shares;
  if (price % tickUnits !== 0) return 'old-terms';
  if (replaced === null && (amount < minAmount || amount > maxAmount)) return 'old-terms';
  if (side !== 'ask' || (replaced !== null && shares <= replaced.remaining)) return null;
  return look.areOversold(marketId, position) ? 'lacks-shares' : null;
}

function objectionToPrice(
  side: Side,
  longPrice: PriceUnits,
  market: JudgedMarket | undefined,
): Objection | null {
  if (market === undefined || market.halt !== null) return 'not-quoting';
  if (takes(side, longPrice, market.touch)) return 'would-take';
  const [fair, mid] = [knownPrice(market.fair?.p), knownPrice(market.mid)];
  const { priceCollar } = market.owner.limits;
  return beyondCollar(longPrice, priceCollar, fair, mid) === null ? null : 'beyond-collar';
}

/** What decides whether an order may be asked for again. */
export interface ReplayConditions {
  readonly quoted: ReadonlyMap<MarketId, JudgedMarket>;
  readonly otherHands: Pick<OtherHands, 'havePlacedSince'>;
  readonly positions: Pick<Positions, 'exposureOf' | 'roomIn'>;
}

/**
 * Whether a create or update whose answer was lost may be asked for once more. It would stand from now on, so the book and
 * the collar of today decide. Where somebody else has placed an order in the event since, it may meet that order or exceed
 * a limit together with it. Where an exit was approved elsewhere in its event since, both together may be a certain loss.
 */
export function mayReplay(
  order: Pick<OwnOrder, keyof Asked | 'eventId' | 'bornAt'>,
  { quoted, otherHands, positions }: ReplayConditions,
): boolean {
  if (otherHands.havePlacedSince(order.eventId, order.bornAt)) return false;
  const market = quoted.get(order.marketId);
  if (market === undefined) return false;
  if (objectionToPrice(bookSideOf(order), longPriceOf(order), market) !== null) return false;
  return !market.owner.limits.coherentQuotes || isCoherent(order, positions);
}

/** Whether a share of it costs less than is left beside the quotes of the other markets. */
function isCoherent(
  order: Pick<OwnOrder, keyof Asked | 'eventId'>,
  positions: ReplayConditions['positions'],
): boolean {
  const isBid = bookSideOf(order) === 'bid';
  const longPrice = longPriceOf(order);
  const event = positions.exposureOf(order.eventId);
  const room = positions.roomIn(event, order.marketId, isBid ? 'long' : 'short');
  return room === null || (isBid ? longPrice : complement(longPrice)) * SHARE_ONE < room;
}

/** When other hands than the bot's have last placed an order in an event, as far as was heard. */
export class OtherHands {
  private readonly placedAt = new Map<EventId, Micros>();

  placed(event: EventId, at: Micros): void {
    this.placedAt.set(event, at);
  }

  /** What was decided by then did not count with an order of theirs. */
  havePlacedSince(event: EventId, then: Micros): boolean {
    return (this.placedAt.get(event) ?? -1) >= then;
  }
}
