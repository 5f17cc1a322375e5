import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import {
  establishedText,
  parseClientFrame,
  PONG_TEXT,
  subscribedText,
} from '../../../src/venues/futuur/protocol/pusher-frames.js';
import { Pusher } from '../../../src/venues/futuur/realtime/pusher-link.js';

/** A realtime service that lets everybody in and says nothing by itself. */
export interface QuietService {
  readonly port: number;
  stop(): void;
}

export async function startQuietService(): Promise<QuietService> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => {
    socket.on('message', (bytes: Buffer) => {
      const frame = parseClientFrame(bytes.toString());
      if (!frame.ok) throw new Error(frame.reason);
      if (frame.value.kind === 'ping') socket.send(PONG_TEXT);
      if (frame.value.kind === 'subscribe') socket.send(subscribedText(frame.value.channel));
    });
    socket.send(establishedText('1.1', 120));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    port: (http.address() as AddressInfo).port,
    stop: () => {
      for (const socket of sockets.clients) socket.terminate();
      http.close();
    },
  };
}

/** What receives the text of every frame in the newest client of the library, once it is connected. */
export function frameReceiver(): (text: string) => void {
  const client = Pusher.instances.at(-1) as unknown as {
    connection: { connection: { transport: { socket: { onmessage: (frame: { data: string }) => void } } } };
  };
  const { socket } = client.connection.connection.transport;
  return (data) => socket.onmessage({ data });
}
