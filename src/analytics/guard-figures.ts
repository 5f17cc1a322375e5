import type { EventId, MarketId } from '../domain/ids.js';
import type { Micros } from '../domain/units.js';
import { TimedMeter } from './statistics.js';

/** What a guard stopped: quoting altogether, in an event or in a market; `id` is null where it is all. */
export interface GuardStop {
  /** Stable, kebab-case: what one would change to have it otherwise. */
  readonly rule: string;
  readonly scope: 'all' | 'event' | 'market';
  readonly id: EventId | MarketId | null;
  /** What was counted and the limit, for people. */
  readonly text: string;
}

/** The stops of one rule in one place, as plain JSON. */
export interface StopFigures extends GuardStop {
  readonly times: number;
  /** Microseconds. `text` is that of the first. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What guards stopped, by rule and place: it does not grow with how often. */
export class StopLog {
  readonly #stops = new Map<string, StopFigures>();

  /** What latched once and is said again is the same stop. */
  stopped(stop: GuardStop, at: Micros): void {
    const { rule, scope, id, text } = stop;
    const key = `${rule}/${scope}/${id ?? ''}`;
    const known = this.#stops.get(key);
    if (known === undefined)
      this.#stops.set(key, { rule, scope, id, text, times: 1, firstAt: at, lastAt: at });
    else if (known.lastAt !== at) this.#stops.set(key, { ...known, times: known.times + 1, lastAt: at });
  }

  /** In the order of the first of each. */
  figures(): readonly StopFigures[] {
    return [...this.#stops.values()];
  }
}

/** How long quoting was held back for one reason, in the observed time of all markets together. */
export interface HeldFigures {
  /** Stable, kebab-case: why nothing was quoted, or `less-than-wanted` while guards left a part. */
  readonly reason: string;
  readonly seconds: number;
  /** Of the observed time. */
  readonly share: number;
}

/** How long something spoke against quoting a market in full, by reason; the times of two markets add up. */
export class HoldMeter extends TimedMeter {
  readonly #times = new Map<string, number>();
  #observed = 0;
  #reason: string | null = null;

  /** @param reason from now on; null: it may be quoted in full */
  set(at: Micros, reason: string | null): void {
    this.pass(at);
    this.#reason = reason;
  }

  /** The market has its first price: what was before is no part of what is observed. */
  begin(at: Micros): void {
    this.#times.clear();
    this.#observed = 0;
    this.since = at;
  }

  times(at: Micros): { readonly observed: number; readonly held: ReadonlyMap<string, number> } {
    this.pass(at);
    return { observed: this.#observed, held: this.#times };
  }

  protected held(passed: number): void {
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
