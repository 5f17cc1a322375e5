import type { Subject } from 'rxjs';
import type { FeedInput } from '../../../domain/inputs.js';
import { readBookFrame } from '../protocol/read/book-frame.js';
import { frameInput } from '../protocol/read/frames.js';
import { readOrderFrame } from '../protocol/read/order-frame.js';
import type { FrameListener } from './received-text.js';
import { openStreams } from './streams.js';

/** A frame as it was received. */
export interface RawFrame {
  readonly event: string;
  readonly channel: string;
  /** Parsed JSON, or what `JSON.stringify` writes as the same. */
  readonly payload: unknown;
}

/** Told of every frame of the venue as it was received, and of what it means, before anybody hears of that. */
export type FrameObserver = (frame: RawFrame, input: FeedInput) => void;

/** The payload of a frame that is not parsed before somebody writes it down. */
class UnparsedPayload {
  constructor(private readonly text: string) {}

  toJSON(): unknown {
    const { data } = JSON.parse(this.text) as { readonly data: string };
    return JSON.parse(data);
  }
}

/** What frames mean, told in the stream of its kind. A frame that cannot be read is an input too, never an exception. */
export class HeardFrames implements FrameListener {
  readonly streams = openStreams();
  readonly #observe: FrameObserver | undefined;

  constructor(observe?: FrameObserver) {
    this.#observe = observe;
  }

  onText(text: string): boolean {
    const frame = readBookFrame(text) ?? readOrderFrame(text);
    if (frame === null) return false;
    const { event, channel, input } = frame;
    this.#observe?.({ event, channel, payload: new UnparsedPayload(text) }, input);
    // Named, for looking a stream up by its name takes as long as handing on what it says.
    if (input.kind === 'book-update') this.streams['book-update'].next(input);
    else this.streams['order-update'].next(input);
    return true;
  }

  /** A frame that was parsed. */
  onFrame(event: string, channel: string, payload: unknown): void {
    const input = frameInput(event, channel, payload);
    this.#observe?.({ event, channel, payload }, input);
    this.tell(input);
  }

  onUnreadableFrame(reason: string): void {
    this.tell({ kind: 'malformed-frame', event: '', channel: '', reason });
  }

  /** What is no frame, but heard among them. */
  tell(input: FeedInput): void {
    (this.streams[input.kind] as Subject<FeedInput>).next(input);
  }

  /** Nothing is told any more. */
  end(): void {
    for (const stream of Object.values(this.streams)) stream.complete();
  }
}
