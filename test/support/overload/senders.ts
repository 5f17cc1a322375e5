/** Who decides which quotes move with the next request. */
import type { LaggingMarket } from './markets.js';
import { mispricing } from './markets.js';

/** Markets whose quotes one request moves to where they should be at the second of its decision. */
export interface Moves {
  readonly requestId: number;
  readonly markets: readonly LaggingMarket[];
  /** Where each goes. */
  readonly to: readonly number[];
}

export interface Sender {
  /** Fair values have moved. */
  moved(second: number, at: number): void;
  /** @returns requests that leave now */
  due(at: number): readonly Moves[];
  /** When it may have something to send; infinite when only news can bring it. */
  nextDue(at: number): number;
  answered(moves: Moves, at: number): void;
}

/** Two quotes a market, twenty orders a batch. */
export const MARKETS_PER_BATCH = 10;

/** The allowance as the scheduler spends it on quotes. */
export interface Allowance {
  allows(use: 'quote', at: number): boolean;
  spend(at: number): void;
  nextAt(use: 'quote', at: number): number;
}

/** Sends one market at a time, in the order in which they moved. */
export class NaiveSender implements Sender {
  readonly #waiting = new Set<LaggingMarket>();
  #second = 0;
  #lastId = 0;

  constructor(
    private readonly markets: readonly LaggingMarket[],
    private readonly allowance: Allowance,
  ) {}

  moved(second: number): void {
    this.#second = second;
    for (const market of this.markets) if (mispricing(market, second) > 0) this.#waiting.add(market);
  }

  due(at: number): readonly Moves[] {
    const sent: Moves[] = [];
    for (const market of this.#waiting) {
      if (!this.allowance.allows('quote', at)) break;
      if (market.isBusy) continue;
      this.#waiting.delete(market);
      if (mispricing(market, this.#second) === 0) continue;
      this.allowance.spend(at);
      sent.push(movesOf((this.#lastId += 1), [market], this.#second));
    }
    return sent;
  }

  nextDue(at: number): number {
    return this.#waiting.size === 0 ? Infinity : this.allowance.nextAt('quote', at);
  }

  answered(): void {
    // What has moved meanwhile waits already.
  }
}

/** With each request it moves the markets of which that takes away most mispricing within the seconds that it sees. */
export class ClairvoyantSender implements Sender {
  #second = 0;
  #lastId = 0;

  /** @param seen seconds of the paths that it knows, the present one included */
  constructor(
    private readonly markets: readonly LaggingMarket[],
    private readonly allowance: Allowance,
    private readonly seen: number,
  ) {}

  moved(second: number): void {
    this.#second = second;
  }

  due(at: number): readonly Moves[] {
    const sent: Moves[] = [];
    while (this.allowance.allows('quote', at)) {
      const best = this.#best();
      if (best.length === 0) break;
      this.allowance.spend(at);
      sent.push(movesOf((this.#lastId += 1), best, this.#second));
    }
    return sent;
  }

  nextDue(at: number): number {
    return this.#best().length === 0 ? Infinity : this.allowance.nextAt('quote', at);
  }

  answered(): void {
    // It looks at everything each time.
  }

  #best(): LaggingMarket[] {
    return this.markets
      .filter((market) => !market.isBusy && this.#gain(market) > 0)
      .toSorted((a, b) => this.#gain(b) - this.#gain(a) || a.index - b.index)
      .slice(0, MARKETS_PER_BATCH);
  }

  #gain({ path, quote, size }: LaggingMarket): number {
    const to = path[this.#second]!;
    let gain = 0;
    for (let second = this.#second; second < Math.min(path.length, this.#second + this.seen); second++)
      gain += Math.abs(quote - path[second]!) - Math.abs(to - path[second]!);
    return gain * size;
  }
}

export function movesOf(requestId: number, markets: readonly LaggingMarket[], second: number): Moves {
  for (const market of markets) market.isBusy = true;
  return { requestId, markets, to: markets.map(({ path }) => path[second]!) };
}
