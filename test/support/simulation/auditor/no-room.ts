import type { VenueEntry } from '../venue-record.js';
import type { Rule } from './rule.js';

const ASKING: ReadonlySet<string> = new Set(['createOrder', 'batchCreate', 'batchUpdate']);

/** What cannot be written down does not leave: cancels alone do. */
export class NoRoom implements Rule {
  readonly name = 'left-unwritten';
  #isFull = false;

  note(entry: VenueEntry): string | null {
    if (entry.kind === 'disk') this.#isFull = entry.isFull;
    const isAsking = entry.kind === 'left' && ASKING.has(entry.letter.endpoint);
    return this.#isFull && isAsking ? `${entry.letter.endpoint} left while the journal had no room` : null;
  }
}
