import type { Subject } from 'rxjs';
import type { AccountId, EventId } from '../../domain/ids.js';
import type { FeedInput } from '../../domain/inputs.js';
import type { Clock } from '../../ports/clock.js';
import type { Feed, FeedStreams } from '../../ports/feed.js';
import type { Random } from '../../ports/random.js';
import { readBookFrame } from '../../protocol/read/book-frame.js';
import { frameInput } from '../../protocol/read/frames.js';
import { readOrderFrame } from '../../protocol/read/order-frame.js';
import { eventChannel, GLOBAL_CHANNEL, userChannel } from '../../protocol/realtime/channels.js';
import { PACE, type Pace } from './pace.js';
import { PusherLink, type Authorizer, type LinkListener, type RealtimeAddress } from './pusher-link.js';
import { openStreams } from './streams.js';
import { Subscriptions } from './subscriptions.js';
import { Supervisor } from './supervisor.js';

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
  /** Told of every frame of the venue as it was received, and of what it means, before anybody hears of that. */
  readonly onFrame?: (frame: RawFrame, input: FeedInput) => void;
}

/** A frame as it was received. */
export interface RawFrame {
  readonly event: string;
  readonly channel: string;
  /** Parsed JSON, or what `JSON.stringify` writes as the same. */
  readonly payload: unknown;
}

/** The payload of a frame that is not parsed before somebody writes it down. */
class UnparsedPayload {
  constructor(private readonly text: string) {}

  toJSON(): unknown {
    const { data } = JSON.parse(this.text) as { readonly data: string };
    return JSON.parse(data);
  }
}

/** The venue's realtime service as typed streams. A frame that cannot be read is an input too, never an exception. */
export class PusherFeed implements Feed {
  readonly streams: FeedStreams;
  readonly #options: PusherFeedOptions;
  readonly #subjects = openStreams();
  #isClosed = false;
  #live: { link: PusherLink; supervisor: Supervisor; subscriptions: Subscriptions } | null = null;

  constructor(options: PusherFeedOptions) {
    this.#options = options;
    this.streams = this.#subjects;
  }

  connect(): void {
    if (this.#live !== null || this.#isClosed) return;
    const { address, account, clock, random, pace = PACE } = this.#options;
    const onChange = (change: FeedInput): void => this.#emit(change);
    const authorize = account?.authorize ?? refuseAll;
    const link = new PusherLink({ address, authorize, listener: this.#listener(), pace });
    const supervisor = new Supervisor({ link, clock, random, pace, onChange });
    const channels = channelsOf(this.#options);
    const subscriptions = new Subscriptions({ pusher: link.pusher, channels, clock, pace, onChange });
    this.#live = { link, supervisor, subscriptions };
    subscriptions.join();
    supervisor.start();
  }

  look(): void {
    this.#live?.supervisor.look();
  }

  reconnect(reason: string): void {
    this.#live?.supervisor.renew(reason);
  }

  close(): void {
    this.#isClosed = true;
    for (const subject of Object.values(this.#subjects)) subject.complete();
    this.#live?.subscriptions.stop();
    this.#live?.supervisor.stop();
    this.#live?.link.forget();
  }

  #listener(): LinkListener {
    return {
      onEstablished: () => this.#live?.supervisor.established(),
      onLost: (reason) => this.#live?.supervisor.lost(reason),
      onRefused: (reason) => this.#live?.supervisor.refused(reason),
      onText: (text) => this.#text(text),
      onFrame: (event, channel, payload) => this.#frame(event, channel, payload),
      onUnreadableFrame: (reason) => this.#emit({ kind: 'malformed-frame', event: '', channel: '', reason }),
    };
  }

  #text(text: string): boolean {
    const frame = readBookFrame(text) ?? readOrderFrame(text);
    if (frame === null) return false;
    const { event, channel, input } = frame;
    this.#options.onFrame?.({ event, channel, payload: new UnparsedPayload(text) }, input);
    // Named, for looking a stream up by its name takes as long as handing on what it says.
    if (input.kind === 'book-update') this.#subjects['book-update'].next(input);
    else this.#subjects['order-update'].next(input);
    return true;
  }

  #frame(event: string, channel: string, payload: unknown): void {
    const input = frameInput(event, channel, payload);
    this.#options.onFrame?.({ event, channel, payload }, input);
    this.#emit(input);
  }

  #emit(input: FeedInput): void {
    (this.#subjects[input.kind] as Subject<FeedInput>).next(input);
  }
}

const channelsOf = ({ events, account }: PusherFeedOptions): string[] => [
  GLOBAL_CHANNEL,
  ...events.map(eventChannel),
  ...(account === null ? [] : [userChannel(account.id)]),
];

const refuseAll: Authorizer = () => Promise.resolve({ ok: false, reason: 'no account' });
