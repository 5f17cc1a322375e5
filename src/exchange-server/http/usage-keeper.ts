import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import type { RateLimit, RequestUsage } from './rate-limit.js';

/** Where the counts of the rate limit outlive the process. Neither call throws: a lost count is not worth a request. */
export interface UsageStore {
  load(): RequestUsage;
  save(usage: RequestUsage): void;
}

const EVERY_MICROS = 1_000_000;

/** Saves what keys have used once a second, so that a kill forgives them a second at most. */
export class UsageKeeper {
  private cancel: () => void = () => undefined;
  private saved = '';

  constructor(
    private readonly rateLimit: RateLimit,
    private readonly store: UsageStore,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.cancel = this.clock.at((this.clock.now() + EVERY_MICROS) as Micros, () => {
      this.save();
      this.start();
    });
  }

  stop(): void {
    this.cancel();
    this.save();
  }

  private save(): void {
    const usage = this.rateLimit.save();
    const text = JSON.stringify(usage);
    if (text !== this.saved) this.store.save(usage);
    this.saved = text;
  }
}
