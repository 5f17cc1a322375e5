/** A realtime service that does what the test says, well or badly, over a real socket. */
import { createServer } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  establishedText,
  eventText,
  parseClientFrame,
  PONG_TEXT,
  refusedText,
  subscribedText,
} from '../../../src/venues/futuur/protocol/pusher-frames.js';
import { freePort } from '../process/free-port.js';

export interface Subscription {
  readonly channel: string;
  readonly auth: string | null;
  readonly socketId: string;
}

/** What the service does with a new connection. */
export type Greeting = (socket: WebSocket, socketId: string) => void;

const welcome: Greeting = (socket, socketId) => socket.send(establishedText(socketId, 120));

export class PusherDouble {
  readonly subscriptions: Subscription[] = [];
  /** Channels that a client left. */
  readonly left: string[] = [];
  readonly sockets: WebSocket[] = [];
  /** Text to say instead of the ordinary greeting. */
  greeting: Greeting = welcome;
  /** Reason for refusing a subscription; null: it is accepted. */
  refusal: (subscription: Subscription) => string | null = () => null;
  /** Reads nothing any more, while the connections stand. */
  isDeaf = false;
  readonly #server = createServer();
  readonly #ws = new WebSocketServer({ noServer: true });

  private constructor(readonly port: number) {}

  /** Listening on a free port until the test ends. */
  static async start(): Promise<PusherDouble> {
    const double = new PusherDouble(await freePort());
    double.#server.on('upgrade', (request, socket, head) => {
      double.#ws.handleUpgrade(request, socket, head, (websocket) => double.#accept(websocket));
    });
    await double.listen();
    onTestFinished(() => double.stop());
    return double;
  }

  /** Listens, on the same port as before. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
  }

  /** Cuts every connection and refuses new ones. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cut();
    await closed;
  }

  /** Cuts every connection, without a word. */
  cut(): void {
    this.sockets.splice(0).forEach((socket) => socket.terminate());
  }

  /** Ends every connection with a close code. */
  end(code: number, reason = ''): void {
    this.sockets.splice(0).forEach((socket) => socket.close(code, reason));
  }

  /** Sends this text to everyone. */
  say(text: string): void {
    this.sockets.forEach((socket) => socket.send(text));
  }

  publish(event: string, channel: string, payload: unknown): void {
    this.say(eventText(event, channel, JSON.stringify(payload)));
  }

  /** Resolves once a subscription of a channel has arrived. */
  async subscribed(channel: string): Promise<void> {
    await expect.poll(() => this.subscriptions.map((known) => known.channel)).toContain(channel);
  }

  #accept(socket: WebSocket): void {
    const socketId = `${this.sockets.length + 1}.${Math.floor(performance.now())}`;
    this.sockets.push(socket);
    socket.on('message', (bytes: Buffer) => this.#hear(socket, socketId, bytes.toString()));
    socket.on('error', () => undefined);
    this.greeting(socket, socketId);
  }

  #hear(socket: WebSocket, socketId: string, text: string): void {
    if (this.isDeaf) return;
    const frame = parseClientFrame(text);
    if (!frame.ok) throw new Error(`the client sent ${text}: ${frame.reason}`);
    if (frame.value.kind === 'ping') socket.send(PONG_TEXT);
    if (frame.value.kind === 'unsubscribe') this.left.push(frame.value.channel);
    if (frame.value.kind !== 'subscribe') return;
    const subscription = { channel: frame.value.channel, auth: frame.value.auth, socketId };
    this.subscriptions.push(subscription);
    const refusal = this.refusal(subscription);
    socket.send(
      refusal === null
        ? subscribedText(subscription.channel)
        : refusedText(subscription.channel, 403, refusal),
    );
  }
}
