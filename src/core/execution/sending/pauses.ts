import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';

export interface PausePolicy {
  /** First pause of a market after a failed request; for its quotes doubled each time in a row up to the last. */
  readonly firstPauseMs: number;
  readonly lastPauseMs: number;
}

interface Pause {
  readonly failures: number;
  readonly cancelsUntil: number;
  readonly quotesUntil: number;
}

/** Markets whose requests failed lately. Cancels go on after the first pause, quotes later each time. */
export class Pauses {
  readonly #policy: PausePolicy;
  readonly #pauses = new Map<MarketId, Pause>();
  #everyoneUntil = 0;

  constructor(policy: PausePolicy) {
    this.#policy = policy;
  }

  /** @param leastMs what the venue's answer asks for */
  failed(market: MarketId, leastMs: number, at: Micros): void {
    const { firstPauseMs, lastPauseMs } = this.#policy;
    const before = this.#pauses.get(market);
    const failures = (before?.failures ?? 0) + 1;
    const pauseMs = Math.max(leastMs, Math.min(lastPauseMs, firstPauseMs * 2 ** (failures - 1)));
    this.#pauses.set(market, {
      failures,
      cancelsUntil: at + firstPauseMs * 1_000,
      quotesUntil: Math.max(before?.quotesUntil ?? 0, at + pauseMs * 1_000),
    });
  }

  /** A request of the market went through; what an earlier answer asked for still holds. */
  succeeded(market: MarketId, at: Micros): void {
    const pause = this.#pauses.get(market);
    if (pause !== undefined && pause.quotesUntil <= at) this.#pauses.delete(market);
  }

  /** The reason for which single markets paused is gone. */
  lift(): void {
    this.#pauses.clear();
  }

  /** No quotes anywhere before; cancels are not held up. */
  pauseEveryone(ms: number, at: Micros): void {
    this.#everyoneUntil = Math.max(this.#everyoneUntil, at + ms * 1_000);
  }

  /** When requests of the market may leave again; in the past when they may. */
  until(market: MarketId, use: 'cancel' | 'quote'): number {
    const pause = this.#pauses.size === 0 ? undefined : this.#pauses.get(market);
    if (use === 'cancel') return pause?.cancelsUntil ?? 0;
    return Math.max(this.#everyoneUntil, pause?.quotesUntil ?? 0);
  }
}
