/**
 * The last word on orders, when they are put into a request and again when its first byte is about to leave. The venue
 * has no post-only orders: what would take from the newest book is held back and planned again. So is what the newest
 * cash does not cover, the dearer of both fees included, and what today's collar or rules would not let through. Whether
 * a price meets another is no question of fees: they are paid on top.
 */
import type { SendEffect } from '../../domain/effects.js';
import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../domain/orders.js';
import { knownPrice, type Micros, type Shares } from '../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { wouldTake } from '../../execution/planning/touch.js';
import { beyondCollar, type RiskLimits } from '../../risk/index.js';
import type { EngineParts, QuotedMarket } from '../parts.js';

/** Why a request was held back, as the reason of its `not-sent`. */
export const OBJECTIONS = [
  'silenced',
  'not-quoting',
  'would-take',
  'beyond-collar',
  'lacks-cash',
  'lacks-shares',
  'old-terms',
] as const;
export type Objection = (typeof OBJECTIONS)[number];

/** As much of an order as decides whether it would trade at once. */
type Asked = Pick<LimitOrder, 'marketId' | 'side' | 'position' | 'price'>;

/** What a request asks to stand, and the order that is to make place for it. */
interface Wanted extends Asked {
  readonly shares: Shares;
  readonly replaced: OwnOrder | null;
}

/**
 * Whether a create or update whose answer was lost, and which is still desired, may be asked for once more: it would
 * stand from now on, so the book and the collar of today decide, not those that it was approved by.
 */
export function mayReplay(
  order: Pick<OwnOrder, keyof Asked>,
  { quoted }: { readonly quoted: ReadonlyMap<MarketId, JudgedMarket> },
): boolean {
  return objectionOf(order, quoted.get(order.marketId)) === null;
}

type JudgedMarket = Pick<QuotedMarket, 'halt' | 'touch' | 'fair' | 'mid'> & {
  readonly owner: { readonly limits: Pick<RiskLimits, 'priceCollar'> };
};

/**
 * Nothing leaves while the venue has asked for silence (429): a request that waited for a socket does not, nor the next
 * page of a listing. Quotes decided before a stop, a halt or a move of the book do not leave any more; cancels and reads may.
 * @returns why the request, or its next page, must not leave, or null
 */
export function objectionTo(effect: SendEffect, parts: EngineParts, at: Micros): Objection | null {
  if (parts.desk.scheduler.isSilenced(at)) return 'silenced';
  const wanted = wantedBy(effect, parts);
  if (wanted === null) return null;
  const { life, killSwitch, quoted } = parts;
  if (life.phase !== 'running' || killSwitch.state !== null) return 'not-quoting';
  for (const order of wanted) {
    const objection =
      order === undefined
        ? 'not-quoting'
        : (objectionOf(order, quoted.get(order.marketId)) ?? objectionOfRules(order, parts));
    if (objection !== null) return objection;
  }
  return parts.cashUnderWay.covers(effect) ? null : 'lacks-cash';
}

/** What the newest look at its market says to an order. */
function objectionOf(order: Asked, market: JudgedMarket | undefined): Objection | null {
  if (market === undefined || market.halt !== null) return 'not-quoting';
  if (wouldTake(order, market.touch)) return 'would-take';
  const { priceCollar } = market.owner.limits;
  const beyond = beyondCollar(order, priceCollar, knownPrice(market.fair?.p), knownPrice(market.mid));
  return beyond === null ? null : 'beyond-collar';
}

/** What the rules of the market and the shares held say to it, as known now. */
function objectionOfRules(order: Wanted, { terms, funds }: EngineParts): Objection | null {
  const { marketId, side, position, price, shares, replaced } = order;
  const { tickUnits, minAmount, maxAmount } = terms.get(marketId)!;
  const amount = price * shares;
  if (price % tickUnits !== 0) return 'old-terms';
  if (replaced === null && (amount < minAmount || amount > maxAmount)) return 'old-terms';
  if (side !== 'ask' || (replaced !== null && shares <= replaced.remaining)) return null;
  return funds.areOversold(marketId, position) ? 'lacks-shares' : null;
}

/** What a request asks to stand; null when it asks for nothing. An update that is not under way is undefined. */
function wantedBy(
  { request, requestId }: SendEffect,
  { desk }: EngineParts,
): readonly (Wanted | undefined)[] | null {
  if (request.kind === 'create-orders') return request.orders.map(created);
  if (request.kind !== 'replace-orders') return null;
  const orders = desk.orders.replacedBy(requestId);
  return request.replacements.map((item, index) => {
    const replaced = orders[index];
    return replaced === undefined ? undefined : updated(item, replaced);
  });
}

// Written out: literals of one shape.
const created = ({ marketId, side, position, price, shares }: LimitOrder): Wanted => ({
  marketId,
  side,
  position,
  price,
  shares,
  replaced: null,
});

const updated = ({ price, shares }: OrderReplacement, replaced: OwnOrder): Wanted => ({
  marketId: replaced.marketId,
  side: replaced.side,
  position: replaced.position,
  price,
  shares,
  replaced,
});
