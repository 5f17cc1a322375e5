/** Frames whose payload is a text, in the spellings that are scanned, and with something wrong; and how they are read otherwise. */
import * as fc from 'fast-check';
import { eventText } from '../../../src/venues/futuur/protocol/pusher-frames.js';
import { frameInput } from '../../../src/venues/futuur/protocol/read/frames.js';

type Envelope = (event: string, channel: string, json: string) => string;

const payloadFirst: Envelope = (event, channel, json) =>
  `{"event":"${event}","data":${JSON.stringify(json)},"channel":"${channel}"}`;

const compact = (json: string): string => json;
/** As Python writes it. */
const spaced = (json: string): string =>
  json.replaceAll(',"', ', "').replaceAll('":', '": ').replaceAll('},{', '}, {');

export const envelope = fc.constantFrom<Envelope>(eventText, payloadFirst);
export const spelling = fc.constantFrom(compact, spaced);

/** As realtime events write it. */
export const timeText = (min = new Date(0)) =>
  fc.date({ min, max: new Date('2300-01-01'), noInvalidDate: true }).map((date) => date.toISOString());

/** The general way; null for what is no JSON. */
export function parsed(text: string): { event: unknown; channel: unknown; input: unknown } | null {
  try {
    const { event, channel, data } = JSON.parse(text) as Record<'event' | 'channel' | 'data', string>;
    return { event, channel, input: frameInput(event, channel, JSON.parse(data)) };
  } catch {
    return null;
  }
}

const PIECES = [
  '0',
  '1',
  '9',
  '.',
  '-',
  'e',
  ' ',
  ',',
  ':',
  '"',
  '\\',
  '\\"',
  '{',
  '}',
  '[',
  ']',
  'é',
  '\0',
  'null',
  'Z',
];

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat({ max: 3 }),
  piece: fc.constantFrom('', ...PIECES),
});
/** One or two places where something is changed, removed or put in. */
export const changes = fc.array(change, { minLength: 1, maxLength: 2 });

export const changed = (
  text: string,
  { at, cut, piece }: { at: number; cut: number; piece: string },
): string => {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + piece + text.slice(start + cut);
};
