/** The realtime service without sockets: in virtual time, but as texts, which are read as the bot reads those of its socket. */
import type { AccountId, EventId } from '../../../src/domain/ids.js';
import type { ConnectionChange, FeedInput } from '../../../src/domain/inputs.js';
import type { ExchangeCore, ExchangeEvent } from '../../../src/exchange/contract.js';
import type { Feed, FeedStreams } from '../../../src/ports/feed.js';
import { eventText } from '../../../src/protocol/pusher-frames.js';
import { eventChannel, GLOBAL_CHANNEL, userChannel } from '../../../src/protocol/realtime/channels.js';
import type { FrameFaults, FrameTarget } from '../../../src/server/faults/frame-faults.js';
import { messageOf } from '../../../src/server/realtime/messages.js';
import { type FrameObserver, HeardFrames } from '../../../src/venue/realtime/heard-frames.js';
import { PACE } from '../../../src/venue/realtime/pace.js';
import { receive } from '../../../src/venue/realtime/received-text.js';
import { Standstill } from '../../../src/venue/realtime/standstill.js';
import type { Host } from './host.js';
import type { Network } from './network.js';
import type { VenueRecord } from './venue-record.js';

/** Pause before a lost connection is tried again. */
const AGAIN_AFTER_MS = 1_000;

/** What one run of the bot hears, and over what. */
export interface FeedParts {
  readonly run: string;
  readonly host: Host;
  readonly network: Network;
  readonly record: VenueRecord;
  readonly events: readonly EventId[];
  readonly account: AccountId;
  readonly onFrame: FrameObserver;
  /** Whether it gives up a connection that its process stood still under, as the bot's own feed does. */
  readonly feelsStandstill: boolean;
}

interface Frame {
  readonly frame: number;
  readonly event: string;
  readonly channel: string;
  readonly text: string;
}

export class VirtualFeed implements Feed {
  readonly streams: FeedStreams;
  /** Whether a connection can be made at all. */
  isReachable = true;
  /** Channels that the venue refuses to let this client join. */
  readonly refused = new Set<string>();
  readonly channels: readonly string[];
  readonly #parts: FeedParts;
  readonly #network: Network;
  readonly #target: FrameTarget;
  readonly #standstill: Standstill;
  readonly #heard: HeardFrames;
  /** Which connection frames belong to; those of an older one are gone with it. */
  #connection = 0;
  #isUp = false;
  /** What the process knows of the connection. */
  #told: ConnectionChange['state'] | null = null;
  #isClosed = false;
  readonly #joined = new Set<string>();
  readonly #knownChannels = new Set<string>();
  #frames = 0;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#network = parts.network;
    this.channels = [GLOBAL_CHANNEL, ...parts.events.map(eventChannel), userChannel(parts.account)];
    this.#heard = new HeardFrames(parts.onFrame);
    this.streams = this.#heard.streams;
    this.#target = {
      send: (frame) => this.#carry(JSON.parse(frame.toString()) as Frame),
      drop: (cut) => this.lose(cut, AGAIN_AFTER_MS),
    };
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
    if (this.#isUp) this.lose(reason, AGAIN_AFTER_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#down();
    this.#standstill.end();
    this.#heard.end();
  }

  /** The connection breaks; another is tried after so long, as long as it takes. */
  lose(reason: string, againAfterMs: number): void {
    const wasUp = this.#isUp;
    this.#down();
    if (wasUp) this.#parts.record.note({ kind: 'disconnected', run: this.#parts.run });
    if (wasUp) this.#reach('lost', reason);
    this.#network.after(againAfterMs, () => this.#establish(againAfterMs));
  }

  /** The venue closes the connection for a reason for which nobody tries again. */
  refuse(reason: string): void {
    this.isReachable = false;
    this.#down();
    this.#reach('refused', reason);
  }

  /** What the exchange says goes out on every channel that was joined. */
  publish(events: readonly ExchangeEvent[], exchange: ExchangeCore, faults: FrameFaults): void {
    if (!this.#isUp) return;
    for (const event of events) {
      const message = messageOf(event, exchange);
      const channels = message?.channels.filter((channel) => this.#joined.has(channel)) ?? [];
      if (message === null || channels.length === 0) continue;
      const text = JSON.stringify(message.payload());
      for (const channel of channels)
        this.#leave({ frame: ++this.#frames, event: message.event, channel, text }, faults);
    }
  }

  /** One frame on its way. @param text its payload, well formed or not */
  deliver(event: string, channel: string, text: string): void {
    this.#carry({ frame: ++this.#frames, event, channel, text });
  }

  emit(input: FeedInput): void {
    this.#heard.tell(input);
  }

  /** The frame leaves the venue, or what its faults make of it does. */
  #leave(frame: Frame, faults: FrameFaults): void {
    const { record, run } = this.#parts;
    record.note({ kind: 'posted', run, frame: frame.frame, channel: frame.channel });
    if (!faults.active) this.#carry(frame);
    else faults.deliver(this.#target, frame.channel, Buffer.from(JSON.stringify(frame)));
  }

  #carry(frame: Frame): void {
    const connection = this.#connection;
    this.#network.frame(() =>
      this.#parts.host.deliver(() => {
        if (connection === this.#connection && this.#isUp) this.#receive(frame);
      }),
    );
  }

  /** Neither does anything happen to what is said of a channel. */
  #deliver(input: FeedInput): void {
    this.#parts.host.deliver(() => this.emit(input));
  }

  #receive({ frame, event, channel, text }: Frame): void {
    const { record, run } = this.#parts;
    record.note({ kind: 'told', run, frame, event, channel, text });
    receive(eventText(event, channel, text), this.#heard);
  }

  #establish(againAfterMs = AGAIN_AFTER_MS): void {
    if (this.#isUp || this.#isClosed) return;
    if (!this.isReachable) return this.lose('connection refused', againAfterMs);
    this.#isUp = true;
    this.#reach('connected', '');
    const connection = this.#connection;
    for (const channel of this.channels)
      this.#network.carry(() => {
        if (connection === this.#connection) this.#join(channel);
      });
  }

  /** What the process does not know yet, it may find by itself. */
  #stoodStill(reason: string): void {
    if (this.#isUp) this.lose(reason, AGAIN_AFTER_MS);
    else this.#tell('lost', reason);
  }

  #down(): void {
    this.#isUp = false;
    this.#joined.clear();
    this.#connection += 1;
  }

  /** What became of the connection reaches the process like a frame that nothing happens to. */
  #reach(state: ConnectionChange['state'], reason: string): void {
    this.#parts.host.deliver(() => this.#tell(state, reason));
  }

  /** Each state once. */
  #tell(state: ConnectionChange['state'], reason: string): void {
    if (this.#told === state) return;
    this.#told = state;
    this.#standstill.end();
    if (state === 'connected' && this.#parts.feelsStandstill) this.#standstill.watch();
    this.emit({ kind: 'connection', state, reason });
  }

  #noteJoined(channel: string): void {
    const { record, run } = this.#parts;
    record.note({ kind: 'joined', run, channel, isFirst: !this.#knownChannels.has(channel) });
    this.#knownChannels.add(channel);
  }

  #join(channel: string): void {
    const isRefused = this.refused.has(channel);
    if (!isRefused) this.#joined.add(channel);
    const reason = isRefused ? '403 PermissionDenied' : '';
    if (!isRefused) this.#noteJoined(channel);
    this.#deliver({ kind: 'subscription', channel, state: isRefused ? 'refused' : 'subscribed', reason });
  }
}
