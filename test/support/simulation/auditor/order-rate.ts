import type { Letter, VenueEntry } from '../venue-record.js';
import type { Charter, Moment, Rule } from './rule.js';

const MINUTE_MS = 60_000;
const ASKING: ReadonlySet<string> = new Set(['createOrder', 'batchCreate', 'batchUpdate']);
/** By how much the bot's clock may hurry, as a share of the time that passes, and what rounding may add. */
const HASTE = 1.0002;
const GRACE_MS = 250;

interface Sent {
  /** As late as the bot's clock can have it, but for a constant. */
  readonly at: number;
  readonly orders: number;
}

/**
 * In no minute leave more creates and updates than the limit, whichever run sends them. The bot counts them when it
 * decides, by its clock: so what may have left a lifetime later than decided is left out at the far end of the minute,
 * and so is, from the next run on, as much of it as the clock was set forward. The same request under the same key counts once.
 */
export class OrderRate implements Rule {
  readonly name = 'too-many-orders';
  readonly #limit: number;
  readonly #span: number;
  readonly #keys = new Set<string>();
  #sent: readonly Sent[] = [];
  #ahead = 0;
  /** By how much the clock was set forward since the run started. */
  #setBy = 0;

  constructor({ ordersPerMinute, quoteLifetimeMs, replayMaxAgeMs }: Charter) {
    this.#limit = ordersPerMinute;
    this.#span = (MINUTE_MS - quoteLifetimeMs - replayMaxAgeMs - GRACE_MS) * 1_000;
  }

  note(entry: VenueEntry, { at }: Moment): string | null {
    if (entry.kind === 'clock-set') this.#setBy += Math.max(0, entry.byMs) * 1_000;
    if (entry.kind === 'run-started') this.#begin();
    if (entry.kind !== 'left' || !this.#isNew(entry.letter)) return null;
    const now = at * HASTE + this.#ahead;
    this.#sent = [...this.#sent, { at: now, orders: ordersIn(entry.letter) }].filter(
      (one) => one.at > now - this.#span,
    );
    const sum = this.#sent.reduce((count, { orders }) => count + orders, 0);
    if (sum <= this.#limit) return null;
    return `${sum} creates and updates left within ${this.#span / 1e6} s, limit ${this.#limit} a minute`;
  }

  #begin(): void {
    this.#ahead += this.#setBy;
    this.#setBy = 0;
  }

  #isNew({ endpoint, key }: Letter): boolean {
    if (!ASKING.has(endpoint) || key === null || this.#keys.has(key)) return false;
    this.#keys.add(key);
    return true;
  }
}

function ordersIn({ body }: Letter): number {
  const { orders } = JSON.parse(body) as { readonly orders?: readonly unknown[] };
  return orders?.length ?? 1;
}
