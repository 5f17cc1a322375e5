/**
 * What those frames have in common that are read straight from their text, since they come by the thousand: what `JSON.parse`
 * makes of the envelope, and of the payload in it, is looked at once and thrown away. Only the usual spelling is read so;
 * whatever else there is to say about a frame, `frameInput` says it.
 */
import { type Choice, choices, expected, type Expected, TextScan } from './text-scan.js';

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

/** A quote within the payload, which is a text itself. */
export const QUOTE = '\\"';

export const quoted = (word: string): string => QUOTE + word + QUOTE;

/** The words of the venue that may be a member of the payload. */
export const quotedWords = <Word extends string>(words: readonly Word[]): readonly Choice<Word>[] =>
  choices(words.map((word) => [quoted(word), word]));

/** How the members of a payload begin, in one spelling. */
export interface Spelling {
  /** The blank after commas and colons. */
  readonly space: '' | ' ';
  /** The brace of an object and the name of its first member. */
  readonly first: (name: string) => string;
  /** The comma before another member, and its name. */
  readonly next: (name: string) => string;
}

const spelling = (space: '' | ' '): Spelling => ({
  space,
  first: (name) => `{${quoted(name)}:${space}`,
  next: (name) => `,${space}${quoted(name)}:${space}`,
});

/** What stands between the values of a payload: as `JSON.stringify` writes, and as Python does. */
export interface Marks<Texts> {
  readonly compact: Texts;
  readonly spaced: Texts;
}

/** @param texts writes them in one spelling; the first is what the payload begins with */
export const marksOf = <Texts extends { readonly first: Expected }>(
  texts: (spelling: Spelling) => Texts,
): Marks<Texts> => ({ compact: texts(spelling('')), spaced: texts(spelling(' ')) });

/** Passes what a payload begins with. @returns what stands between its values */
export function passFirst<Texts extends { readonly first: Expected }>(
  scan: TextScan,
  { compact, spaced }: Marks<Texts>,
): Texts {
  if (scan.tries(spaced.first)) return spaced;
  scan.pass(compact.first);
  return compact;
}
