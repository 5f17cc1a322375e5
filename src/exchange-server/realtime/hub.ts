import type { Connection } from './connection.js';

/** Who listens to which channel. */
export class Hub {
  private readonly channels = new Map<string, Set<Connection>>();

  join(connection: Connection, channel: string): void {
    const listeners = this.channels.get(channel) ?? new Set();
    listeners.add(connection);
    this.channels.set(channel, listeners);
    connection.channels.add(channel);
  }

  leave(connection: Connection, channel: string): void {
    const listeners = this.channels.get(channel);
    connection.channels.delete(channel);
    if (listeners?.delete(connection) && listeners.size === 0) this.channels.delete(channel);
  }

  /** Forgets a connection that has ended. */
  leaveAll(connection: Connection): void {
    for (const channel of connection.channels) this.leave(connection, channel);
  }

  /** Listeners in the order they joined. */
  listeners(channel: string): Iterable<Connection> {
    return this.channels.get(channel) ?? NOBODY;
  }

  /** Whether an event on the channel would reach anyone; if not it need not be written. */
  isHeard(channel: string): boolean {
    return this.channels.has(channel);
  }
}

const NOBODY: readonly Connection[] = [];
