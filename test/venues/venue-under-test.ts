/**
 * What the acceptance list needs of a venue, besides its adapter: a hand in the market, and a hand on the wire. Whoever
 * writes an adapter implements this for the venue's sandbox, or for a double of it.
 */
import type { Clock } from '../../src/core/ports/clock.js';
import type { EventId, MarketId } from '../../src/domain/ids.js';
import type { Side } from '../../src/domain/vocabulary.js';
import type { Feed, VenueClient, VenueProfile } from '../../src/venues/port.js';

/** What a test may ask of an adapter beside what its profile says. */
export interface VenueAbilities {
  /** `sequence`: the adapter notices a lost message by itself; `reads`: a read shows what the feed missed. */
  readonly gapsSeenBy: 'sequence' | 'reads';
  /** Orders can be sent so that they never take. */
  readonly postOnly: boolean;
  /** Books read on demand show which shares are the account's. */
  readonly ownShares: boolean;
  /** The grid of a market can change while it trades. */
  readonly tickChanges: boolean;
  /** A refusal for too many requests may leave open how long to wait. */
  readonly throttlesWithoutTerm: boolean;
  /** What a settlement can be. */
  readonly settlements: readonly ('long' | 'short' | 'void' | 'reversal')[];
}

/** An order that rests at the venue, as the venue itself has it. Prices of the long side. */
export interface StandingOrder {
  readonly id: string;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly price: number;
  readonly remaining: number;
}

/** Price units and share units; prices of the long side. */
export interface StrangersOrder {
  readonly marketId: MarketId;
  /** The side of the book. */
  readonly side: Side;
  readonly price: number;
  readonly shares: number;
}

/** Which requests a fault is about. */
export type Faulty = 'create' | 'replace' | 'cancel';

export interface VenueUnderTest {
  readonly profile: VenueProfile;
  readonly abilities: VenueAbilities;
  /** One event with two markets that nobody trades in, on a grid of 0.01. */
  readonly eventId: EventId;
  readonly markets: readonly [MarketId, MarketId];
  /** By which the gateway counts. */
  readonly clock: Clock;
  readonly feed: Feed;
  readonly client: VenueClient;
  /** A client of the same account whose key the venue does not know. */
  readonly strangersClient: VenueClient;

  /** Lets time pass until it is true. @throws Error when that takes longer than some seconds */
  until(what: string, isTrue: () => boolean): Promise<void>;
  pass(ms: number): Promise<void>;
  close(): Promise<void>;

  /** What rests for the account. */
  standing(): readonly StandingOrder[];
  /** Somebody else's order, straight into the venue. It trades with what it crosses, and rests with the rest. */
  stranger(order: StrangersOrder): void;

  /** Breaks the realtime connection; it can be made anew at once. */
  cut(): void;
  /** Whether anybody listens at the realtime address. */
  listen(isOn: boolean): void;
  /** The next so many realtime messages never arrive. */
  loseMessages(count: number): Promise<void>;
  /** Realtime messages come late, twice and in another order; false: in time again. */
  jumbleMessages(isOn: boolean): Promise<void>;
  /** The venue acts on the next request of the kind, and its answer never comes. */
  loseAnswer(of: Faulty): Promise<void>;
  /** Answers take so much longer; 0: no more. */
  delayAnswers(ms: number): Promise<void>;
  /** Realtime messages take so much longer; 0: no more. */
  delayMessages(ms: number): Promise<void>;
  /** The next request is answered that there were too many. @param retryAfterMs null: not for how long */
  throttle(retryAfterMs: number | null): Promise<void>;
  /** From now on requests arrive signed outside of the window; false: no more. */
  signLate(isOn: boolean): Promise<void>;

  setTrading(marketId: MarketId, isOn: boolean): void;
  settle(marketId: MarketId, as: 'long' | 'short' | 'void'): void;
  reverse(marketId: MarketId): void;
  setTick(marketId: MarketId, priceUnits: number): void;
  deposit(moneyUnits: number): void;
}

export interface Venue {
  readonly name: string;
  /** A venue of its own for every case. @param clockAheadMs by how much the adapter's clock is wrong */
  open(clockAheadMs?: number): Promise<VenueUnderTest>;
  /** Known without opening one. */
  readonly profile: VenueProfile;
  readonly abilities: VenueAbilities;
}
