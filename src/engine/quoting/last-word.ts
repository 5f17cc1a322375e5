/**
 * The last word on orders, when they are put into a request and again when its first byte is about to leave. The venue
 * has no post-only orders: what would take from the newest book is held back and planned again.
 */
import type { SendEffect, VenueRequest } from '../../domain/effects.js';
import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder } from '../../domain/orders.js';
import { knownPrice } from '../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { wouldTake } from '../../execution/planning/touch.js';
import { beyondCollar, type RiskLimits } from '../../risk/index.js';
import type { EngineParts, QuotedMarket } from '../parts.js';

/** Why a request was held back, as the reason of its `not-sent`. */
export const OBJECTIONS = ['not-quoting', 'would-take', 'old-terms'] as const;
export type Objection = (typeof OBJECTIONS)[number];

/** As much of an order as decides whether it would trade at once. */
type Asked = Pick<LimitOrder, 'marketId' | 'side' | 'position' | 'price'>;

/** Whether the order would rest in the newest book instead of taking from it. */
export function wouldRest(order: LimitOrder, { quoted }: Pick<EngineParts, 'quoted'>): boolean {
  const market = quoted.get(order.marketId);
  return market !== undefined && !wouldTake(order, market.touch);
}

/**
 * Whether a create or update whose answer was lost, and which is still desired, may be asked for once more: it would
 * stand from now on, so the book and the collar of today decide, not those that it was approved by.
 */
export function mayReplay(
  order: Pick<OwnOrder, keyof Asked>,
  { quoted }: { readonly quoted: ReadonlyMap<MarketId, ReplayedMarket> },
): boolean {
  const market = quoted.get(order.marketId);
  if (market === undefined || market.halt !== null || wouldTake(order, market.touch)) return false;
  const { priceCollar } = market.owner.limits;
  return beyondCollar(order, priceCollar, knownPrice(market.fair?.p), knownPrice(market.mid)) === null;
}

type ReplayedMarket = Pick<QuotedMarket, 'halt' | 'touch' | 'fair' | 'mid'> & {
  readonly owner: { readonly limits: Pick<RiskLimits, 'priceCollar'> };
};

/**
 * Quotes decided before a stop, a halt or a move of the book do not leave any more. Cancels and reads always may.
 * @returns why the request must not leave, or null
 */
export function objectionTo({ request }: SendEffect, parts: EngineParts): Objection | null {
  const asked = askedFor(request, parts);
  if (asked === null) return null;
  const { life, killSwitch, quoted } = parts;
  if (life.phase !== 'running' || killSwitch.state !== null) return 'not-quoting';
  for (const order of asked) {
    const market = order === undefined ? undefined : quoted.get(order.marketId);
    if (order === undefined || market === undefined || market.halt !== null) return 'not-quoting';
    if (wouldTake(order, market.touch)) return 'would-take';
    if (order.price % parts.terms.get(order.marketId)!.tickUnits !== 0) return 'old-terms';
  }
  return null;
}

/** What a request asks to stand; null when it asks for nothing. An update of an unknown order is undefined. */
function askedFor(request: VenueRequest, { desk }: EngineParts): readonly (Asked | undefined)[] | null {
  if (request.kind === 'create-orders') return request.orders;
  if (request.kind !== 'replace-orders') return null;
  return request.replacements.map(({ orderId, price }) => {
    const old = desk.orders.byId(orderId);
    return old === undefined
      ? undefined
      : { marketId: old.marketId, side: old.side, position: old.position, price };
  });
}
