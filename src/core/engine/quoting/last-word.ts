/**
 * The last word on orders, when they are put into a request and again when its first byte is about to leave. The venue
 * has no post-only orders: what would take from the newest book is held back and planned again. So is what the newest
 * cash does not cover, the dearer of both fees included, and what today's collar or rules would not let through. Whether
 * a price meets another is no question of fees: they are paid on top.
 */
import type { SendEffect } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import {
  bookSideOf,
  type LimitOrder,
  longPriceOf,
  type OrderPlace,
  type OrderReplacement,
} from '../../../domain/orders.js';
import {
  complement,
  knownPrice,
  type Micros,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
} from '../../../domain/units.js';
import { bookSide, type Side } from '../../../domain/vocabulary.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { takes } from '../../execution/planning/touch.js';
import { beyondCollar, type RiskLimits } from '../../risk/index.js';
import type { OtherHands } from '../accounting/other-hands.js';
import type { Positions } from '../accounting/positions.js';
import type { EngineParts, QuotedMarket } from '../parts.js';
import type { Funds } from './funds.js';

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

/** What decides about a replay. */
export interface ReplayGround {
  readonly quoted: ReadonlyMap<MarketId, JudgedMarket>;
  readonly otherHands: Pick<OtherHands, 'havePlacedSince'>;
  readonly positions: Pick<Positions, 'exposureOf' | 'roomIn'>;
}

/**
 * Whether a create or update whose answer was lost, and which is still desired, may be asked for once more: it would
 * stand from now on, so the book and the collar of today decide, not those that it was approved by. Where other hands of
 * the account have placed something since, it may meet that, or lead beyond a limit together with it; where an exit was let
 * pass elsewhere in its event since, it may be a certain loss beside that.
 */
export function mayReplay(
  order: Pick<OwnOrder, keyof Asked | 'eventId' | 'bornAt'>,
  { quoted, otherHands, positions }: ReplayGround,
): boolean {
  if (otherHands.havePlacedSince(order.eventId, order.bornAt)) return false;
  const market = quoted.get(order.marketId);
  const objection = new NewestLook(market).objectionTo(bookSideOf(order), longPriceOf(order));
  if (objection !== null || market === undefined) return false;
  return !market.owner.limits.coherentQuotes || isCoherent(order, positions);
}

/** Whether a share of it costs less than is left beside the quotes of the other markets. */
function isCoherent(
  order: Pick<OwnOrder, keyof Asked | 'eventId'>,
  positions: ReplayGround['positions'],
): boolean {
  const isBid = bookSideOf(order) === 'bid';
  const longPrice = longPriceOf(order);
  const room = positions.roomIn(
    positions.exposureOf(order.eventId),
    order.marketId,
    isBid ? 'long' : 'short',
  );
  return room === null || (isBid ? longPrice : complement(longPrice)) * SHARE_ONE < room;
}

type JudgedMarket = Pick<QuotedMarket, 'halt' | 'touch' | 'fair' | 'mid'> & {
  readonly owner: { readonly limits: Pick<RiskLimits, 'priceCollar' | 'coherentQuotes'> };
};

/**
 * Nothing leaves while the venue has asked for silence (429): a request that waited for a socket does not, nor the next
 * page of a listing. Quotes decided before a stop, a halt or a move of the book do not leave any more; cancels and reads may.
 * @returns why the request, or its next page, must not leave, or null
 */
export function objectionTo(effect: SendEffect, parts: EngineParts, at: Micros): Objection | null {
  if (parts.desk.scheduler.isSilenced(at)) return 'silenced';
  const { request, requestId } = effect;
  if (request.kind !== 'create-orders' && request.kind !== 'replace-orders') return null;
  const { desk, life, killSwitch, cashUnderWay } = parts;
  if (life.phase !== 'running' || killSwitch.state !== null) return 'not-quoting';
  const objection =
    request.kind === 'create-orders'
      ? objectionToCreates(request.orders, parts)
      : objectionToUpdates(request.replacements, desk.orders.replacedBy(requestId), parts);
  if (objection !== null) return objection;
  return cashUnderWay.covers(effect) ? null : 'lacks-cash';
}

function objectionToCreates(orders: readonly LimitOrder[], parts: EngineParts): Objection | null {
  let market: MarketToday | null = null;
  for (const order of orders) {
    market = marketOf(order.marketId, market, parts);
    const objection = market.objectionTo(order, order.price, order.shares, null);
    if (objection !== null) return objection;
  }
  return null;
}

/** @param replaced the orders that are to make place; missing where the update is not under way */
function objectionToUpdates(
  replacements: readonly OrderReplacement[],
  replaced: readonly OwnOrder[],
  parts: EngineParts,
): Objection | null {
  let market: MarketToday | null = null;
  for (let at = 0; at < replacements.length; at += 1) {
    const { price, shares } = replacements[at]!;
    const old = replaced[at];
    if (old === undefined) return 'not-quoting';
    market = marketOf(old.marketId, market, parts);
    const objection = market.objectionTo(old, price, shares, old);
    if (objection !== null) return objection;
  }
  return null;
}

/** The orders of a market follow each other. */
const marketOf = (id: MarketId, last: MarketToday | null, parts: EngineParts): MarketToday =>
  last !== null && last.marketId === id ? last : new MarketToday(id, parts);

/** What is known now of the market that orders are asked for in. */
class MarketToday {
  readonly #look: NewestLook;
  readonly #terms: MarketTerms;
  readonly #funds: Funds;

  constructor(
    readonly marketId: MarketId,
    { quoted, terms, funds }: EngineParts,
  ) {
    this.#look = new NewestLook(quoted.get(marketId));
    this.#terms = terms.get(marketId)!;
    this.#funds = funds;
  }

  /** @param replaced the order that is to make place; null: it is a new one */
  objectionTo(
    place: Pick<OrderPlace, 'side' | 'position'>,
    price: PriceUnits,
    shares: Shares,
    replaced: OwnOrder | null,
  ): Objection | null {
    const { side, position } = place;
    const longPrice = position === 'long' ? price : complement(price);
    const objection = this.#look.objectionTo(bookSide(side, position), longPrice);
    if (objection !== null) return objection;
    const { tickUnits, minAmount, maxAmount } = this.#terms;
    const amount = price * shares;
    if (price % tickUnits !== 0) return 'old-terms';
    if (replaced === null && (amount < minAmount || amount > maxAmount)) return 'old-terms';
    if (side !== 'ask' || (replaced !== null && shares <= replaced.remaining)) return null;
    return this.#funds.areOversold(this.marketId, position) ? 'lacks-shares' : null;
  }
}

/** What the newest look at a market says to orders there. */
class NewestLook {
  readonly #market: JudgedMarket | undefined;
  readonly #fair: PriceUnits | null;
  readonly #mid: PriceUnits | null;

  constructor(market: JudgedMarket | undefined) {
    this.#market = market;
    this.#fair = knownPrice(market?.fair?.p);
    this.#mid = knownPrice(market?.mid);
  }

  objectionTo(side: Side, longPrice: PriceUnits): Objection | null {
    const market = this.#market;
    if (market === undefined || market.halt !== null) return 'not-quoting';
    if (takes(side, longPrice, market.touch)) return 'would-take';
    return this.#isWithinCollar(longPrice, market) ? null : 'beyond-collar';
  }

  #isWithinCollar(longPrice: PriceUnits, { owner }: JudgedMarket): boolean {
    return beyondCollar(longPrice, owner.limits.priceCollar, this.#fair, this.#mid) === null;
  }
}
