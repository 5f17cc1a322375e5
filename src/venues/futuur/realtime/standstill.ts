import { type Micros, micros } from '../../../domain/units.js';
import type { Clock } from '../../../core/ports/clock.js';
import type { Pace } from './pace.js';

export interface StandstillOptions {
  readonly clock: Clock;
  readonly pace: Pick<Pace, 'beatMs' | 'gapMs'>;
  /** The process stood still while it was watched; it is watched no more. */
  readonly onFound: (reason: string) => void;
}

const LEAPT = 'the wall clock leapt ahead: the machine may have stood still';

/**
 * Finds that a process stood still (SIGSTOP, a laptop, garbage): a beat of its own is late, or the wall clock leapt, for a
 * machine that stood still, as a virtual one does, may learn of it in no other way.
 */
export class Standstill {
  readonly #options: StandstillOptions;
  /** When the next beat is due; null while nobody watches. */
  #due: Micros | null = null;
  /** How often the wall clock had leapt at the last beat. */
  #leaps = 0;
  #cancelBeat = (): void => undefined;

  constructor(options: StandstillOptions) {
    this.#options = options;
  }

  /** From now on. */
  watch(): void {
    const { clock, pace } = this.#options;
    this.end();
    const due = micros(clock.now() + pace.beatMs * 1_000);
    this.#due = due;
    this.#leaps = clock.leaps ?? 0;
    this.#cancelBeat = clock.at(due, () => {
      this.look();
      if (this.#due === due) this.watch();
    });
  }

  end(): void {
    this.#due = null;
    this.#cancelBeat();
  }

  /** Reads the clock: a process that stood still and has not had its beat since finds it here. */
  look(): void {
    const { clock, pace } = this.#options;
    if (this.#due === null) return;
    const lateMs = Math.round((clock.now() - this.#due) / 1_000);
    if (lateMs > pace.gapMs) this.#found(`the process stood still for ${lateMs} ms`);
    else if ((clock.leaps ?? 0) !== this.#leaps) this.#found(LEAPT);
  }

  #found(reason: string): void {
    this.end();
    this.#options.onFound(reason);
  }
}
