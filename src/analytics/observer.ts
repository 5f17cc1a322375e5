import type { VenueRequest } from '../domain/effects.js';
import type { EventId, MarketId, OrderId } from '../domain/ids.js';
import type { Fill } from '../domain/fill.js';
import type { InstanceFigures } from './analysis.js';
import type { GuardStop } from './guard-figures.js';
import type { Micros, Money, PriceUnits, Shares } from '../domain/units.js';
import type { Position, Resolution, Side, Currency } from '../domain/vocabulary.js';

/** An order of ours that stands in the book. */
export interface StandingOrder {
  readonly orderId: OrderId | null;
  readonly side: Side;
  readonly position: Position;
  /** Price of the named position. */
  readonly price: PriceUnits;
  /** Its side of the one long-side book, and its price there. */
  readonly bookSide: Side;
  readonly longPrice: PriceUnits;
  readonly remaining: Shares;
}

/** One order that a request creates, changes or cancels. */
export interface RequestedOrder {
  readonly marketId: MarketId;
  /** Its side of the one long-side book. */
  readonly bookSide: Side;
}

/**
 * Hears what happens in a run, live or tested, in the order in which the run learns of it: times never decrease, but
 * for what a fill carries itself. Nothing is answered, and what is handed over is read before the call returns.
 */
export interface RunObserver {
  /** Other markets are quoted from now on: these are all. */
  described(events: readonly DescribedEvent[]): void;
  /** Best levels of the market's book without our own shares, long-side prices; null and zero for an empty side. */
  book(
    market: MarketId,
    at: Micros,
    bid: PriceUnits | null,
    bidShares: Shares,
    ask: PriceUnits | null,
    askShares: Shares,
  ): void;
  /** Everything of ours that stands in the market now. */
  standing(market: MarketId, at: Micros, orders: readonly StandingOrder[]): void;
  /** One of our orders traded. */
  filled(fill: Fill, at: Micros): void;
  /**
   * Where one of our orders stood when a trade reached it; said before {@link filled} where it is known at all.
   * @param ahead  shares of others that stood before it at its price just before the trade
   * @param others shares of others at its price, before and behind it
   */
  queued(order: OrderId, market: MarketId, ahead: Shares, others: Shares): void;
  /** Others traded with each other. @param price of the long side */
  traded(market: MarketId, at: Micros, price: PriceUnits, shares: Shares): void;
  /** The amount ever traded in an event, everybody's, as the venue says; for venues without single trades. */
  volume(event: EventId, at: Micros, amount: Money): void;
  /** Shares came, or went (negative), without a trade of ours. @param longPrice what a share is worth while no mid is known */
  transferred(market: MarketId, at: Micros, position: Position, came: Shares, longPrice: number): void;
  /** A guard stopped quoting: everywhere, in an event or in a market. What latches is said once, or with the same time. */
  stopped(stop: GuardStop, at: Micros): void;
  /** What speaks against quoting a market in full from now on; null: nothing. Said when it changes. */
  held(market: MarketId, at: Micros, reason: string | null): void;
  /** What an event brings at worst, with every open order filled that costs; negative is a loss. Said when it may have changed. */
  exposed(event: EventId, at: Micros, worst: Money): void;
  resolved(market: MarketId, at: Micros, resolution: Resolution): void;
  /** A resolution was taken back. */
  reversed(market: MarketId, at: Micros): void;
  /**
   * A request is on its way out.
   * @param requestId names it in {@link answered}
   * @param kind      as in `domain/effects.ts`
   * @param calls     at the venue that it takes at least
   * @param orders    that it names; none where it reads, or cancels a whole scope
   */
  requested(
    requestId: number,
    kind: VenueRequest['kind'],
    calls: number,
    at: Micros,
    orders: readonly RequestedOrder[],
  ): void;
  /**
   * A request has its whole answer.
   * @param calls that it took, pages and second attempts included, none where it never left; null: as many as at least
   */
  answered(requestId: number, calls: number | null, at: Micros): void;
  /** A private channel was asked for (specification 4.17): a call that is no request of the engine's. */
  joined(at: Micros): void;
}

/** A market of the run. */
export interface DescribedMarket {
  readonly marketId: MarketId;
  readonly title: string;
  /** Price units per tick. */
  readonly tickUnits: number;
  /** Name of the strategy instance that quotes it. */
  readonly strategy: string;
}

/** What an event is about of which nobody said it: all of them may be about one thing, and evidence is not to be flattered. */
export const UNSAID = 'unsaid';

/** An event of the run with the markets that are quoted. */
export interface DescribedEvent {
  readonly eventId: EventId;
  readonly title: string;
  /** What the event is about, where several events are about the same thing: they are no independent evidence. */
  readonly underlying: string;
  /** Time of the last that its recordings tell of it; null in a live run, which hears of it to its end. */
  readonly recordedUntil: Micros | null;
  /** SHA-256 of the recordings that show it, sorted; null or left out in a live run. */
  readonly recordings?: readonly string[] | null;
  /** SHA-256 of what is noted beside them; null or left out: nothing is. */
  readonly notes?: readonly string[] | null;
  readonly markets: readonly DescribedMarket[];
}

/** When a market counts as quoted. */
export interface UptimeRule {
  /** Widest distance of own bid and ask that still counts. */
  readonly maxSpread: PriceUnits;
  /** Least shares of either best quote. */
  readonly minShares: Shares;
}

/** What is known of a run before it begins. */
export interface RunDescription {
  readonly runId: string;
  /** `live`, `pessimistic`, `expected`, `optimistic`, or a name of the caller's. */
  readonly scenario: string;
  readonly currency: Currency;
  readonly startedAt: Micros;
  /** Calls at the venue before there was an engine: whose keys these are. */
  readonly callsBefore: number;
  readonly events: readonly DescribedEvent[];
  /** As they are when it is asked for: parameters may change while a run goes on. */
  readonly instances: () => readonly InstanceFigures[];
  readonly uptime: UptimeRule;
  /** What shares sold at the end to mark them at executable depth would cost, per whole share. */
  readonly takerFee: Money;
  /** What the run takes for granted, a sentence each, for those who read the report. */
  readonly assumptions: readonly string[];
}

/** A quote counts when both sides stand within five cents of each other with a share or more. */
export const DEFAULT_UPTIME: UptimeRule = { maxSpread: 500 as PriceUnits, minShares: 100 as Shares };
