/** How a bot heard the realtime service in the lives of earlier editions: a lost connection is tried again after a pause. */
import type { LinkInput } from '../../../src/domain/inputs.js';
import type { Feed, FeedStreams } from '../../../src/venues/port.js';
import { type FrameObserver, HeardFrames } from '../../../src/venues/futuur/realtime/feed.js';
import { PACE, Standstill } from '../../../src/venues/futuur/realtime/supervisor.js';
import { receive } from './received-text.js';
import type { Host } from './host.js';
import type { Network } from './network.js';
import type { VirtualLine } from './virtual-line.js';
import { subscriptionChange } from '../../../src/venues/futuur/protocol/realtime/channels.js';

/** Pause before a lost connection is tried again. */
const AGAIN_AFTER_MS = 1_000;

export interface EarlierFeedParts {
  readonly line: VirtualLine;
  readonly host: Host;
  readonly network: Network;
  readonly channels: readonly string[];
  readonly onFrame: FrameObserver;
  /** Whether it gives up a connection that its process stood still under, as since the sixth. */
  readonly feelsStandstill: boolean;
}

export class EarlierFeed implements Feed {
  readonly streams: FeedStreams;
  readonly #parts: EarlierFeedParts;
  readonly #network: Network;
  readonly #line: VirtualLine;
  readonly #standstill: Standstill;
  readonly #heard: HeardFrames;
  /** What the process knows of the connection. */
  #told: LinkInput['state'] | null = null;
  #isClosed = false;

  constructor(parts: EarlierFeedParts) {
    this.#parts = parts;
    this.#network = parts.network;
    this.#line = parts.line;
    this.#heard = new HeardFrames(parts.onFrame);
    this.streams = this.#heard.streams;
    this.#line.hear({
      onText: (text) => {
        receive(text, this.#heard);
      },
      onBroken: (reason, againAfterMs) => this.#lose(reason, againAfterMs),
      onRefused: (reason) => this.#refuse(reason),
    });
    this.#standstill = new Standstill({
      clock: parts.host.clock,
      pace: PACE,
      onFound: (reason) => this.#stoodStill(reason),
    });
  }

  connect(): void {
    this.#network.carry(() => this.#establish());
  }

  look(): void {
    this.#standstill.look();
  }

  reconnect(reason: string): void {
    if (this.#line.isUp) this.#lose(reason, AGAIN_AFTER_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#line.close();
    this.#standstill.end();
    this.#heard.end();
  }

  /** Another is tried after so long, as long as it takes. */
  #lose(reason: string, againAfterMs: number): void {
    const wasUp = this.#line.isUp;
    this.#line.end();
    if (wasUp) this.#reach('lost', reason);
    this.#network.after(againAfterMs, () => this.#establish(againAfterMs));
  }

  #refuse(reason: string): void {
    this.#line.close();
    this.#reach('refused', reason);
  }

  #establish(againAfterMs = AGAIN_AFTER_MS): void {
    const line = this.#line;
    if (line.isUp || this.#isClosed) return;
    if (!line.isReachable) return this.#lose('connection refused', againAfterMs);
    line.open();
    this.#reach('connected', '');
    const { connection } = line;
    for (const channel of this.#parts.channels)
      this.#network.carry(() => {
        if (connection === line.connection) this.#join(channel);
      });
  }

  /** What the process does not know yet, it may find by itself. */
  #stoodStill(reason: string): void {
    if (this.#line.isUp) this.#lose(reason, AGAIN_AFTER_MS);
    else this.#tell('lost', reason);
  }

  /** What became of the connection reaches the process like a frame that nothing happens to. */
  #reach(state: LinkInput['state'], reason: string): void {
    this.#parts.host.deliver(() => this.#tell(state, reason));
  }

  /** Each state once. */
  #tell(state: LinkInput['state'], reason: string): void {
    if (this.#told === state) return;
    this.#told = state;
    this.#standstill.end();
    if (state === 'connected' && this.#parts.feelsStandstill) this.#standstill.watch();
    this.#heard.tell({ kind: 'link', state, reason });
  }

  #join(channel: string): void {
    const isJoined = this.#line.join(channel);
    const state = isJoined ? 'subscribed' : 'refused';
    const told = subscriptionChange(channel, state, isJoined ? '' : '403 PermissionDenied');
    this.#parts.host.deliver(() => this.#heard.tell(told));
  }
}
