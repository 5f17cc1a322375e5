import type { SubscriptionChange } from '../../domain/inputs.js';
import { micros } from '../../domain/units.js';
import type { Clock } from '../../ports/clock.js';
import type { Pace } from './pace.js';
import type { Pusher } from './pusher-library.js';

export interface SubscriptionsOptions {
  readonly pusher: Pusher;
  readonly channels: readonly string[];
  readonly clock: Clock;
  readonly pace: Pace;
  readonly onChange: (change: SubscriptionChange) => void;
}

/**
 * Keeps channels joined. The library joins them again by itself after a reconnect, but never again after a refusal: a
 * refused one is removed and asked for anew, at growing intervals, because a refusal may be a venue that just restarted.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #refusals = new Map<string, number>();
  readonly #cancelRetry = new Map<string, () => void>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  join(): void {
    this.#options.channels.forEach((channel) => this.#join(channel));
  }

  /** Asks for nothing any more. */
  stop(): void {
    this.#cancelRetry.forEach((cancel) => cancel());
    this.#cancelRetry.clear();
  }

  #join(name: string): void {
    const channel = this.#options.pusher.subscribe(name);
    channel.bind('pusher:subscription_succeeded', () => this.#joined(name));
    channel.bind('pusher:subscription_error', (error: unknown) => this.#refused(name, error));
  }

  #joined(channel: string): void {
    this.#refusals.delete(channel);
    this.#options.onChange({ kind: 'subscription', channel, state: 'subscribed', reason: '' });
  }

  #refused(channel: string, error: unknown): void {
    const { clock, pace, onChange } = this.#options;
    const refusals = this.#refusals.get(channel) ?? 0;
    const delayMs = Math.min(pace.firstRejoinMs * 2 ** refusals, pace.longestRejoinMs);
    this.#refusals.set(channel, refusals + 1);
    this.#cancelRetry.get(channel)?.();
    this.#cancelRetry.set(
      channel,
      clock.at(micros(clock.now() + delayMs * 1_000), () => this.#retry(channel)),
    );
    onChange({ kind: 'subscription', channel, state: 'refused', reason: reasonOf(error) });
  }

  /** Without the removal the library believes that it has asked already, and sends nothing. */
  #retry(channel: string): void {
    this.#cancelRetry.delete(channel);
    this.#options.pusher.channels.remove(channel)?.unbind();
    this.#join(channel);
  }
}

/** `403 The channel belongs to another user.` */
function reasonOf(error: unknown): string {
  const { status, error: said } = error as { status?: unknown; error?: unknown };
  const parts = [status, said].filter((part) => typeof part === 'string' || typeof part === 'number');
  return parts.length === 0 ? 'no reason given' : parts.join(' ');
}
