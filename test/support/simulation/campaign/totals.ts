import type { SeedReport } from '../scenario/run-seed.js';

const MS_PER_HOUR = 3_600_000;

/** What all seeds of a campaign add up to. */
export class Totals {
  seeds = 0;
  violations = 0;
  readonly #failed: number[] = [];
  readonly #faults = new Map<string, number>();
  #virtualMs = 0;
  #kills = 0;
  #requests = 0;

  add({ seed, virtualMs, faults, kills, requests, findings }: SeedReport): void {
    this.seeds += 1;
    this.violations += findings.length;
    if (findings.length > 0) this.#failed.push(seed);
    for (const [kind, count] of Object.entries(faults))
      this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + count);
    this.#virtualMs += virtualMs;
    this.#kills += kills;
    this.#requests += requests;
  }

  json(): string {
    return JSON.stringify({
      seeds: this.seeds,
      virtualHours: this.#hours,
      faults: this.#faultCount,
      kills: this.#kills,
      requests: this.#requests,
      violations: this.violations,
      failedSeeds: this.#failed.toSorted((a, b) => a - b),
      faultsByKind: Object.fromEntries([...this.#faults].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    });
  }

  text(): string {
    const kinds = [...this.#faults]
      .toSorted(([, a], [, b]) => b - a)
      .map(([kind, count]) => `${kind} ${count}`);
    return (
      `${this.seeds} seeds, ${this.#hours} virtual hours, ${this.#faultCount} faults (${kinds.join(', ')}), ` +
      `${this.#kills} kills, ${this.#requests} requests, ${this.violations} violations`
    );
  }

  get #hours(): number {
    return Math.round((this.#virtualMs / MS_PER_HOUR) * 10) / 10;
  }

  get #faultCount(): number {
    return [...this.#faults.values()].reduce((sum, count) => sum + count, 0);
  }
}
