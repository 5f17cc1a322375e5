/** Delivers alerts to one receiver: in order, again after a failure, and never more than a bounded number at once. */
import type { Clock } from '../../core/ports/clock.js';
import type { Micros } from '../../domain/units.js';
import type { Logger } from '../telemetry/logger.js';
import type { AlertFigures } from '../telemetry/metrics.js';
import type { Alert } from './alert.js';
import type { Send } from './receivers.js';

/** So many wait for a receiver; of more the oldest are left out. */
const MOST_WAITING = 100;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A message that is older is left out: about an hour of attempts. */
const MOST_ATTEMPTS = 60;

export interface DeliveryOptions {
  readonly name: string;
  readonly send: Send;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

export class Delivery {
  readonly #waiting: Alert[] = [];
  #attempts = 0;
  #sent = 0;
  #failed = 0;
  #leftOut = 0;
  #isBusy = false;
  #isClosed = false;
  #cancelPause = (): void => undefined;
  #onIdle = (): void => undefined;

  constructor(private readonly options: DeliveryOptions) {}

  get figures(): AlertFigures {
    return { receiver: this.options.name, sent: this.#sent, failed: this.#failed, leftOut: this.#leftOut };
  }

  /** Returns at once. */
  push(alert: Alert): void {
    if (this.#isClosed) return;
    // The first may be on its way.
    if (this.#waiting.length >= MOST_WAITING) {
      this.#waiting.splice(1, 1);
      this.#leftOut += 1;
    }
    this.#waiting.push(alert);
    if (!this.#isBusy) void this.#next();
  }

  /** Resolves when nothing waits. */
  idle(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onIdle = resolve));
  }

  /** Nothing is sent any more. */
  close(): void {
    this.#isClosed = true;
    this.#leftOut += this.#waiting.length;
    this.#waiting.length = 0;
    this.#cancelPause();
  }

  async #next(): Promise<void> {
    const [alert] = this.#waiting;
    this.#isBusy = alert !== undefined;
    if (alert === undefined) return this.#onIdle();
    const outcome = await this.options.send(alert);
    if (this.#isClosed) return;
    if (outcome.kind === 'sent') return this.#delivered();
    const { name, logger } = this.options;
    this.#failed += 1;
    this.#attempts += 1;
    const isLast = outcome.kind === 'refused' || this.#attempts >= MOST_ATTEMPTS;
    if (isLast || this.#attempts === 1)
      logger.warn(
        `alerts to ${name} fail (${outcome.reason}); ${isLast ? `the alert "${alert.title}" is left out` : 'they are sent again later'}`,
      );
    if (isLast) return this.#leaveOut();
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.#attempts - 1), LONGEST_PAUSE_MS);
    this.#after(Math.max(pause, Math.min(outcome.afterMs, 10 * LONGEST_PAUSE_MS)));
  }

  #delivered(): void {
    if (this.#attempts > 0) this.options.logger.info(`alerts to ${this.options.name} are delivered again`);
    this.#sent += 1;
    this.#done();
  }

  #leaveOut(): void {
    this.#leftOut += 1;
    this.#done();
  }

  #done(): void {
    this.#attempts = 0;
    this.#waiting.shift();
    void this.#next();
  }

  #after(pauseMs: number): void {
    const { clock } = this.options;
    this.#cancelPause = clock.at((clock.now() + pauseMs * 1_000) as Micros, () => void this.#next());
  }
}
