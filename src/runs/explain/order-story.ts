/** What can be told of one order: why it was asked for at its price, and what became of it. Plain values throughout. */
import type { Step, QuoteLevel } from '../../domain/intent.js';
import type { Fill } from '../../domain/fill.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import {
  type Micros,
  type PriceUnits,
  type Shares,
  complement,
  currencyUnits,
  PRICE_ONE,
  wholeShares,
} from '../../domain/units.js';
import { type Position, type Side, bookSide } from '../../domain/vocabulary.js';
import type { AnyContext } from '../../core/strategy/context.js';
import type { BookLevelView } from '../../core/strategy/contract.js';
import type { LimitOrder, OrderReport } from '../../domain/orders.js';
import type { MarketLook, MarketPlan } from '../../core/engine/observing/observer.js';
import type { Answer } from '../../domain/answers.js';
import type { OrderNews } from '../../core/execution/orders/own-order.js';

/** Everything the strategy looked at when it wanted this quote. */
export interface Setting {
  readonly instance: string;
  readonly strategy: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Foreign levels, best first. */
  readonly bids: readonly BookLevelView[];
  readonly asks: readonly BookLevelView[];
  readonly hidden: { readonly bids: boolean; readonly asks: boolean };
  readonly bookAgeMs: number;
  readonly fair: { readonly p: number; readonly ageMs: number; readonly source?: string } | null;
  /** Those that it declares; null: no value, or too old. */
  readonly signals: AnyContext['signals'];
  readonly inventory: {
    readonly long: number;
    readonly short: number;
    readonly net: number;
    readonly cashFree: number;
  };
  /** Own quotes that stood or were under way in the market. */
  readonly working: number;
}

/** From the strategy's wish to the price that was asked for, all in probabilities of the long side but the last. */
export interface Pricing {
  readonly side: Side;
  /** As the strategy gave them; they add up to `wanted`. */
  readonly steps: readonly Step[];
  readonly wanted: number;
  /** To the tick, away from the market. */
  readonly rounding: number;
  /** Behind the best price of the other side, which it would have taken. */
  readonly moved: number;
  /** What was asked for, of the long side. */
  readonly longPrice: number;
  /** Every rule let it pass, or it would not have been asked for; what they refused of the same plan. */
  readonly refusals: readonly string[];
}

/** One decision to ask for the order, or to change it. */
export interface Asked {
  readonly at: Micros;
  /** Sequence and kind of the input that brought it. */
  readonly seq: number;
  readonly input: string;
  readonly requestId: number;
  readonly item: number;
  readonly marketId: MarketId;
  readonly position: Position;
  readonly orderSide: Side;
  /** Of the named position. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  /** The order in whose place it was put; null for a new one. */
  readonly replaces: OrderId | null;
  readonly setting: Setting | null;
  readonly pricing: Pricing | null;
}

export interface StoryEvent {
  readonly at: Micros;
  readonly seq: number;
  readonly text: string;
}

export interface OrderStory {
  readonly orderId: OrderId | null;
  /** null for an order that none of this run's requests asked for. */
  readonly asked: Asked | null;
  readonly events: readonly StoryEvent[];
}

/** One line of the list of orders. */
export interface OrderLine extends Pick<
  Asked,
  'at' | 'marketId' | 'orderSide' | 'position' | 'price' | 'shares'
> {
  readonly orderId: OrderId | null;
  /** `12.0`: request and item; a name for orders that the venue never named. */
  readonly name: string;
}

const SHOWN_LEVELS = 5;

const copyOf = ({ price, shares }: BookLevelView): BookLevelView => ({ price, shares });

/** What the strategy was shown. Copied down to the levels: contexts belong to their moment. */
export function settingOf({ owner, context }: MarketLook): Setting {
  const { book, inventory, fair, working, signals } = context;
  const { long, short, net, cashFree } = inventory;
  return {
    instance: owner.instance.name,
    strategy: owner.instance.strategy.name,
    parameters: owner.instance.parameters,
    bids: book.bids.slice(0, SHOWN_LEVELS).map(copyOf),
    asks: book.asks.slice(0, SHOWN_LEVELS).map(copyOf),
    hidden: { ...book.hidden },
    bookAgeMs: book.ageMs,
    fair:
      fair === null
        ? null
        : { p: fair.p, ageMs: fair.ageMs, ...(fair.source !== undefined && { source: fair.source }) },
    signals,
    inventory: { long, short, net, cashFree },
    working: working.length,
  };
}

