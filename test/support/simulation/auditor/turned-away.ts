import type { VenueEntry } from '../venue-record.js';
import type { Register } from './register.js';
import type { Moment, Rule } from './rule.js';

const HOUR = 3_600_000_000;
/** The bot counts by its own clock, which may hurry, and tells when it looks again. */
const EARLIEST = 0.999;
const LATEST = 1.2;

/** When the venue has turned every request away for an hour while orders stand, the run has raised an alarm. */
export class TurnedAway implements Rule {
  readonly name = 'silent-about-429';
  /** Hours of it that were judged because quotes stood. */
  quotedHours = 0;
  #since: number | null = null;
  #isAlarmed = false;
  /** Whether orders of the bot stood all the hour. */
  #isQuoted = true;

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    if (entry.kind === 'run-started' || entry.kind === 'run-ended') this.#since = null;
    else if (entry.kind === 'alarm' && entry.code === 'alarm-throttled') this.#isAlarmed = true;
    else if (entry.kind === 'answered') return this.#answered(entry, at, register);
    const lasted = this.#since === null ? 0 : at - this.#since;
    if (lasted < HOUR * EARLIEST) this.#look(register);
    return this.#judge(lasted, HOUR * LATEST);
  }

  /** What was sent before may still be answered: only a later request shows that it is over. */
  #answered(
    { letter, answer }: Extract<VenueEntry, { kind: 'answered' }>,
    at: number,
    register: Register,
  ): string | null {
    if (answer?.status === 429) this.#begin(at, register);
    else if (answer !== null && this.#since !== null && letter.handedAt > this.#since) {
      const lasted = at - this.#since;
      this.#since = null;
      return this.#judge(lasted, HOUR * EARLIEST);
    }
    return null;
  }

  #begin(at: number, register: Register): void {
    if (this.#since !== null) return;
    this.#since = at;
    this.#isAlarmed = false;
    this.#isQuoted = true;
    this.#look(register);
  }

  #look(register: Register): void {
    if (![...register.allWorking()].some(({ letter }) => letter !== null)) this.#isQuoted = false;
  }

  #judge(lasted: number, bound: number): string | null {
    if (lasted < bound || !this.#isQuoted) return null;
    // Once for every silence.
    this.#isQuoted = false;
    this.quotedHours += 1;
    if (this.#isAlarmed) return null;
    return `the venue turned every request away for ${Math.round(lasted / 1e6)} s while orders stood, and nobody was told`;
  }
}
