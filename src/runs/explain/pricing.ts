import type { QuoteLevel } from '../../domain/intent.js';
import type { LimitOrder } from '../../domain/orders.js';
import { complement, PRICE_ONE } from '../../domain/units.js';
import { bookSide, type Side } from '../../domain/vocabulary.js';
import type { MarketLook, MarketPlan } from '../../core/engine/observing/observer.js';
import type { BookLevelView } from '../../core/strategy/contract.js';
import type { Pricing, Setting } from './order-story.js';

const SHOWN_LEVELS = 5;

const copyOf = ({ price, shares }: BookLevelView): BookLevelView => ({ price, shares });

/** What the strategy was shown. Copied down to the levels: contexts belong to their moment. */
export function settingOf({ owner, context }: MarketLook): Setting {
  const { book, inventory, fair, working } = context;
  const { long, short, net, cashFree } = inventory;
  return {
    instance: owner.instance.name,
    strategy: owner.instance.strategy.name,
    parameters: owner.instance.parameters,
    bids: book.bids.slice(0, SHOWN_LEVELS).map(copyOf),
    asks: book.asks.slice(0, SHOWN_LEVELS).map(copyOf),
    hidden: { ...book.hidden },
    bookAgeMs: book.ageMs,
    fair: fair === null ? null : { p: fair.p, ageMs: fair.ageMs },
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
