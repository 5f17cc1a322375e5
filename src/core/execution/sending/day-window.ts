import { MICROS_PER_DAY } from '../../../domain/days.js';
import type { Micros } from '../../../domain/units.js';

/** Requests are counted by ten minutes of the clock. */
const SLOT = 600_000_000;
/** Those of a day, the one that has only begun, and one more: what is counted may leave until its deadline. */
const SLOTS = MICROS_PER_DAY / SLOT + 2;

/** For so long a request counts at most: in that time a day's allowance can be sent again and again. */
export const DAY_COUNTED = SLOTS * SLOT;

const slotOf = (at: number): number => Math.floor(at / SLOT);

/**
 * What was sent in the last 24 hours, and a little longer: whenever a day of the venue begins, no more lies within it than
 * is counted here at its end ([decision 38](../../../docs/decisions/0038-any-24-hours-are-a-day.md)). Of fixed size.
 */
export class DayWindow {
  /** By age: those of now are the last. */
  readonly #counts: number[] = Array.from({ length: SLOTS }, () => 0);
  #slot: number;
  /** The first that was counted. */
  readonly #since: number;
  #used = 0;

  /** @param requests as {@link requests} told them at that time */
  constructor(at: Micros, requests: readonly number[] = []) {
    this.#slot = slotOf(at);
    const kept = requests.slice(-SLOTS);
    this.#since = this.#slot - Math.max(0, kept.length - 1);
    for (const [place, count] of kept.entries()) this.#add(kept.length - 1 - place, count);
  }

  /** Requests that count. */
  get used(): number {
    return this.#used;
  }

  /** When the next ten minutes begin, and what is oldest counts no more. */
  get turnsAt(): Micros {
    return ((this.#slot + 1) * SLOT) as Micros;
  }

  /** By ten minutes, oldest first, from the first that was counted; those of now are the last. */
  get requests(): readonly number[] {
    const length = Math.min(SLOTS, this.#slot - this.#since + 1);
    return Array.from({ length }, (_, place) => this.#countAged(length - 1 - place));
  }

  /** How many fewer left than would have at that pace, since it is counted; negative: more. @param pace requests per microsecond */
  savedAt(pace: number): number {
    return pace * SLOT * Math.min(SLOTS, this.#slot - this.#since) - this.#used;
  }

  /**
   * So many more; negative: so many never left. Those are taken out of the ten minutes before, if some left then: later
   * ones may be told too many for a while, but never too few.
   */
  count(requests: number): void {
    if (requests >= 0) this.#add(0, requests);
    else this.#takeBack(0, -requests - this.#takeBack(1, -requests));
  }

  /** {@link turnsAt} has come. */
  turn(): void {
    this.#slot += 1;
    this.#used -= this.#counts.shift()!;
    this.#counts.push(0);
  }

  /** The same for a later time, however much later. */
  passTo(at: Micros): void {
    while (this.#used > 0 && at >= this.turnsAt) this.turn();
    this.#slot = Math.max(this.#slot, slotOf(at));
  }

  /**
   * The pace, in requests per microsecond, that can be kept up from now on for ever.
   * @param spare requests that may leave besides; what counts now comes to it as it grows old
   */
  pace(spare: number, now: Micros): number {
    let free = spare;
    let pace = Infinity;
    for (let age = SLOTS - 1; age >= 0; age -= 1) {
      pace = Math.min(pace, free / (this.#endOf(age) - now));
      free += this.#countAged(age);
    }
    return Math.max(0, pace);
  }

  /** When so many of those that count count no more; when none does, if there are fewer. */
  freeAt(requests: number): Micros {
    let free = 0;
    let age = SLOTS - 1;
    for (; age > 0; age -= 1) {
      free += this.#countAged(age);
      if (free >= requests) break;
    }
    return this.#endOf(age);
  }

  /** When requests so many slots ago count no more. */
  #endOf(age: number): Micros {
    return ((this.#slot - age + SLOTS) * SLOT) as Micros;
  }

  /** In the ten minutes so many before those of now. */
  #countAged(age: number): number {
    return this.#counts[SLOTS - 1 - age]!;
  }

  #add(age: number, requests: number): void {
    this.#counts[SLOTS - 1 - age]! += requests;
    this.#used += requests;
  }

  /** @returns how many of them counted there */
  #takeBack(age: number, requests: number): number {
    const taken = Math.min(requests, this.#countAged(age));
    this.#add(age, -taken);
    return taken;
  }
}
