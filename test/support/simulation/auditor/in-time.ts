import type { VenueEntry } from '../venue-record.js';
import type { Charter, Moment, Rule } from './rule.js';

/** The sender looks at its clock a moment before its bytes leave. */
const MOMENT_MS = 1;

/**
 * What is executed for the first time left the bot while its decision was young. The decision is when the bot first
 * handed a request with that key to the network; the way to the venue is not counted, since nobody can call a letter back.
 */
export class InTime implements Rule {
  readonly name = 'executed-late';
  readonly #decided = new Map<string, number>();

  constructor(private readonly charter: Charter) {}

  note(entry: VenueEntry, { created }: Moment): string | null {
    if (entry.kind === 'left' && entry.letter.key !== null)
      this.#hand(entry.letter.key, entry.letter.handedAt);
    if (entry.kind !== 'served' || created.length === 0 || entry.letter.key === null) return null;
    const { key, leftAt } = entry.letter;
    const ageMs = ((leftAt ?? 0) - this.#decided.get(key)!) / 1_000;
    if (ageMs <= this.charter.replayMaxAgeMs / this.charter.slowestClock + MOMENT_MS) return null;
    return `key ${key} was first executed when it had left ${ageMs} ms after its decision`;
  }

  #hand(key: string, at: number): void {
    if (!this.#decided.has(key)) this.#decided.set(key, at);
  }
}
