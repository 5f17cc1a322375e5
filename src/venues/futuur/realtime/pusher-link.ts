import pusherModule from 'pusher-js';
import { CLOSE_CODES, closeReaction } from '../protocol/pusher-frames.js';
import type { Pace, Link } from './supervisor.js';
import type { ChannelLink, JoinListener } from './subscriptions.js';

/** Why the realtime service ended a connection, as far as it said so. */
export interface CloseReason {
  readonly code: number;
  readonly message: string;
}

const ADVICE: Readonly<Record<number, string>> = {
  [CLOSE_CODES.unknownApplication]: 'check the application key and the cluster or host in the configuration',
  [CLOSE_CODES.unsupportedVersion]: 'the service no longer speaks to this client',
  [CLOSE_CODES.unsupportedProtocol]: 'the service does not speak this protocol',
  [CLOSE_CODES.noProtocol]: 'the service does not speak this protocol',
  [CLOSE_CODES.unauthorized]: 'the application does not admit this connection',
};

/**
 * Whether coming back is pointless: the application, the protocol or the admission is wrong (4001 to 4099), or TLS is
 * demanded where the configuration says none. Codes of 4300 and above are no verdict, though pusher-js ends there.
 */
const isFinal = ({ code }: CloseReason): boolean => {
  const reaction = closeReaction(code);
  return reaction === 'tls-only' || (reaction === 'ended' && code < CLOSE_CODES.overCapacity);
};

/** For a person: what happened and what to do. */
function explain({ code, message }: CloseReason): string {
  const said = message === '' ? `code ${code}` : `code ${code}, ${message}`;
  if (!isFinal({ code, message })) return `the realtime service closed the connection (${said})`;
  const advice = closeReaction(code) === 'tls-only' ? 'switch on TLS in the configuration' : ADVICE[code];
  return `the realtime service refuses this client (${said})${advice === undefined ? '' : `: ${advice}`}`;
}

/**
 * pusher-js under Node's own module resolution. The package is CommonJS that exports the class itself, but its types
 * describe a module with a default export, so that `new` on the import does not compile.
 */
export const Pusher = pusherModule as unknown as typeof pusherModule.default;
export type Pusher = InstanceType<typeof Pusher>;

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

/** Takes frames from a connection. */
export interface FrameListener {
  onFrame(event: string, channel: string, payload: unknown): void;
  onUnreadableFrame(reason: string): void;
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

  /** Begins connecting at once, as the library does. */
  constructor({ address, authorize, listener, pace }: PusherLinkOptions) {
    this.#listener = listener;
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

  /** The library tells the service only while it is connected, and forgets the channel in any case. */
  leave(channel: string): void {
    this.pusher.channel(channel)?.unbind();
    this.pusher.unsubscribe(channel);
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
    // The library's own listener throws on a frame without an event, which would end the process.
    connection.unbind('message');
    connection.bind('message', (frame: Partial<LibraryFrame>) => this.#received(frame));
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
    this.#listener.onEstablished();
  }

  /** Frames of the service itself go on to the library's channels, all others to the listener. */
  #received({ event, channel, data }: Partial<LibraryFrame>): void {
    // An error that comes while the connection stands is no farewell.
    this.#lastClose = null;
    if (typeof event !== 'string') return this.#listener.onUnreadableFrame('the frame names no event');
    if (!LIBRARY_EVENT.test(event)) return this.#listener.onFrame(event, channel ?? '', data);
    if (channel === undefined) return;
    try {
      this.pusher.channel(channel)?.handleEvent({ event, channel, data });
    } catch (error) {
      this.#listener.onUnreadableFrame(`the frame could not be read: ${String(error)}`);
    }
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
    const type = memberOf(error, 'type');
    if (type === 'MessageParseError')
      return this.#listener.onUnreadableFrame(
        `the frame could not be read: ${String(memberOf(error, 'error'))}`,
      );
    this.#lastClose = closeReasonOf(error) ?? this.#lastClose;
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

/** A frame as the library parsed it. */
interface LibraryFrame {
  readonly event: string;
  readonly channel: string;
  readonly data: unknown;
}

const LIBRARY_EVENT = /^pusher(_internal)?:/;

interface StateChange {
  readonly current: string;
}

type AuthorizationCallback = (error: Error | null, proof: { auth: string } | null) => void;

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
