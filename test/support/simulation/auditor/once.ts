import type { VenueEntry } from '../venue-record.js';
import type { Register, RegisteredOrder } from './register.js';
import { Knowledge } from './knowledge.js';
import { describe, type Moment, type Rule } from './rule.js';

/**
 * No intent is executed twice: no key creates in two requests, and what stands is never asked for in the very same words
 * under another key by a run that was not told that it stands. A request that the venue itself applied by half and forgot is no intent any more: repeating it under
 * its key is what its answer asks for, and the venue's promise to remember is broken.
 */
export class Once implements Rule {
  readonly name = 'executed-twice';
  /** The letter that first created under a key. */
  readonly #creators = new Map<string, number>();
  readonly #forgotten = new Set<string>();
  readonly #knowledge = new Knowledge();

  note(entry: VenueEntry, { created, register }: Moment): string | null {
    this.#knowledge.note(entry);
    if (entry.kind !== 'served' || entry.letter.key === null) return null;
    const { letter, fault } = entry;
    const key = letter.key!;
    if (fault === 'half_applied') this.#forgotten.add(key);
    if (created.length === 0) return null;
    const before = this.#creators.get(key);
    this.#creators.set(key, before ?? letter.id);
    if (before !== undefined && !this.#forgotten.has(key)) return `key ${key} created orders in two requests`;
    return this.#twin(created, register);
  }

  /** Whether the order came from a request that the venue forgot. */
  isForgotten({ letter }: RegisteredOrder): boolean {
    return letter?.key !== null && letter?.key !== undefined && this.#forgotten.has(letter.key);
  }

  #isExcused(order: RegisteredOrder, other: RegisteredOrder): boolean {
    return (
      this.isForgotten(order) ||
      this.isForgotten(other) ||
      this.#knowledge.isOf(order.letter!.leftAt!, other.id)
    );
  }

  #twin(created: readonly RegisteredOrder[], register: Register): string | null {
    for (const order of created)
      for (const other of register.working(order.marketId))
        if (order.isWorking && isTwin(order, other) && !this.#isExcused(order, other))
          return `${describe(order)} asks for the same as order ${other.id}: ${order.letter?.key} and ${other.letter?.key}`;
    return null;
  }
}

const isTwin = (order: RegisteredOrder, other: RegisteredOrder): boolean =>
  other !== order &&
  other.letter !== null &&
  other.letter.key !== order.letter?.key &&
  other.side === order.side &&
  other.position === order.position &&
  other.price === order.price &&
  other.requested === order.requested;
