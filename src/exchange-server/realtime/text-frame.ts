const FIN_TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/**
 * One unmasked websocket text frame, header included (RFC 6455, 5.2). Frames from a server are the same for
 * every receiver, so an event is framed once however many subscribe.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < LENGTH_16 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = FIN_TEXT;
  writeLength(frame, head, length);
  frame.write(text, head);
  return frame;
}

function writeLength(frame: Buffer, head: number, length: number): void {
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
}
