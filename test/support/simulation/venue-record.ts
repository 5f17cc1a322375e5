/**
 * What the venue and the post between it and the bot write down: every letter with its postmarks, everything the
 * exchange said and what made it say so, and what was handed over at the bot's door. Nothing of what the bot thinks.
 */
import type { Micros } from '../../../src/domain/units.js';
import type { ExchangeEvent } from '../../../src/exchange/contract.js';
import type { EndpointName } from '../../../src/venues/futuur/protocol/rest/endpoints.js';

/** Whose letters a guard's are: no run has this name. */
export const GUARD = 'guard';

/** One HTTP request on its way. */
export interface Letter {
  readonly id: number;
  readonly run: string;
  readonly endpoint: EndpointName;
  readonly path: string;
  /** `Idempotency-Key`; null when it carries none. */
  key: string | null;
  readonly body: string;
  /** When the bot gave it to the network. */
  readonly handedAt: Micros;
  /** When its bytes left the bot's machine; null while they have not. */
  leftAt: Micros | null;
}

/** Who made the exchange say something. */
export type Cause =
  | { readonly by: 'letter'; readonly letter: Letter }
  /** `hand`: the account's owner, past the bot. `others`: everybody else, and the passing of time. */
  | { readonly by: 'hand' | 'others' };

/** The text of an answer; null when the connection ended without one. */
export interface AnswerText {
  readonly status: number;
  readonly text: string;
}

export type VenueEntry =
  | { readonly kind: 'run-started'; readonly run: string }
  /** What the run said of its end; null: it was killed. */
  | { readonly kind: 'run-ended'; readonly run: string; readonly outcome: string | null }
  /** The process stands still, or goes on. */
  | { readonly kind: 'frozen' | 'thawed'; readonly run: string }
  /** Somebody set the wall clock of the bot's machine. @param byMs forward; negative is back */
  | { readonly kind: 'clock-set'; readonly byMs: number }
  /** A person pulled the kill switch, or let the run go on. */
  | { readonly kind: 'kill-switch'; readonly isOn: boolean }
  /** The fence of a guard was raised, or cleared by a person. */
  | { readonly kind: 'fence'; readonly isUp: boolean }
  /** The guard said that nothing of the bot stands. */
  | { readonly kind: 'guard-proved'; readonly leavesDoubt: boolean }
  /** Whether the bot's journal has room. */
  | { readonly kind: 'disk'; readonly isFull: boolean }
  /** The run told a person of something that only a person can mend. */
  | { readonly kind: 'alarm'; readonly run: string; readonly code: string }
  | { readonly kind: 'handed' | 'left'; readonly letter: Letter }
  | { readonly kind: 'said'; readonly cause: Cause; readonly events: readonly ExchangeEvent[] }
  | {
      readonly kind: 'served';
      readonly letter: Letter;
      readonly fault: string | null;
      readonly answer: AnswerText | null;
    }
  /** The letter's fate reached the bot: an answer, or null for a connection that broke or a time-out. */
  | { readonly kind: 'answered'; readonly letter: Letter; readonly answer: AnswerText | null }
  /** `isFirst`: the run joins it for the first time. */
  | { readonly kind: 'joined'; readonly run: string; readonly channel: string; readonly isFirst: boolean }
  | { readonly kind: 'disconnected'; readonly run: string }
  /** A frame leaves the venue; it may never arrive, and may arrive twice. */
  | { readonly kind: 'posted'; readonly run: string; readonly frame: number; readonly channel: string }
  | {
      readonly kind: 'told';
      readonly run: string;
      readonly frame: number;
      readonly event: string;
      readonly channel: string;
      readonly text: string;
    }
  /** The exchange went down, or came back from what it had written down. */
  | { readonly kind: 'venue-down' | 'venue-up' };

export type VenueListener = (entry: VenueEntry, at: Micros) => void;

/** Passes entries on to whoever reads along. */
export class VenueRecord {
  readonly #listeners: VenueListener[] = [];
  readonly #now: () => Micros;
  #letters = 0;

  /** @param now the true time, which is the venue's */
  constructor(now: () => Micros) {
    this.#now = now;
  }

  listen(listener: VenueListener): void {
    this.#listeners.push(listener);
  }

  now(): Micros {
    return this.#now();
  }

  note(entry: VenueEntry): void {
    const at = this.#now();
    for (const listener of this.#listeners) listener(entry, at);
  }

  /** A letter that the bot has just written. */
  letter(run: string, endpoint: EndpointName, path: string, body: string): Letter {
    this.#letters += 1;
    const handedAt = this.#now();
    return { id: this.#letters, run, endpoint, path, key: null, body, handedAt, leftAt: null };
  }
}
