/** Who takes what was received. */
export interface FrameListener {
  /** Offered every frame before it is parsed. @returns whether it was one that needs no parsing, and was taken */
  onText(text: string): boolean;
  onFrame(event: string, channel: string, payload: unknown): void;
  onUnreadableFrame(reason: string): void;
}

/** Whose a text is: the venue's, what service and library tell each other, or nobody's. */
export type Sender = 'venue' | 'library' | 'nobody';

/**
 * Hands the text of a frame to whoever listens, unless it is the library's.
 * @throws whatever the listener throws, and SyntaxError for what is no JSON
 */
export function receive(text: string, listener: FrameListener): Sender {
  if (listener.onText(text)) return 'venue';
  const frame: unknown = JSON.parse(text);
  if (namesEvent(frame)) return handOn(frame, listener);
  listener.onUnreadableFrame('the frame names no event');
  return 'nobody';
}

function handOn({ event, channel, data }: Frame, listener: FrameListener): Sender {
  if (LIBRARY_EVENT.test(event)) return 'library';
  listener.onFrame(event, channel ?? '', typeof data === 'string' ? parsed(data) : data);
  return 'venue';
}

interface Frame {
  readonly event: string;
  readonly channel?: string;
  readonly data: unknown;
}

const LIBRARY_EVENT = /^pusher(_internal)?:/;

const namesEvent = (frame: unknown): frame is Frame =>
  typeof frame === 'object' && frame !== null && typeof (frame as Partial<Frame>).event === 'string';

/** A payload is JSON in a text; one that is none is the text. */
function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return payload;
  }
}
