/**
 * What those frames have in common that are read straight from their text, since they come by the thousand: what `JSON.parse`
 * makes of the envelope, and of the payload in it, is looked at once and thrown away. Only the usual spelling is read so;
 * whatever else there is to say about a frame, `frameInput` says it.
 */
import { expected, type Expected, TextScan } from './text-scan.js';

/** A frame that was read. */
export interface ScannedFrame<Input> {
  readonly event: string;
  readonly channel: string;
  readonly input: Input;
}

/** How the frames of one event begin. */
export interface FrameHead {
  readonly event: string;
  /** The letter by which other frames are told from these before they are copied; the scan looks at the whole head. */
  readonly letter: number;
  readonly text: Expected;
}

const START = '{"event":"';
/** Place in the name of an event: both that are scanned begin alike, and no two of the venue's have the same letter there. */
const TELLING = 'order-'.length;

/** @param event its name, longer than the start that those have in common which are scanned */
export const headOf = (event: string): FrameHead => ({
  event,
  letter: event.charCodeAt(TELLING),
  text: expected(`${START}${event}",`),
});

const MARKS = {
  channel: expected('"channel":"'),
  channelNext: expected('}","channel":"'),
  payload: expected('"data":"'),
  payloadNext: expected('","data":"'),
  endOfPayload: expected('}"}'),
  endOfChannel: expected('"}'),
};

/**
 * The scan of a frame, its head passed.
 * @param frame text of a whole frame, its payload a text within
 * @returns null for a frame of another event; some of those are only found out by the scan
 */
export function openFrame(frame: string, { letter, text }: FrameHead): TextScan | null {
  return frame.charCodeAt(START.length + TELLING) === letter ? new TextScan(frame).pass(text) : null;
}

/** Passes everything up to the payload. @returns the channel, null when it is to come */
export function beforePayload(scan: TextScan): string | null {
  if (!scan.tries(MARKS.channel)) {
    scan.pass(MARKS.payload);
    return null;
  }
  const channel = scan.word();
  scan.pass(MARKS.payloadNext);
  return channel;
}

/** Passes the brace that ends the payload, and the rest of the frame. @param channel as before the payload. @returns the channel */
export function afterPayload(scan: TextScan, channel: string | null): string {
  if (channel !== null) {
    scan.pass(MARKS.endOfPayload);
    return channel;
  }
  const last = scan.pass(MARKS.channelNext).word();
  scan.pass(MARKS.endOfChannel);
  return last;
}
