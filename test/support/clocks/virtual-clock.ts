import TinyQueue from 'tinyqueue';
import { invariant } from '../../../src/domain/errors.js';
import type { Micros } from '../../../src/domain/units.js';
import type { Clock } from '../../../src/core/ports/clock.js';

interface Appointment {
  readonly time: Micros;
  /** Callbacks of the same time run in the order in which they were asked for. */
  readonly seq: number;
  callback: (() => void) | null;
}

const earlierFirst = (a: Appointment, b: Appointment): number => a.time - b.time || a.seq - b.seq;

/**
 * Time that moves only when told to. Everything runs synchronously inside {@link advanceTo} and
 * {@link runUntilIdle}, in order of time and then of registration, so two runs of the same program agree.
 */
export class VirtualClock implements Clock {
  readonly #start: Micros;
  readonly #appointments = new TinyQueue<Appointment>([], earlierFirst);
  #now: Micros;
  #seq = 0;
  #running = false;

  constructor(start: Micros) {
    this.#start = start;
    this.#now = start;
  }

  now(): Micros {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#start;
  }

  /** A time that has passed already is due at once, that is at the next move of the clock. */
  at(time: Micros, callback: () => void): () => void {
    const appointment: Appointment = { time, seq: this.#seq++, callback };
    this.#appointments.push(appointment);
    return () => {
      appointment.callback = null;
    };
  }

  /** Time of the earliest callback that is still wanted, null when there is none. */
  get nextAt(): Micros | null {
    let next = this.#appointments.peek();
    while (next !== undefined && next.callback === null) {
      this.#appointments.pop();
      next = this.#appointments.peek();
    }
    return next === undefined ? null : next.time;
  }

  /**
   * Runs everything due up to and including this time, also what is asked for meanwhile; then it is this time.
   * A time in the past moves nothing.
   * @throws InvariantError when called from within a callback
   */
  advanceTo(time: Micros): void {
    this.#runDue(time);
    if (time > this.#now) this.#now = time;
  }

  /**
   * Runs until no callback is left that is due at or before `until`; it is then the time of the last one.
   * @throws InvariantError when called from within a callback
   */
  runUntilIdle(until: Micros): void {
    this.#runDue(until);
  }

  #runDue(until: Micros): void {
    invariant(!this.#running, 'the virtual clock was moved from within one of its own callbacks');
    this.#running = true;
    try {
      while ((this.nextAt ?? Infinity) <= until) this.#runNext();
    } finally {
      this.#running = false;
    }
  }

  #runNext(): void {
    const next = this.#appointments.pop();
    if (next === undefined) return;
    if (next.time > this.#now) this.#now = next.time;
    next.callback?.();
  }
}

/**
 * Lets so much time pass. What a message sets off within the process happens before the next one.
 * @param beginning waits for a process that begins, which takes no virtual time
 */
export async function passTime(
  clock: VirtualClock,
  ms: number,
  beginning: () => Promise<unknown> | null,
): Promise<void> {
  const until = (clock.now() + ms * 1_000) as Micros;
  await processed();
  for (let next = clock.nextAt; next !== null && next <= until; next = clock.nextAt) {
    clock.advanceTo(next > clock.now() ? next : clock.now());
    await processed();
    await beginning();
  }
  clock.advanceTo(until);
}

/** Everything that was promised and can be done without time passing is done. */
const processed = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
