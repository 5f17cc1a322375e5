import type { Clock } from '../../../core/ports/clock.js';
import type { Authorizer } from './pusher-link.js';

/**
 * Asks for proofs, but for none of a channel before the time is over that the venue asked for with its 429: every new connection
 * wants one, and each request would meet another 429.
 */
export class PatientAuthorizer {
  readonly #ask: Authorizer;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By channel, in monotonic microseconds. */
  readonly #silentUntil = new Map<string, number>();

  constructor(ask: Authorizer, clock: Pick<Clock, 'monotonic'>) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** Milliseconds for which the channel is not asked for; 0 where nothing forbids it. */
  waitMs(channel: string): number {
    const left = (this.#silentUntil.get(channel) ?? 0) - this.#clock.monotonic();
    return Math.max(0, Math.ceil(left / 1_000));
  }

  /** Refuses by itself while the venue wants silence. */
  readonly authorize: Authorizer = async (channel, socketId) => {
    const waitMs = this.waitMs(channel);
    if (waitMs > 0) return { ok: false, reason: `the venue asks to wait ${Math.ceil(waitMs / 1_000)} s` };
    const verdict = await this.#ask(channel, socketId);
    if (!verdict.ok) this.#heed(channel, verdict.retryAfterMs ?? 0);
    return verdict;
  };

  #heed(channel: string, retryAfterMs: number): void {
    if (retryAfterMs > 0) this.#silentUntil.set(channel, this.#clock.monotonic() + retryAfterMs * 1_000);
  }
}