/**
 * How the price of an order came about.
 * @param tickUnits price units per tick of the market
 * @returns null when the plan wanted nothing on that side
 */
export function pricingOf(
  order: Pick<LimitOrder, 'side' | 'position' | 'price'>,
  plan: MarketPlan,
  tickUnits: number,
  refusals: readonly string[],
): Pricing | null {
  const side = bookSide(order.side, order.position);
  const longPrice = order.position === 'long' ? order.price : complement(order.price);
  const level = levelOf(plan, side, longPrice, tickUnits);
  if (level === null) return null;
  const wanted = level.reason.reduce((sum, { value }) => sum + value, 0);
  const rounded = (level.price * tickUnits) / PRICE_ONE;
  return {
    side,
    steps: level.reason,
    wanted,
    rounding: rounded - wanted,
    moved: longPrice / PRICE_ONE - rounded,
    longPrice: longPrice / PRICE_ONE,
    refusals,
  };
}

/** The level at the order's price, else the nearest bolder one: what would have taken was moved behind the touch. */
function levelOf(
  { intent }: MarketPlan,
  side: Side,
  longPrice: number,
  tickUnits: number,
): QuoteLevel | null {
  const levels = (side === 'bid' ? intent?.bids : intent?.asks) ?? [];
  const boldness = ({ price }: QuoteLevel): number =>
    side === 'bid' ? price * tickUnits - longPrice : longPrice - price * tickUnits;
  const candidates = levels.filter((level) => boldness(level) >= 0);
  return candidates.toSorted((a, b) => boldness(a) - boldness(b))[0] ?? null;
}

/** What a story says of an order in words. */

/** `12.5 at 0.48`: whole shares and currency. */
export const priceText = ({ price, shares }: Pick<LimitOrder, 'price' | 'shares'>): string =>
  `${wholeShares(shares)} at ${price / PRICE_ONE}`;

/** `bid 12.5 at 0.48 long`. */
export const sizeText = (order: LimitOrder): string => `${order.side} ${priceText(order)} ${order.position}`;

/** The status that the venue gives it, with what was traded where it says so. */
export function reportText({ status, requested, filled }: OrderReport): string {
  const part = filled === null ? '' : `, ${wholeShares(filled)} of ${wholeShares(requested)} filled`;
  return `${status}${part}`;
}

/** A fill that was told of, one that is inferred, and what became of an inferred one. */
export function fillText({ shares, amount, liquidity, isInferred, replaces }: Fill): string {
  const price = (sum: number, of: number): string => (sum / of / PRICE_ONE).toFixed(4);
  if (shares < 0) return `an inferred fill of ${wholeShares(shares)} is taken back: holdings contradict it`;
  if (replaces !== null)
    return `filled ${wholeShares(replaces.shares)} at ${price(amount + replaces.amount, replaces.shares)} on average (${liquidity}), which was inferred before`;
  if (shares === 0) return `what was filled cost ${currencyUnits(amount)} more than was told before`;
  const how = isInferred ? 'inferred from holdings: no message told of it' : liquidity;
  return `filled ${wholeShares(shares)} at ${price(amount, shares)} on average (${how})`;
}

/** What has become of it, but for its fills. */
export const newsText = (item: Exclude<OrderNews, { kind: 'filled' | 'contradicted' }>): string => {
  if (item.kind === 'ended') return `over: ${item.order.ending ?? 'ended'}`;
  if (item.kind === 'refused') return `refused: ${item.code}`;
  return item.kind === 'not-sent' ? `kept back: ${item.reason}` : item.kind;
};

/** Why a request brought no answer that can be used, and what that means. */
export const failureText = (failure: Extract<Answer['outcome'], { ok: false }>['failure']): string =>
  failure.kind === 'refused'
    ? `refused with ${failure.status} ${failure.code}: ${failure.detail}`
    : failure.kind === 'not-sent'
      ? `never left: ${failure.reason}`
      : `no usable answer (${failure.reason}); it may have happened`;
