import type { AccountId, EventId } from '../../../domain/ids.js';
import type { FeedInput } from '../../../domain/inputs.js';
import type { Clock } from '../../../core/ports/clock.js';
import type { Feed, FeedStreams } from '../../port.js';
import type { Random } from '../../../core/ports/random.js';
import { eventChannel, GLOBAL_CHANNEL, userChannel } from '../protocol/realtime/channels.js';
import { type FrameObserver, HeardFrames } from './heard-frames.js';
import { PACE, type Pace } from './pace.js';
import { PatientAuthorizer } from './patient-authorizer.js';
import {
  type Authorizer,
  type FeedLink,
  type LinkListener,
  PusherLink,
  type PusherLinkOptions,
  type RealtimeAddress,
} from './pusher-link.js';
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
  #isClosed = false;
  #live: { link: FeedLink; supervisor: Supervisor; subscriptions: Subscriptions } | null = null;

  constructor(options: PusherFeedOptions) {
    this.#options = options;
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
    const channels = channelsOf(this.#options);
    const waitMs = (channel: string): number => proofs.waitMs(channel);
    const subscriptions = new Subscriptions({ link, channels, clock, pace, onChange, waitMs });
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
const channelsOf = ({ events, account }: PusherFeedOptions): string[] => [
  ...(account === null ? [] : [userChannel(account.id)]),
  GLOBAL_CHANNEL,
  ...events.map(eventChannel),
];

const openPusherLink: OpenLink = (options) => new PusherLink(options);

const refuseAll: Authorizer = () => Promise.resolve({ ok: false, reason: 'no account' });
