import { MICROS_PER_DAY } from '../../../domain/days.js';
import type { Micros } from '../../../domain/units.js';

/** Requests are counted in slots of ten minutes. */
const SLOT = 600_000_000;
/** The slots of a day, the slot just begun, and one more for requests that leave until their deadline. */
const SLOTS = MICROS_PER_DAY / SLOT + 2;

/** How long a request counts at most. */
export const DAY_COUNTED = SLOTS * SLOT;

const slotOf = (at: number): number => Math.floor(at / SLOT);

/**
 * Counts the requests of the last 24 hours and a little longer. No day of the venue, whenever it begins, contains more
 * requests than are counted here at its end ([decision 38](../../../docs/decisions/0038-any-24-hours-are-a-day.md)).
 */
export class DayWindow {
  /** Requests by slot, oldest first. */
  readonly #counts: number[] = Array.from({ length: SLOTS }, () => 0);
  #slot: number;
  /** The first that was counted. */
  readonly #since: number;
  #used = 0;

  /** @param requests as {@link requests} returned them at that time */
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

  /** When the next slot begins and the oldest slot counts no more. */
  get turnsAt(): Micros {
    return ((this.#slot + 1) * SLOT) as Micros;
  }

  /** Requests by slot, oldest first, since counting began; the last slot is the present one. */
  get requests(): readonly number[] {
    const length = Math.min(SLOTS, this.#slot - this.#since + 1);
    return Array.from({ length }, (_, place) => this.#countAged(length - 1 - place));
  }

  /** How many fewer requests left than at that pace; negative for more. @param pace requests per microsecond */
  savedAt(pace: number): number {
    return pace * SLOT * Math.min(SLOTS, this.#slot - this.#since) - this.#used;
  }

  /**
   * Counts so many requests; a negative number takes back what never left. It is taken from the slot before if
   * possible: later slots may count too many for a while, but never too few.
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

  /** Turns to the slot of a later time. */
  passTo(at: Micros): void {
    while (this.#used > 0 && at >= this.turnsAt) this.turn();
    this.#slot = Math.max(this.#slot, slotOf(at));
  }

  /**
   * The pace, in requests per microsecond, that can be kept up for ever.
   * @param spare requests that may leave besides; counted requests join them as they grow old
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

  /** When so many of the counted requests count no more; when all do, if there are fewer. */
  freeAt(requests: number): Micros {
    let free = 0;
    let age = SLOTS - 1;
    for (; age > 0; age -= 1) {
      free += this.#countAged(age);
      if (free >= requests) break;
    }
    return this.#endOf(age);
  }

  /** When requests of so many slots ago count no more. */
  #endOf(age: number): Micros {
    return ((this.#slot - age + SLOTS) * SLOT) as Micros;
  }

  /** Requests of so many slots ago. */
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
