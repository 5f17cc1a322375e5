import { once } from 'node:events';
import { WebSocket } from 'ws';
import { serve, type Served } from './served.js';
import { APP_KEY, EVENTS } from './venue.js';

/** What one process measured. */
export interface FanOutResult {
  readonly messagesPerSecond: number;
}

const SUBSCRIBERS = 100;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 3_000;
/** Changes of all books between two looks at what has arrived. */
const CHANGES = 2;

/**
 * Messages a second to a hundred subscribers of twenty events, while one more subscriber has stopped reading.
 * @throws Error when a message is lost, or when the one that does not read is not cut off
 */
export async function measureFanOut(): Promise<FanOutResult> {
  const venue = await serve();
  const counts = new Counts();
  const readers = await Promise.all(Array.from({ length: SUBSCRIBERS }, () => subscriber(venue.port)));
  for (const reader of readers) reader.on('message', () => counts.receive());
  const stuck = await subscriber(venue.port);
  await subscribe(stuck, GLOBAL);
  stuck.pause();
  await speakFor(WARM_UP_MS, venue, counts);
  const begin = performance.now();
  const before = counts.received;
  await speakFor(MEASURED_MS, venue, counts);
  const seconds = (performance.now() - begin) / 1_000;
  stuck.resume();
  await once(stuck, 'close', { signal: AbortSignal.timeout(10_000) });
  if (readers.some((reader) => reader.readyState !== WebSocket.OPEN)) throw new Error('a reader was cut off');
  venue.stop();
  return { messagesPerSecond: (counts.received - before) / seconds };
}

/** Lets the exchange speak, and waits each time until everybody has heard everything. */
async function speakFor(ms: number, venue: Served, counts: Counts): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    counts.expect((await venue.speak(CHANGES)) * SUBSCRIBERS);
    await counts.complete();
  }
}

class Counts {
  received = 0;
  private expected = 0;
  private onComplete: (() => void) | null = null;

  expect(messages: number): void {
    this.expected += messages;
  }

  receive(): void {
    this.received += 1;
    if (this.received === this.expected) this.onComplete?.();
  }

  /** @throws Error when messages are missing after five seconds */
  complete(): Promise<void> {
    if (this.received === this.expected) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`${this.expected - this.received} messages lost`)),
        5_000,
      );
      this.onComplete = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }
}

/** Connected and subscribed to every event. */
async function subscriber(port: number): Promise<WebSocket> {
  const websocket = new WebSocket(`ws://127.0.0.1:${port}/app/${APP_KEY}?protocol=7`);
  websocket.on('error', () => undefined);
  await once(websocket, 'message');
  for (let event = 1; event <= EVENTS; event++) await subscribe(websocket, `event-${event}`);
  return websocket;
}

/** The channel where long messages come by. */
const GLOBAL = 'event';

async function subscribe(websocket: WebSocket, channel: string): Promise<void> {
  websocket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel } }));
  await once(websocket, 'message');
}
