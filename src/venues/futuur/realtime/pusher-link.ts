import { performance } from 'node:perf_hooks';
import { explain, isFinal, type CloseReason } from './close-reasons.js';
import { Pusher } from './pusher-library.js';
import type { Pace } from './pace.js';
import { type FrameListener, receive } from './received-text.js';
import type { ChannelLink, JoinListener } from './subscriptions.js';
import type { Link } from './supervisor.js';

/** Where the realtime service is: a cluster of the hosted one, or a host of one's own. */
export interface RealtimeAddress {
  /** Application key. */
  readonly key: string;
  /** Either the cluster or the host is given. */
  readonly cluster: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly tls: boolean;
}

/** What a link reports. None of these is called from within `connect` or `disconnect`. */
export interface LinkListener extends FrameListener {
  onEstablished(): void;
  onLost(reason: string): void;
  onRefused(reason: string): void;
}

/** Answers whether this account may join a channel; the text it gives is sent as the proof. */
export type Authorizer = (channel: string, socketId: string) => Promise<ChannelVerdict>;

type ChannelVerdict =
  | { readonly ok: true; readonly auth: string }
  /** `retryAfterMs`: of a 429, for how long the venue wants not to be asked again. */
  | { readonly ok: false; readonly reason: string; readonly retryAfterMs?: number | null };

export interface PusherLinkOptions {
  readonly address: RealtimeAddress;
  readonly authorize: Authorizer;
  readonly listener: LinkListener;
  readonly pace: Pick<Pace, 'silenceMs' | 'pongMs'>;
}

/** A link that a feed can hear over. */
export interface FeedLink extends Link, ChannelLink {
  /** Once it is given up for good. */
  forget(): void;
}

/** One pusher-js client, reused for every connection, that never reconnects by itself. */
export class PusherLink implements FeedLink {
  private readonly pusher: Pusher;
  readonly #listener: LinkListener;
  #lastClose: CloseReason | null = null;
  #isLeaving = false;
  /** Between two signs of life of which the library is told. */
  readonly #toldEveryMs: number;
  #toldAtMs = -Infinity;

  /** Begins connecting at once, as the library does. */
  constructor({ address, authorize, listener, pace }: PusherLinkOptions) {
    this.#listener = listener;
    this.#toldEveryMs = pace.silenceMs / SIGNS_OF_LIFE;
    this.pusher = new Pusher(address.key, {
      ...placeOptions(address),
      enabledTransports: ['ws'],
      activityTimeout: pace.silenceMs,
      pongTimeout: pace.pongMs,
      channelAuthorization: { customHandler: this.#authorizer(authorize) },
    });
    this.#takeOverReconnecting();
    this.#listen();
  }

  connect(): void {
    this.pusher.connect();
  }

  /** A moment later, so that the library is through with the event that it is telling. */
  disconnect(): void {
    queueMicrotask(() => {
      this.#isLeaving = true;
      this.pusher.disconnect();
      this.#isLeaving = false;
    });
  }

  /** The library joins by itself after a reconnect, but asks for a channel that it has in its list only once. */
  join(channel: string, listener: JoinListener): void {
    this.pusher.channels.remove(channel)?.unbind();
    const joining = this.pusher.subscribe(channel);
    joining.bind('pusher:subscription_succeeded', () => listener.onJoined());
    joining.bind('pusher:subscription_error', (error: unknown) => listener.onRefused(reasonOf(error)));
  }

  /** The library keeps every client it ever made in a list. */
  forget(): void {
    const index = Pusher.instances.indexOf(this.pusher);
    if (index >= 0) Pusher.instances.splice(index, 1);
  }

  #listen(): void {
    const { connection } = this.pusher;
    connection.bind('connected', () => this.#established());
    connection.bind('state_change', (change: StateChange) => this.#stateChanged(change));
    connection.bind('error', (error: unknown) => this.#failed(error));
  }

  /**
   * The library's wish to reconnect is the news of a loss, milliseconds after it. Granted, it would go at fixed times
   * without jitter, and for some close codes by a second timer that nothing stops and that later cuts a good connection.
   */
  #takeOverReconnecting(): void {
    const retryIn = (delayMs: number): void =>
      this.#ended(delayMs === 0 ? 'no answer to a ping' : 'the connection closed');
    Object.assign(this.pusher.connection, { retryIn });
  }

  #established(): void {
    this.#lastClose = null;
    this.#takeOverFrames();
    this.#listener.onEstablished();
  }

  /**
   * What the venue says is taken from the transport. The library would write every frame anew for a log that nobody reads
   * and hand it to channels to which nobody listens. What it says to the service, and hears from it, remains its own.
   */
  #takeOverFrames(): void {
    const manager = this.pusher.connection;
    const { connection } = manager;
    const [library] = connection.transport.callbacks.get('message');
    connection.transport.unbind('message');
    connection.transport.bind('message', (message: SocketMessage) => {
      // Nothing is heard over a connection that was given up, while it closes.
      if (manager.connection === connection) this.#received(message, library!.fn as SocketListener);
    });
  }

