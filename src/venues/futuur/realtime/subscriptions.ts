import type { SubscriptionInput } from '../../../domain/inputs.js';
import { micros } from '../../../domain/units.js';
import type { Clock } from '../../../core/ports/clock.js';
import type { Pace } from './supervisor.js';
import { subscriptionChange } from '../protocol/realtime/channels.js';

/** What is told of a channel that was asked for. */
export interface JoinListener {
  onJoined(): void;
  onRefused(reason: string): void;
}

/** Where channels are asked for. */
export interface ChannelLink {
  /** Asks for a channel, and by itself again after every reconnect; one that was refused, when told again. Answers later. */
  join(channel: string, listener: JoinListener): void;
  /** Nothing of the channel is heard any more, and it is not asked for after a reconnect. */
  leave(channel: string): void;
}

export interface SubscriptionsOptions {
  readonly link: ChannelLink;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly onChange: (change: SubscriptionInput) => void;
  /** Milliseconds for which the venue wants not to be asked for a channel again; 0 where it has no such wish. */
  readonly waitMs: (channel: string) => number;
}

/**
 * Keeps channels joined: a refused one is asked for anew, at growing intervals and not before the venue wants it, because a
 * refusal may be a venue that just restarted.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #refusals = new Map<string, number>();
  readonly #cancelRetry = new Map<string, () => void>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  join(channels: readonly string[]): void {
    channels.forEach((channel) => this.#join(channel));
  }

  leave(channel: string): void {
    this.#cancelRetry.get(channel)?.();
    this.#cancelRetry.delete(channel);
    this.#refusals.delete(channel);
    this.#options.link.leave(channel);
    this.#options.onChange(subscriptionChange(channel, 'left'));
  }

  /** Asks for nothing any more. */
  stop(): void {
    this.#cancelRetry.forEach((cancel) => cancel());
    this.#cancelRetry.clear();
  }

  #join(channel: string): void {
    this.#options.link.join(channel, {
      onJoined: () => this.#joined(channel),
      onRefused: (reason) => this.#refused(channel, reason),
    });
  }

  #joined(channel: string): void {
    this.#refusals.delete(channel);
    this.#options.onChange(subscriptionChange(channel, 'subscribed'));
  }

  #refused(channel: string, reason: string): void {
    const { clock, pace, onChange, waitMs } = this.#options;
    const refusals = this.#refusals.get(channel) ?? 0;
    const ownMs = Math.min(pace.firstRejoinMs * 2 ** refusals, pace.longestRejoinMs);
    const delayMs = Math.max(ownMs, waitMs(channel));
    this.#refusals.set(channel, refusals + 1);
    this.#cancelRetry.get(channel)?.();
    this.#cancelRetry.set(
      channel,
      clock.at(micros(clock.now() + delayMs * 1_000), () => this.#retry(channel)),
    );
    onChange(subscriptionChange(channel, 'refused', reason));
  }

  #retry(channel: string): void {
    this.#cancelRetry.delete(channel);
    this.#join(channel);
  }
}
