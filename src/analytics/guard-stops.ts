import type { EventId, MarketId } from '../domain/ids.js';
import type { Micros } from '../domain/units.js';

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
