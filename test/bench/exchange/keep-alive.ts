import { connect, type Socket } from 'node:net';

/** Called with the milliseconds that each answered request took; says whether to send another. */
type Answered = (ms: number) => boolean;

/**
 * One connection that sends a request, waits for the whole answer, and sends the next. It reads no more of an
 * answer than status and length, so that the client's share of the machine is small.
 * @param pauseMs between an answer and the next request
 * @throws Error on any answer that is no success
 */
export function keepAlive(
  port: number,
  request: () => Buffer,
  answered: Answered,
  pauseMs = 0,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received: Buffer = Buffer.alloc(0);
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(request());
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      const length = answerLength(received);
      if (length === null || received.length < length) return;
      if (!isSuccess(received)) return fail(socket, reject, received);
      received = received.subarray(length);
      if (answered(performance.now() - sentAt)) {
        if (pauseMs === 0) send();
        else setTimeout(send, pauseMs);
      } else {
        socket.destroy();
        resolve();
      }
    });
  });
}

/** Of the whole answer, head included; null while the head is not complete. */
function answerLength(received: Buffer): number | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  return end + 4 + Number(length);
}

const STATUS = 'HTTP/1.1 '.length;
const isSuccess = (received: Buffer): boolean => received[STATUS] === '2'.charCodeAt(0);

function fail(socket: Socket, reject: (error: Error) => void, received: Buffer): void {
  socket.destroy();
  reject(new Error(received.toString('utf8').slice(0, 500)));
}
