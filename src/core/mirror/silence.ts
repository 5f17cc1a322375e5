import type { Micros } from '../../domain/units.js';
import { laterBy } from './time.js';

/** A routine read that waits until something is heard. */
interface LeftOut {
  readonly readAt: Micros;
  readonly everyMs: number;
  readonly plan: (due: Micros) => void;
}

/**
 * When routine reads come next. While the venue says nothing they can only repeat what was read last. Where no message is ever
 * lost, as in a backtest, they are left out until something is heard.
 */
export class Silence {
  #heardAt = -Infinity;
  /** By what is read: a part of the account, or the book of a market. */
  readonly #leftOut = new Map<string | number, LeftOut>();

  constructor(private readonly leavesOut = false) {}

  /** Plans the next routine read, so long after the last one. */
  plan(name: string | number, readAt: Micros, everyMs: number, plan: LeftOut['plan']): void {
    this.#leftOut.delete(name);
    if (!this.leavesOut || this.#heardAt >= readAt) plan(laterBy(readAt, everyMs));
    else this.#leftOut.set(name, { readAt, everyMs, plan });
  }

  /** The venue said something: what was left out goes on in its turn. */
  heard(at: Micros): void {
    this.#heardAt = at;
    if (this.#leftOut.size === 0) return;
    for (const one of this.#leftOut.values())
      one.plan(laterBy(one.readAt, one.everyMs * Math.max(1, Math.ceil(turns(one, at)))));
    this.#leftOut.clear();
  }

  /** When a read that was left out would have come last; null: none would have. */
  lastTurn(name: string | number, now: Micros): Micros | null {
    const one = this.#leftOut.size === 0 ? undefined : this.#leftOut.get(name);
    if (one === undefined || turns(one, now) < 1) return null;
    return laterBy(one.readAt, one.everyMs * Math.floor(turns(one, now)));
  }
}

const turns = ({ readAt, everyMs }: LeftOut, now: Micros): number => (now - readAt) / (everyMs * 1_000);
