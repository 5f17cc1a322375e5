/** One end of a realtime connection of one run, the venue's, and the way to the other. It says and loses what it is told to. */
import type { ExchangeEvent } from '../../../src/exchange/contract.js';
import type { ExchangeCore } from '../../../src/exchange/exchange.js';
import { eventText } from '../../../src/venues/futuur/protocol/pusher-frames.js';
import type { FrameFaults, FrameTarget } from '../../../src/exchange-server/faults/request-faults.js';
import { messageOf } from '../../../src/exchange-server/realtime/publisher.js';
import type { Host } from './host.js';
import type { Network } from './network.js';
import type { VenueRecord } from './venue-record.js';

/** Pause before a connection can be made again that the venue dropped. */
const DROPPED_FOR_MS = 1_000;

export interface LineParts {
  readonly run: string;
  readonly host: Host;
  readonly network: Network;
  readonly record: VenueRecord;
}

/** The end of the process. */
export interface LineListener {
  /** @param text of a whole frame */
  onText(text: string): void;
  /** It breaks, or is to be taken for broken. @param againAfterMs until when no other can be made */
  onBroken(reason: string, againAfterMs: number): void;
  /** The venue closed it for a reason for which nobody tries again. */
  onRefused(reason: string): void;
}

interface Frame {
  readonly frame: number;
  readonly event: string;
  readonly channel: string;
  readonly text: string;
}

export class VirtualLine {
  /** Whether a connection can be made at all. */
  isReachable = true;
  /** Channels that the venue refuses to let this client join. */
  readonly refused = new Set<string>();
  readonly #parts: LineParts;
  readonly #target: FrameTarget;
  #listener: LineListener | null = null;
  #connection = 0;
  #isUp = false;
  readonly #joined = new Set<string>();
  readonly #knownChannels = new Set<string>();
  #frames = 0;

  constructor(parts: LineParts) {
    this.#parts = parts;
    this.#target = {
      send: (frame) => this.#carry(JSON.parse(frame) as Frame),
      drop: (cut) => this.lose(cut, DROPPED_FOR_MS),
    };
  }

  get joined(): ReadonlySet<string> {
    return this.#joined;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Which connection frames belong to; those of an older one are gone with it. */
  get connection(): number {
    return this.#connection;
  }

  hear(listener: LineListener): void {
    this.#listener = listener;
  }

  open(): void {
    this.#isUp = true;
  }

  /** Whoever had joined a channel has not. */
  end(): void {
    const { record, run } = this.#parts;
    const wasUp = this.#isUp;
    this.close();
    if (wasUp) record.note({ kind: 'disconnected', run });
  }

  /** The same, as when a process is over: nobody misses the connection. */
  close(): void {
    this.#isUp = false;
    this.#joined.clear();
    this.#connection += 1;
  }

  /** @returns whether the venue lets this client */
  join(channel: string): boolean {
    if (this.refused.has(channel)) return false;
    const { record, run } = this.#parts;
    this.#joined.add(channel);
    record.note({ kind: 'joined', run, channel, isFirst: !this.#knownChannels.has(channel) });
    this.#knownChannels.add(channel);
    return true;
  }

  leave(channel: string): void {
    this.#joined.delete(channel);
  }

  /** The connection breaks; none can be made for so long. */
  lose(reason: string, againAfterMs: number): void {
    this.#listener?.onBroken(reason, againAfterMs);
  }

  refuse(reason: string): void {
    this.isReachable = false;
    this.#listener?.onRefused(reason);
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

  /** The frame leaves the venue, or what its faults make of it does. */
  #leave(frame: Frame, faults: FrameFaults): void {
    const { record, run } = this.#parts;
    record.note({ kind: 'posted', run, frame: frame.frame, channel: frame.channel });
    if (!faults.active) this.#carry(frame);
    else faults.deliver(this.#target, frame.channel, JSON.stringify(frame));
  }

  #carry(frame: Frame): void {
    const { network, host } = this.#parts;
    const connection = this.#connection;
    network.frame(() =>
      host.deliver(() => {
        if (connection === this.#connection && this.#isUp) this.#arrive(frame);
      }),
    );
  }

  #arrive({ frame, event, channel, text }: Frame): void {
    const { record, run } = this.#parts;
    record.note({ kind: 'told', run, frame, event, channel, text });
    this.#listener?.onText(eventText(event, channel, text));
  }
}
