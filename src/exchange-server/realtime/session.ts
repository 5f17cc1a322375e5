import type { KeyObject } from 'node:crypto';
import type { WebSocket } from 'ws';
import {
  type ClientFrame,
  errorText,
  parseClientFrame,
  PONG_TEXT,
  refusedText,
  subscribedText,
} from '../../venues/futuur/protocol/pusher-frames.js';
import { isChannelName, isPrivateChannel } from '../../venues/futuur/protocol/realtime/channels.js';
import { verifyChannelSignature } from '../../venues/futuur/protocol/signing.js';
import type { Micros } from '../../domain/units.js';

/** The application of Pusher's terms: its key is public, its secret signs private subscriptions. */
export interface PusherApplication {
  readonly key: string;
  readonly secret: KeyObject;
}

type Subscription = Extract<ClientFrame, { readonly kind: 'subscribe' }>;
type Handlers = {
  readonly [Kind in ClientFrame['kind']]: (frame: Extract<ClientFrame, { readonly kind: Kind }>) => void;
};

/** Understands what one client says and answers it. */
export class Session {
  constructor(
    private readonly connection: Connection,
    private readonly hub: Hub,
    private readonly application: PusherApplication,
    /** Channels that the connection may join; null: no limit. */
    private readonly channelsMost: number | null,
  ) {}

  /** A text frame from the client. */
  receive(text: string): void {
    const frame = parseClientFrame(text);
    if (frame.ok) this.handle(frame.value);
    else this.say(errorText(null, `Malformed frame: ${frame.reason}.`));
  }

  private handle(frame: ClientFrame): void {
    const handler = this.handlers[frame.kind] as (frame: ClientFrame) => void;
    handler(frame);
  }

  private readonly handlers: Handlers = {
    ping: () => this.say(PONG_TEXT),
    pong: () => undefined,
    subscribe: (frame) => this.subscribe(frame),
    unsubscribe: ({ channel }) => this.hub.leave(this.connection, channel),
    'client-event': () => this.say(errorText(null, 'Client events are not accepted.')),
  };

  private subscribe(frame: Subscription): void {
    const { channel } = frame;
    const refusal = this.refusal(frame);
    if (refusal !== null) this.say(refusal);
    else {
      this.hub.join(this.connection, channel);
      this.say(subscribedText(channel));
    }
  }

  /** The frame that refuses the subscription, or null. */
  private refusal({ channel, auth }: Subscription): string | null {
    const { channels, socketId } = this.connection;
    if (!isChannelName(channel)) return refusedText(channel, 400, 'Invalid channel name.');
    if (channels.has(channel)) return errorText(null, `Existing subscription to channel ${channel}.`);
    if (channels.size >= (this.channelsMost ?? Infinity))
      return refusedText(channel, 400, 'Too many channels.');
    if (!isPrivateChannel(channel)) return null;
    const { key, secret } = this.application;
    const authorised = verifyChannelSignature(key, secret, socketId, channel, auth ?? '');
    return authorised ? null : refusedText(channel, 401, 'The authorisation is not for this connection.');
  }

  private say(text: string): void {
    this.connection.send(text);
  }
}

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
