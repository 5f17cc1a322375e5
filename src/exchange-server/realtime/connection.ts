import type { WebSocket } from 'ws';
import type { Micros } from '../../domain/units.js';

/** Bytes a reader may leave unread before it is cut off. */
const UNREAD_BYTES_MOST = 1_048_576;

/** What ended a connection from our side. */
export type Cut = 'slow' | 'fault' | 'silent' | 'protocol' | 'stopping';

/** One websocket of a realtime client. */
export class Connection {
  /** Names of the subscribed channels. */
  readonly channels = new Set<string>();
  /** When the client last sent anything. */
  lastHeard: Micros;
  /** Whether a ping of ours is unanswered. */
  pinged = false;

  constructor(
    readonly socketId: string,
    now: Micros,
    private readonly websocket: WebSocket,
    private readonly onCut: (reason: Cut) => void,
  ) {
    this.lastHeard = now;
  }

  /**
   * Sends a text frame. A reader that has left {@link UNREAD_BYTES_MOST} unread is cut off: realtime data that is late is
   * worth less than the memory.
   */
  send(text: string): void {
    const { websocket } = this;
    if (websocket.readyState !== websocket.OPEN) return;
    if (websocket.bufferedAmount > UNREAD_BYTES_MOST) this.drop('slow');
    else websocket.send(text);
  }

  /** Notes that the client is alive. */
  heard(now: Micros): void {
    this.lastHeard = now;
    this.pinged = false;
  }

  /** Says goodbye with a close code of the Pusher protocol. */
  close(code: number, reason: string, cut: Cut): void {
    this.onCut(cut);
    this.websocket.close(code, reason);
  }

  /** Ends the connection without a word, as a broken network would. */
  drop(cut: Cut): void {
    this.onCut(cut);
    this.websocket.terminate();
  }
}
