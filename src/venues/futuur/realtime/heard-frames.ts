import { Subject } from 'rxjs';
import type { FeedInput } from '../../../domain/inputs.js';
import { frameInput } from '../protocol/read/frames.js';

/** A frame as it was received, its payload parsed. */
export interface RawFrame {
  readonly event: string;
  readonly channel: string;
  readonly payload: unknown;
}

/** Told of every frame of the venue and of its meaning, before anybody else hears of it. */
export type FrameObserver = (frame: RawFrame, input: FeedInput) => void;

/** Takes frames from a connection. */
export interface FrameListener {
  onFrame(event: string, channel: string, payload: unknown): void;
  onUnreadableFrame(reason: string): void;
}

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