  /** Thrown from within a socket's callback, what the library throws on frames that are none would end the process. */
  #received(message: SocketMessage, library: SocketListener): void {
    try {
      const sender = receive(message.data, this.#listener);
      if (sender === 'venue') this.#tellOfLife();
      else if (sender === 'library') library(message);
    } catch (error) {
      this.#listener.onUnreadableFrame(`the frame could not be read: ${String(error)}`);
    }
    // An error that comes while the connection stands is no farewell.
    this.#lastClose = null;
  }

  /** The library sets the timer of its next ping anew whenever it is told, which takes as long as reading a small frame. */
  #tellOfLife(): void {
    const now = performance.now();
    if (now - this.#toldAtMs < this.#toldEveryMs) return;
    this.#toldAtMs = now;
    this.pusher.connection.connectionCallbacks.activity();
  }

  /** Where the library gives up for good there is no wish to reconnect, but a state that nobody asked for. */
  #stateChanged({ current }: StateChange): void {
    if (this.#isLeaving || current === 'connected' || current === 'connecting') return;
    this.#ended(`the connection is ${current}`);
  }

  #ended(otherwise: string): void {
    const close = this.#lastClose;
    if (close === null) this.#listener.onLost(otherwise);
    else if (isFinal(close)) this.#listener.onRefused(explain(close));
    else this.#listener.onLost(explain(close));
  }

  #failed(error: unknown): void {
    this.#lastClose = closeReasonOf(error) ?? this.#lastClose;
    const type = memberOf(error, 'type');
    if (type === 'HandshakeError') this.#listener.onLost('the handshake could not be read');
  }

  /** An answer for a socket that is gone would be sent on its successor, and refused there: that one asks for itself. */
  #authorizer(authorize: Authorizer) {
    return (asked: { channelName: string; socketId: string }, answer: AuthorizationCallback): void => {
      const reply = (verdict: ChannelVerdict): void => {
        if (asked.socketId !== this.pusher.connection.socket_id) return;
        if (verdict.ok) answer(null, { auth: verdict.auth });
        else answer(new Error(verdict.reason), null);
      };
      authorize(asked.channelName, asked.socketId).then(reply, (error: unknown) =>
        reply({ ok: false, reason: String(error) }),
      );
    };
  }
}

/** As far as it is looked at. */
interface SocketMessage {
  readonly data: string;
}

type SocketListener = (message: SocketMessage) => void;

interface StateChange {
  readonly current: string;
}

type AuthorizationCallback = (error: Error | null, proof: { auth: string } | null) => void;

/** At most so many within the silence that leads to a ping: one comes by a tenth too early. */
const SIGNS_OF_LIFE = 10;

function placeOptions({ cluster, host, port, tls }: RealtimeAddress) {
  const place = host === null ? {} : { wsHost: host };
  const ports = port === null ? {} : { wsPort: port, wssPort: port };
  return { cluster: cluster ?? '', forceTLS: tls, ...place, ...ports };
}

/** `403 The channel belongs to another user.` */
function reasonOf(error: unknown): string {
  const parts = [memberOf(error, 'status'), memberOf(error, 'error')].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  );
  return parts.length === 0 ? 'no reason given' : parts.join(' ');
}

/** An error of the library carries the code itself, or inside of another error. */
function closeReasonOf(error: unknown): CloseReason | null {
  const detail = memberOf(error, 'data') ?? memberOf(memberOf(error, 'error'), 'data');
  const code = memberOf(detail, 'code');
  const message = memberOf(detail, 'message');
  return typeof code === 'number' ? { code, message: typeof message === 'string' ? message : '' } : null;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
