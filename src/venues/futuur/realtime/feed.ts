import { Subject } from 'rxjs';
import type { Clock } from '../../../core/ports/clock.js';
import {
  type Authorizer,
  type FeedLink,
  type FrameListener,
  type LinkListener,
  PusherLink,
  type PusherLinkOptions,
  type RealtimeAddress,
} from './pusher-link.js';
import type { FeedInput } from '../../../domain/inputs.js';
import { frameInput } from '../protocol/read/frames.js';
import type { AccountId, EventId } from '../../../domain/ids.js';
import type { Feed, FeedStreams } from '../../port.js';
import type { Random } from '../../../core/ports/random.js';
import { eventChannel, GLOBAL_CHANNEL, userChannel } from '../protocol/realtime/channels.js';
import { PACE, type Pace, Supervisor } from './supervisor.js';
import { Subscriptions } from './subscriptions.js';

/**
 * Asks for proofs, but for none of a channel before the time is over that the venue asked for with its 429: every new connection
 * wants one, and each request would meet another 429.
 */
class PatientAuthorizer {
  readonly #ask: Authorizer;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By channel, in monotonic microseconds. */
  readonly #silentUntil = new Map<string, number>();

  constructor(ask: Authorizer, clock: Pick<Clock, 'monotonic'>) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** Milliseconds for which the channel is not asked for; 0 where nothing forbids it. */
  waitMs(channel: string): number {
    const left = (this.#silentUntil.get(channel) ?? 0) - this.#clock.monotonic();
    return Math.max(0, Math.ceil(left / 1_000));
  }

  /** Refuses by itself while the venue wants silence. */
  readonly authorize: Authorizer = async (channel, socketId) => {
    const waitMs = this.waitMs(channel);
    if (waitMs > 0) return { ok: false, reason: `the venue asks to wait ${Math.ceil(waitMs / 1_000)} s` };
    const verdict = await this.#ask(channel, socketId);
    if (!verdict.ok) this.#heed(channel, verdict.retryAfterMs ?? 0);
    return verdict;
  };

  #heed(channel: string, retryAfterMs: number): void {
    if (retryAfterMs > 0) this.#silentUntil.set(channel, this.#clock.monotonic() + retryAfterMs * 1_000);
  }
}

/** A frame as it was received, its payload parsed. */
export interface RawFrame {
  readonly event: string;
  readonly channel: string;
  readonly payload: unknown;
}

/** Told of every frame of the venue and of its meaning, before anybody else hears of it. */
export type FrameObserver = (frame: RawFrame, input: FeedInput) => void;

type OpenStreams = {
  readonly [K in FeedInput['kind']]: Subject<Extract<FeedInput, { readonly kind: K }>>;
};

/** Translates frames into inputs, one stream per kind. A frame that cannot be read is an input too, never an exception. */
export class HeardFrames implements FrameListener {
  readonly streams: OpenStreams = {
    book: new Subject(),
    trade: new Subject(),
    touch: new Subject(),
    'event-status': new Subject(),
    'market-listed': new Subject(),
    'event-live': new Subject(),
    'market-status': new Subject(),
    comment: new Subject(),
    order: new Subject(),
    holding: new Subject(),
    balance: new Subject(),
    deposit: new Subject(),
    test: new Subject(),
    malformed: new Subject(),
    link: new Subject(),
    subscription: new Subject(),
  };
  readonly #observe: FrameObserver | undefined;

  constructor(observe?: FrameObserver) {
    this.#observe = observe;
  }

  onFrame(event: string, channel: string, payload: unknown): void {
    const input = frameInput(event, channel, payload);
    this.#observe?.({ event, channel, payload }, input);
    this.tell(input);
  }

  onUnreadableFrame(reason: string): void {
    this.tell({ kind: 'malformed', event: '', channel: '', reason });
  }

  /** Emits an input on the stream of its kind. */
  tell(input: FeedInput): void {
    (this.streams[input.kind] as Subject<FeedInput>).next(input);
  }

