import type { AccountId, EventId, MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import type { Command, ExchangeCore, ExchangeEvent } from '../contract.js';

/**
 * A simulated trader. It looks at the venue and answers with commands; whoever runs it executes them in order at
 * the time given and shows it what the venue said. Same seed, same venue, same commands.
 */
export interface Participant {
  /** When it wants to act next; null: never again. A time that has passed means at once. */
  nextDue(): Micros | null;
  /** Its commands now. Called at or after {@link nextDue}, which moves on, maybe not yet beyond now. */
  act(now: Micros, venue: ExchangeCore): readonly Command[];
  /** Everything the venue says, in order. It may move {@link nextDue}. */
  observe(event: ExchangeEvent): void;
}

/** A market as a participant has to know it. */
export interface TradedMarket {
  readonly id: MarketId;
  readonly eventId: EventId;
  /** Price units (0.0001) per tick. */
  readonly tickUnits: number;
}

/** Who trades where. */
export interface Trader {
  readonly account: AccountId;
  readonly currency: Currency;
  readonly markets: readonly TradedMarket[];
}
