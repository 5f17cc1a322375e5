import type { Letter, VenueEntry } from '../venue-record.js';
import { askedBy, isOfTerms, type Terms } from './asked.js';
import type { Register, RegisteredOrder } from './register.js';
import type { Moment } from './rule.js';

/** Within this of being asked for a lost order may have come to stand: what the venue accepts, and what clocks differ. */
const WINDOW = 125_000_000;

interface LostOrder {
  readonly letter: Letter;
  readonly terms: Terms;
}

/** Orders that the bot asked for and nobody told it of: their number is not known, only their terms are. */
export class LostRequests {
  readonly #asked = new Map<number, readonly LostOrder[]>();

  note(entry: VenueEntry, { register }: Moment): void {
    if (entry.kind === 'left') this.#left(entry.letter, register);
    else if (entry.kind === 'answered' && entry.answer?.status === 200) this.#asked.delete(entry.letter.id);
  }

  /** Whether the order of somebody else can be told from none of them: it has their terms and came when they might have. */
  mayBe(order: RegisteredOrder): boolean {
    for (const lost of this.#asked.values())
      for (const { letter, terms } of lost)
        if (isOfTerms(order, terms) && Math.abs(order.placedAt - letter.handedAt) <= WINDOW) return true;
    return false;
  }

  #left(letter: Letter, register: Register): void {
    const lost = askedBy(letter, register).flatMap((terms) => (terms === null ? [] : [{ letter, terms }]));
    if (lost.length > 0) this.#asked.set(letter.id, lost);
  }
}