  /** Ends all streams. */
  end(): void {
    for (const stream of Object.values(this.streams)) stream.complete();
  }
}

export interface PusherFeedOptions {
  readonly address: RealtimeAddress;
  /** Events whose books are wanted. */
  readonly events: readonly EventId[];
  /** Whose orders, holdings and balance are wanted, and who proves it; null: public channels alone. */
  readonly account: { readonly id: AccountId; readonly authorize: Authorizer } | null;
  readonly clock: Clock;
  /** For the jitter of reconnecting. */
  readonly random: Random;
  readonly pace?: Pace;
  readonly onFrame?: FrameObserver;
  /** What it hears over; a link of pusher-js when left out. */
  readonly open?: OpenLink;
}

export type OpenLink = (options: PusherLinkOptions) => FeedLink;

/** The venue's realtime service as typed streams. A frame that cannot be read is an input too, never an exception. */
export class PusherFeed implements Feed {
  readonly streams: FeedStreams;
  readonly #options: PusherFeedOptions;
  readonly #heard: HeardFrames;
  readonly #events: Set<EventId>;
  #isClosed = false;
  #live: { link: FeedLink; supervisor: Supervisor; subscriptions: Subscriptions } | null = null;

  constructor(options: PusherFeedOptions) {
    this.#options = options;
    this.#events = new Set(options.events);
    this.#heard = new HeardFrames(options.onFrame);
    this.streams = this.#heard.streams;
  }

  connect(): void {
    if (this.#live !== null || this.#isClosed) return;
    const { address, account, clock, random, pace = PACE, open = openPusherLink } = this.#options;
    const onChange = (change: FeedInput): void => this.#heard.tell(change);
    const proofs = new PatientAuthorizer(account?.authorize ?? refuseAll, clock);
    const link = open({ address, authorize: proofs.authorize, listener: this.#listener(), pace });
    const supervisor = new Supervisor({ link, clock, random, pace, onChange });
    const channels = channelsOf(this.#options.account, [...this.#events]);
    const waitMs = (channel: string): number => proofs.waitMs(channel);
    const subscriptions = new Subscriptions({ link, clock, pace, onChange, waitMs });
    this.#live = { link, supervisor, subscriptions };
    subscriptions.join(channels);
    supervisor.start();
  }

  look(): void {
    this.#live?.supervisor.look();
  }

  reconnect(reason: string): void {
    this.#live?.supervisor.renew(reason);
  }

  follow(events: readonly EventId[]): void {
    const subscriptions = this.#live?.subscriptions;
    for (const id of this.#events)
      if (!events.includes(id)) {
        this.#events.delete(id);
        subscriptions?.leave(eventChannel(id));
      }
    for (const id of events) {
      if (!this.#events.has(id)) subscriptions?.join([eventChannel(id)]);
      this.#events.add(id);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#heard.end();
    this.#live?.subscriptions.stop();
    this.#live?.supervisor.stop();
    this.#live?.link.forget();
  }

  #listener(): LinkListener {
    return {
      onEstablished: () => this.#live?.supervisor.established(),
      onLost: (reason) => this.#live?.supervisor.lost(reason),
      onRefused: (reason) => this.#live?.supervisor.refused(reason),
      onFrame: (event, channel, payload) => this.#heard.onFrame(event, channel, payload),
      onUnreadableFrame: (reason) => this.#heard.onUnreadableFrame(reason),
    };
  }
}

/** The account's own channel first: without it nothing is quoted. */
const channelsOf = (account: PusherFeedOptions['account'], events: readonly EventId[]): string[] => [
  ...(account === null ? [] : [userChannel(account.id)]),
  GLOBAL_CHANNEL,
  ...events.map(eventChannel),
];

const openPusherLink: OpenLink = (options) => new PusherLink(options);

const refuseAll: Authorizer = () => Promise.resolve({ ok: false, reason: 'no account' });
