import { levelOf, type QuoteIntent, type QuoteLevel } from '../../domain/intent.js';
import { PRICE_ONE, type Shares, type Ticks } from '../../domain/units.js';
import { AT_EASE, type Stance } from './stance.js';

/** What tempering has to know of the market. */
export interface TemperedMarket {
  /** Price units per tick. */
  readonly tickUnits: number;
  /** Net long shares held. */
  readonly net: Shares;
}

/**
 * What a stance leaves of an intent: further from the other side, smaller, or only what reduces the position. It
 * never adds shares and never moves a quote towards the other side.
 */
export function temper(intent: QuoteIntent, stance: Stance, market: TemperedMarket): QuoteIntent {
  if (stance === AT_EASE) return intent;
  const { marketId } = intent;
  if (stance.out !== null) return { marketId, bids: [], asks: [] };
  const bids = sideOf(intent.bids, -1, stance, market);
  const asks = sideOf(intent.asks, 1, stance, market);
  if (!stance.reduceOnly) return { marketId, bids, asks };
  return { marketId, bids: atMost(bids, -market.net), asks: atMost(asks, market.net) };
}

function sideOf(
  levels: readonly QuoteLevel[],
  away: 1 | -1,
  { widenTicks, size }: Stance,
  { tickUnits }: TemperedMarket,
): readonly QuoteLevel[] {
  const lastTick = PRICE_ONE / tickUnits - 1;
  // Subtracted, for -1 * 0 is -0: no small integer, and neither is any price that it was added to.
  const moved = away === 1 ? widenTicks : 0 - widenTicks;
  const step = { label: 'guard', value: (moved * tickUnits) / PRICE_ONE };
  const left: QuoteLevel[] = [];
  for (const level of levels) {
    const price = (level.price + moved) as Ticks;
    const shares = Math.floor(level.shares * size) as Shares;
    if (price < 1 || price > lastTick || shares === 0) continue;
    left.push(levelOf(moved === 0 ? level.reason : [...level.reason, step], price, shares));
  }
  return left;
}

/** The best levels up to so many shares together. */
function atMost(levels: readonly QuoteLevel[], shares: number): readonly QuoteLevel[] {
  let left = shares;
  const kept: QuoteLevel[] = [];
  for (const level of levels) {
    if (left <= 0) break;
    kept.push(level.shares <= left ? level : levelOf(level.reason, level.price, left as Shares));
    left -= level.shares;
  }
  return kept;
}
