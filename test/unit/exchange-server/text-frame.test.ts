import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { textFrame } from '../../../src/exchange-server/realtime/text-frame.js';

interface FrameReader {
  on(event: 'message', listener: (bytes: Buffer, isBinary: boolean) => void): void;
  write(bytes: Buffer): void;
}
const { Receiver } = createRequire(import.meta.url)('ws') as unknown as { Receiver: new () => FrameReader };

/** What a websocket client makes of the bytes. */
function received(bytes: Buffer): { readonly text: string; readonly isBinary: boolean } {
  const messages: { text: string; isBinary: boolean }[] = [];
  const reader = new Receiver();
  reader.on('message', (message, isBinary) => messages.push({ text: message.toString('utf8'), isBinary }));
  reader.write(bytes);
  expect(messages).toHaveLength(1);
  return messages[0]!;
}

describe('a text frame is read back as the text', () => {
  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('of %s bytes', (length) => {
    const text = 'x'.repeat(length);
    expect(received(textFrame(text))).toEqual({ text, isBinary: false });
  });

  test('whose characters take several bytes', () => {
    const text = 'Ŝé€😀'.repeat(40);
    expect(received(textFrame(text)).text).toBe(text);
  });
});
