/** The most that an event can cost where an order adds to it, by trying every way in which it can end. */
import type { RegisteredHolding, RegisteredOrder } from './register.js';

export interface MarketStake extends RegisteredHolding {
  readonly orders: readonly RegisteredOrder[];
}

type Ending = 'long' | 'short' | 'void';

const ENDINGS: readonly Ending[] = ['long', 'short', 'void'];
const PRICE_ONE = 10_000;
const SHARE_ONE = 100;

/** An order, and which of the markets it is in. */
export interface PlacedOrder {
  readonly order: RegisteredOrder;
  readonly place: number;
}

export interface LossTerms {
  /** At most one market ends long. */
  readonly isExclusive: boolean;
  /** Money units per whole share. */
  readonly fee: number;
}

/**
 * Endings in which the order costs nothing are left out: who stands beyond a limit may go back.
 * @returns money units, not negative
 */
export function worstLoss(
  markets: readonly MarketStake[],
  { order, place }: PlacedOrder,
  { isExclusive, fee }: LossTerms,
): number {
  const whole = { ...order, filled: 0 };
  let worst = 0;
  for (const endings of endingsOf(markets.length)) {
    const isPossible = !isExclusive || endings.filter((ending) => ending === 'long').length <= 1;
    const ending = endings[place] ?? 'void';
    if (isPossible && ending !== 'void' && contribution(whole, ending, fee) < 0)
      worst = Math.min(
        worst,
        endings.reduce((sum, ending, at) => sum + result(markets[at]!, ending, fee), 0),
      );
  }
  return 0 - worst;
}

function* endingsOf(count: number): Iterable<readonly Ending[]> {
  if (count === 0) return yield [];
  for (const rest of endingsOf(count - 1)) for (const ending of ENDINGS) yield [...rest, ending];
}

/** What a market brings if it ends so and each order fills exactly where that costs. */
function result({ long, short, cost, orders }: MarketStake, ending: Ending, fee: number): number {
  if (ending === 'void') return 0;
  const held = (ending === 'long' ? long : short) * PRICE_ONE - cost;
  return orders.reduce((sum, order) => sum + Math.min(0, contribution(order, ending, fee)), held);
}

function contribution(order: RegisteredOrder, ending: Ending, fee: number): number {
  const left = order.requested - order.filled;
  const payout = order.position === ending ? PRICE_ONE : 0;
  const gain = (payout - order.price) * left;
  return (order.side === 'bid' ? gain : -gain) - Math.ceil((Math.max(0, fee) * left) / SHARE_ONE);
}
