import type { VenueEntry } from '../venue-record.js';
import type { Moment, Rule } from './rule.js';

/** Time for what was already being written. */
const WRITING = 200;
const ASKING: ReadonlySet<string> = new Set(['createOrder', 'batchCreate', 'batchUpdate']);

/** From when a person pulled the kill switch until he lets the bot go on, no create or update leaves. */
export class SwitchedOff implements Rule {
  readonly name = 'quoted-though-killed';
  #since = Infinity;

  note(entry: VenueEntry, { at }: Moment): string | null {
    if (entry.kind === 'kill-switch') this.#since = entry.isOn ? at : Infinity;
    if (entry.kind !== 'left' || !ASKING.has(entry.letter.endpoint) || at <= this.#since + WRITING)
      return null;
    return `${entry.letter.endpoint} left ${(at - this.#since) / 1_000} ms after the kill switch was pulled`;
  }
}
