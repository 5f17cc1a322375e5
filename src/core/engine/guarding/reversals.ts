import type { MarketId } from '../../../domain/ids.js';
import type { Input } from '../../../domain/inputs.js';
import type { EventStatus, MarketStatus, Resolution } from '../../../domain/vocabulary.js';
import type { MarketRecord } from '../../mirror/events/catalogue.js';
import type { Mirror } from '../../mirror/mirror.js';

/** A market that was resolved or cancelled, as the next run has to know it. */
export interface EndedMarket {
  readonly marketId: MarketId;
  /** null: nobody has said how. */
  readonly resolution: Resolution | null;
}

interface Described {
  readonly id: MarketId;
  readonly status: MarketStatus;
  readonly resolution: Resolution | null;
  readonly event: { readonly status: EventStatus };
}

/**
 * Which markets have ended and how, so that it is noticed when the venue takes that back or says something else: while a
 * run looks on, and between two runs. Whoever reversed a market may do so again, so it stays until a person resumes.
 */
export class Reversals {
  readonly #ended: Map<MarketId, Resolution | null>;
  /** Ended in a run before; nothing was said of them since. */
  readonly #unheard: Set<MarketId>;
  readonly #reversed: Set<MarketId>;
  #list: readonly EndedMarket[];

  /** @param before what the run before knew */
  constructor(
    private readonly mirror: Mirror,
    before: { readonly ended: readonly EndedMarket[]; readonly reversed: readonly MarketId[] },
  ) {
    this.#ended = new Map(before.ended.map(({ marketId, resolution }) => [marketId, resolution]));
    this.#unheard = new Set(this.#ended.keys());
    this.#reversed = new Set(before.reversed);
    this.#list = before.ended;
  }

  /** Markets of which a resolution was taken back since a person resumed. */
  get reversed(): readonly MarketId[] {
    return [...this.#reversed];
  }

  /** What the next run has to know; the same list until it changes. */
  get ended(): readonly EndedMarket[] {
    return this.#list;
  }

  /** Whether a person has to look first. What ended before this run may have been reversed until the venue has spoken. */
  has(market: MarketId): boolean {
    // Asked with every look, and mostly both are empty.
    if (this.#reversed.size === 0 && this.#unheard.size === 0) return false;
    return this.#reversed.has(market) || this.#unheard.has(market);
  }

  /**
   * Takes in what may tell that a market ended, or that its end was taken back (`speaksOfStatus`); the mirror has heard it
   * already.
   * @param markets of which it may tell that
   */
  heard(input: Input, markets: readonly Readonly<MarketRecord>[] = this.mirror.markets): void {
    if (this.#unheard.size > 0) for (const market of statusesStatedBy(input)) this.#unheard.delete(market);
    for (const market of markets) {
      const ending = endingOf(market);
      if (ending !== undefined) this.#hasEnded(market.id, ending);
      else if (!this.#unheard.has(market.id)) this.#goesOn(market);
    }
  }

  /** A person resumed. */
  accept(): void {
    for (const market of this.#unheard) this.#ended.delete(market);
    if (this.#unheard.size > 0) this.#changed();
    this.#unheard.clear();
    this.#reversed.clear();
  }

  #hasEnded(market: MarketId, resolution: Resolution | null): void {
    const before = this.#ended.get(market);
    this.#unheard.delete(market);
    if (before === resolution || (before !== undefined && resolution === null)) return;
    if (before !== undefined && before !== null) this.#reversed.add(market);
    this.#ended.set(market, resolution);
    this.#changed();
  }

  #goesOn({ id, status, event }: Described): void {
    if (this.#ended.delete(id)) {
      this.#reversed.add(id);
      this.#changed();
    }
    if (status === 'reversed' || event.status === 'reversed') this.#reversed.add(id);
  }

  #changed(): void {
    this.#list = [...this.#ended].map(([marketId, resolution]) => ({ marketId, resolution }));
  }
}

/** How a market ended; null when nobody has said how, undefined when it has not. */
function endingOf({ status, resolution, event }: Described): Resolution | null | undefined {
  if (status === 'cancelled' || event.status === 'cancelled') return 'void';
  return status === 'resolved' || event.status === 'resolved' ? resolution : undefined;
}

/** Which inputs speak of the statuses of markets, and of which markets. */

const NONE: readonly MarketId[] = [];

/** Whether it may tell that a market was resolved, cancelled, or that this was taken back. */
export function speaksOfStatus(input: Input): boolean {
  const { kind } = input;
  if (kind === 'answer') return input.outcome.ok && input.outcome.body.kind === 'read-event';
  return kind === 'market-status' || kind === 'event-live' || kind === 'event-status';
}

/** Markets whose own status it states. */
function statusesStatedBy(input: Input): readonly MarketId[] {
  if (input.kind === 'market-status')
    return input.marketId === null || input.status === undefined ? NONE : [input.marketId];
  if (input.kind === 'event-status') return input.markets.map(({ marketId }) => marketId);
  if (input.kind !== 'answer' || !input.outcome.ok || input.outcome.body.kind !== 'read-event') return NONE;
  return input.outcome.body.event.markets.map(({ id }) => id);
}
