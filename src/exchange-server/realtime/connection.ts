import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Micros } from '../../domain/units.js';

/** Bytes a reader may leave unread before it is cut off. */
const UNREAD_BYTES_MOST = 1_048_576;

/** What ended a connection from our side. */
export type Cut = 'slow' | 'fault' | 'silent' | 'protocol' | 'stopping';

/**
 * One websocket of a realtime client. Frames are written to the socket underneath, because they come framed;
 * everything the protocol of websockets itself needs stays with `ws`.
 */
export class Connection {
  /** Names of the subscribed channels. */
  readonly channels = new Set<string>();
  /** When the client last sent anything. */
  lastHeard: Micros;
  /** Whether a ping of ours is unanswered. */
  pinged = false;
  private corked = false;

  constructor(
    readonly socketId: string,
    now: Micros,
    private readonly websocket: WebSocket,
    private readonly socket: Duplex,
    private readonly onCut: (reason: Cut) => void,
  ) {
    this.lastHeard = now;
  }

  /**
   * Queues a framed text. Frames of one turn of the event loop leave in one system call. A reader that has left
   * {@link UNREAD_BYTES_MOST} unread is cut off: realtime data that is late is worth less than the memory.
   */
  send(frame: Buffer): void {
    if (this.websocket.readyState !== this.websocket.OPEN) return;
    if (this.leavesUnread()) {
      this.drop('slow');
      return;
    }
    this.cork();
    this.socket.write(frame);
  }

  /** Notes that the client is alive. */
  heard(now: Micros): void {
    this.lastHeard = now;
    this.pinged = false;
  }

  /** Says goodbye with a close code of the Pusher protocol. */
  close(code: number, reason: string, cut: Cut): void {
    this.uncork();
    this.onCut(cut);
    this.websocket.close(code, reason);
  }

  /** Ends the connection without a word, as a broken network would. */
  drop(cut: Cut): void {
    this.onCut(cut);
    this.websocket.terminate();
  }

  /** Whether too much is waiting even after everything the socket would take has left. */
  private leavesUnread(): boolean {
    if (this.socket.writableLength <= UNREAD_BYTES_MOST) return false;
    this.uncork();
    return this.socket.writableLength > UNREAD_BYTES_MOST;
  }

  private cork(): void {
    if (this.corked) return;
    this.corked = true;
    this.socket.cork();
    setImmediate(() => this.uncork());
  }

  private uncork(): void {
    if (!this.corked) return;
    this.corked = false;
    this.socket.uncork();
  }
}
