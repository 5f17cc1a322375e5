import type { Micros } from '../domain/units.js';
import type { HeldFigures } from './analysis.js';

/** How long something spoke against quoting a market in full, by reason; the times of two markets add up. */
export class HoldMeter {
  readonly #times = new Map<string, number>();
  #observed = 0;
  #reason: string | null = null;
  #since: number;
  #isOver = false;

  constructor(at: Micros) {
    this.#since = at;
  }

  /** @param reason from now on; null: it may be quoted in full */
  set(at: Micros, reason: string | null): void {
    this.#pass(at);
    this.#reason = reason;
  }

  /** The market has its first price: what was before is no part of what is observed. */
  begin(at: Micros): void {
    this.#times.clear();
    this.#observed = 0;
    this.#since = at;
  }

  /** The market has resolved: there is nothing to quote any more. */
  close(at: Micros): void {
    this.#pass(at);
    this.#isOver = true;
  }

  /** The resolution was taken back. */
  reopen(at: Micros): void {
    this.#since = at;
    this.#isOver = false;
  }

  times(at: Micros): { readonly observed: number; readonly held: ReadonlyMap<string, number> } {
    this.#pass(at);
    return { observed: this.#observed, held: this.#times };
  }

  #pass(at: number): void {
    const passed = at - this.#since;
    this.#since = at;
    if (this.#isOver || passed <= 0) return;
    this.#observed += passed;
    const reason = this.#reason;
    if (reason !== null) this.#times.set(reason, (this.#times.get(reason) ?? 0) + passed);
  }
}

/** Of several markets together: the longest first, equal ones by name. */
export function heldFigures(meters: readonly HoldMeter[], at: Micros): readonly HeldFigures[] {
  const sums = new Map<string, number>();
  let all = 0;
  for (const meter of meters) {
    const { observed, held } = meter.times(at);
    all += observed;
    for (const [reason, time] of held) sums.set(reason, (sums.get(reason) ?? 0) + time);
  }
  return [...sums]
    .map(([reason, time]) => ({ reason, seconds: time / 1e6, share: time / all }))
    .toSorted((a, b) => b.seconds - a.seconds || (a.reason < b.reason ? -1 : 1));
}
