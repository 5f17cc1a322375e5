import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import { ACTIVITY_TIMEOUT_S, PONG_TIMEOUT_S } from '../../venues/futuur/protocol/limits.js';
import { CLOSE_CODES } from '../../venues/futuur/protocol/pusher-close-codes.js';
import { PING_TEXT } from '../../venues/futuur/protocol/pusher-frames.js';
import type { Connection } from './connection.js';
import { textFrame } from './text-frame.js';

const MICROS_PER_SECOND = 1_000_000;
const PING = textFrame(PING_TEXT);

/**
 * Looks at all connections once a second: one that has been silent for the activity timeout is pinged, one that
 * stays silent is closed. This also ends sockets whose other end is gone without saying so.
 */
export class Heartbeat {
  private cancel: (() => void) | null = null;

  constructor(
    private readonly connections: ReadonlySet<Connection>,
    private readonly clock: Clock,
  ) {}

  start(): void {
    const next = (this.clock.now() + MICROS_PER_SECOND) as Micros;
    this.cancel = this.clock.at(next, () => {
      this.look();
      this.start();
    });
  }

  stop(): void {
    this.cancel?.();
  }

  private look(): void {
    for (const connection of this.connections) this.lookAt(connection);
  }

  private lookAt(connection: Connection): void {
    const silentS = (this.clock.now() - connection.lastHeard) / MICROS_PER_SECOND;
    if (silentS >= ACTIVITY_TIMEOUT_S + PONG_TIMEOUT_S) {
      connection.close(CLOSE_CODES.pongTimeout, 'Pong reply not received in time', 'silent');
    } else if (silentS >= ACTIVITY_TIMEOUT_S && !connection.pinged) {
      connection.pinged = true;
      connection.send(PING);
    }
  }
}
