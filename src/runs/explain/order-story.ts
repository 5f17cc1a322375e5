/** What can be told of one order: why it was asked for at its price, and what became of it. Plain values throughout. */
import type { Step } from '../../domain/intent.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Micros, PriceUnits, Shares } from '../../domain/units.js';
import type { Position, Side } from '../../domain/vocabulary.js';
import type { BookLevelView } from '../../core/strategy/contract.js';

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
  readonly fair: { readonly p: number; readonly ageMs: number } | null;
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
export interface OrderLine {
  readonly orderId: OrderId | null;
  /** `12.0`: request and item; a name for orders that the venue never named. */
  readonly name: string;
  readonly at: Micros;
  readonly marketId: MarketId;
  readonly orderSide: Side;
  readonly position: Position;
  readonly price: PriceUnits;
  readonly shares: Shares;
}
