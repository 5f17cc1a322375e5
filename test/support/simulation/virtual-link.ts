/** What the bot's own feed hears over in virtual time: pusher-js and its socket, as far as a feed can tell. */
import { isPrivateChannel } from '../../../src/venues/futuur/protocol/realtime/channels.js';
import type { FeedLink, PusherLinkOptions } from '../../../src/venues/futuur/realtime/pusher-link.js';
import { receive } from './received-text.js';
import type { JoinListener } from '../../../src/venues/futuur/realtime/subscriptions.js';
import type { Host } from './host.js';
import type { Network } from './network.js';
import type { VirtualLine } from './virtual-line.js';

export interface VirtualLinkParts {
  readonly line: VirtualLine;
  readonly host: Host;
  readonly network: Network;
}

export class VirtualLink implements FeedLink {
  readonly #parts: VirtualLinkParts;
  readonly #options: Pick<PusherLinkOptions, 'authorize' | 'listener'>;
  readonly #wanted = new Map<string, JoinListener>();
  /** The connection that the process knows to stand; null: none. */
  #known: number | null = null;
  /** How often it broke, and whether another can be made since. */
  #cuts = 0;
  #isCutOff = false;

  constructor(parts: VirtualLinkParts, options: Pick<PusherLinkOptions, 'authorize' | 'listener'>) {
    this.#parts = parts;
    this.#options = options;
    parts.line.hear({
      onText: (text) => receive(text, options.listener),
      onBroken: (reason, againAfterMs) => this.#broken(reason, againAfterMs),
      onRefused: (reason) => this.#ended(() => options.listener.onRefused(reason)),
    });
  }

  /** An attempt that fails is silent, as in the library. */
  connect(): void {
    const { line, network } = this.#parts;
    const attempt = line.connection;
    network.carry(() => {
      if (attempt !== line.connection || line.isUp || this.#isCutOff || !line.isReachable) return;
      line.open();
      this.#reach(attempt, () => this.#established(attempt));
    });
  }

  /** A moment later, as in the bot's own. */
  disconnect(): void {
    this.#known = null;
    queueMicrotask(() => this.#parts.line.end());
  }

  join(channel: string, listener: JoinListener): void {
    this.#wanted.set(channel, listener);
    if (this.#known !== null) this.#ask(channel, listener, this.#known);
  }

  leave(channel: string): void {
    this.#wanted.delete(channel);
    const { line, network } = this.#parts;
    network.carry(() => line.leave(channel));
  }

  forget(): void {
    this.#wanted.clear();
  }

  #established(connection: number): void {
    this.#known = connection;
    for (const [channel, listener] of this.#wanted) this.#ask(channel, listener, connection);
    this.#options.listener.onEstablished();
  }

  #ask(channel: string, listener: JoinListener, connection: number): void {
    if (isPrivateChannel(channel)) void this.#askPrivately(channel, listener, connection);
    else this.#subscribe(channel, listener, connection);
  }

  async #askPrivately(channel: string, listener: JoinListener, connection: number): Promise<void> {
    const verdict = await this.#options.authorize(channel, `${connection}.1`);
    if (connection !== this.#known) return;
    if (verdict.ok) this.#subscribe(channel, listener, connection);
    else listener.onRefused(verdict.reason);
  }

  #subscribe(channel: string, listener: JoinListener, connection: number): void {
    const { line, network } = this.#parts;
    network.carry(() => {
      if (connection !== line.connection) return;
      const isJoined = line.join(channel);
      this.#reach(connection, () => {
        if (isJoined) listener.onJoined();
        else listener.onRefused('403 PermissionDenied');
      });
    });
  }

  #broken(reason: string, againAfterMs: number): void {
    this.#isCutOff = true;
    const cutOff = ++this.#cuts;
    this.#parts.network.after(againAfterMs, () => {
      if (cutOff === this.#cuts) this.#isCutOff = false;
    });
    this.#ended(() => this.#options.listener.onLost(reason));
  }

  /** What became of the connection reaches the process like a frame that nothing happens to. */
  #ended(tell: () => void): void {
    const { line, host } = this.#parts;
    const { isUp } = line;
    line.end();
    const ended = line.connection;
    if (isUp) host.deliver(() => ended === line.connection && tell());
  }

  #reach(connection: number, tell: () => void): void {
    const { line, host } = this.#parts;
    host.deliver(() => connection === line.connection && tell());
  }
}
