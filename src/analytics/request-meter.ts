import type { RequestFigures } from './analysis.js';

const SECOND = 1_000_000;
const SECONDS_IN_MINUTE = 60;

/** Requests by kind, and the busiest minute, in steps of a second. */
export class RequestMeter {
  readonly #kinds = new Map<string, number>();
  readonly #seconds = new Uint32Array(SECONDS_IN_MINUTE);
  #second: number;
  #inMinute = 0;
  #peak = 0;
  #total = 0;

  constructor(private readonly startedAt: number) {
    this.#second = Math.floor(startedAt / SECOND);
  }

  count(kind: string, at: number): void {
    this.#pass(Math.floor(at / SECOND));
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.#seconds[this.#second % SECONDS_IN_MINUTE]! += 1;
    this.#total += 1;
    this.#inMinute += 1;
    this.#peak = Math.max(this.#peak, this.#inMinute);
  }

  /** @param fills of the run */
  figures(at: number, fills: number): RequestFigures {
    const minutes = (at - this.startedAt) / SECOND / SECONDS_IN_MINUTE;
    return {
      total: this.#total,
      byKind: Object.fromEntries([...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1))),
      peakPerMinute: this.#peak,
      meanPerMinute: minutes > 0 ? this.#total / minutes : 0,
      perFill: fills === 0 ? null : this.#total / fills,
    };
  }

  #pass(second: number): void {
    const steps = Math.min(second - this.#second, SECONDS_IN_MINUTE);
    for (let step = 1; step <= steps; step++) {
      const slot = (second - steps + step) % SECONDS_IN_MINUTE;
      this.#inMinute -= this.#seconds[slot]!;
      this.#seconds[slot] = 0;
    }
    this.#second = Math.max(this.#second, second);
  }
}
