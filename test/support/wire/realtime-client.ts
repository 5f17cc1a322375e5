/** A plain client of Pusher protocol 7: it shows every frame and hides nothing behind reconnections. */
import { WebSocket } from 'ws';

export interface Frame {
  readonly event: string;
  readonly channel?: string;
  readonly data?: unknown;
}

export type Payload = Readonly<Record<string, unknown>>;
export const payload = (frame: Frame): Payload => frame.data as Payload;

/** Whether a payload has this id in this field. */
export const about =
  (field: string, id: number) =>
  (frame: Frame): boolean =>
    payload(frame)[field] === id;

export interface Goodbye {
  readonly code: number;
  readonly reason: string;
}

interface Wait {
  readonly matches: (frame: Frame) => boolean;
  readonly resolve: (frame: Frame) => void;
}

const WAIT_MS = 30_000;

export class RealtimeClient {
  /** Every frame received, with `data` parsed once more as clients do. */
  readonly frames: Frame[] = [];
  readonly goodbye: Promise<Goodbye>;
  private readonly waits = new Set<Wait>();

  private constructor(readonly websocket: WebSocket) {
    websocket.on('message', (bytes: Buffer) => this.receive(bytes.toString('utf8')));
    websocket.on('error', () => undefined);
    this.goodbye = new Promise((resolve) => {
      websocket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  /** @param address `ws://host:port/app/key?protocol=7&...` */
  static open(address: string): RealtimeClient {
    return new RealtimeClient(new WebSocket(address));
  }

  /** The socket id of the established connection. */
  async socketId(): Promise<string> {
    const { data } = await this.next('pusher:connection_established');
    return (data as { socket_id: string }).socket_id;
  }

  /** Subscribes and waits for the answer of the service. @returns the answering frame */
  async subscribe(channel: string, auth?: string): Promise<Frame> {
    this.send({ event: 'pusher:subscribe', data: auth === undefined ? { channel } : { channel, auth } });
    return this.nextWhere(
      (frame) =>
        (frame.event === 'pusher_internal:subscription_succeeded' ||
          frame.event === 'pusher:subscription_error') &&
        frame.channel === channel,
    );
  }

  send(frame: unknown): void {
    this.websocket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The first frame of this event, received already or still to come. */
  next(event: string, matches: (frame: Frame) => boolean = () => true): Promise<Frame> {
    return this.nextWhere((frame) => frame.event === event && matches(frame), event);
  }

  nextWhere(matches: (frame: Frame) => boolean, what = 'frame'): Promise<Frame> {
    const known = this.frames.find(matches);
    return known === undefined ? this.wait(matches, what) : Promise.resolve(known);
  }

  ofEvent(event: string): readonly Frame[] {
    return this.frames.filter((frame) => frame.event === event);
  }

  /** Resolves once everything sent to us before this call has arrived: a pong follows it. */
  async settled(): Promise<void> {
    const before = this.ofEvent('pusher:pong').length;
    this.send({ event: 'pusher:ping', data: {} });
    await this.nextWhere(() => this.ofEvent('pusher:pong').length > before, 'pusher:pong');
  }

  close(): void {
    this.websocket.terminate();
  }

  private wait(matches: Wait['matches'], what: string): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${what} within ${WAIT_MS} ms`)), WAIT_MS);
      const wait: Wait = { matches, resolve: (frame) => (clearTimeout(timer), resolve(frame)) };
      this.waits.add(wait);
    });
  }

  private receive(text: string): void {
    const frame = JSON.parse(text) as Frame;
    const opened =
      typeof frame.data === 'string' ? { ...frame, data: JSON.parse(frame.data) as unknown } : frame;
    this.frames.push(opened);
    for (const wait of this.waits) {
      if (!wait.matches(opened)) continue;
      this.waits.delete(wait);
      wait.resolve(opened);
    }
  }
}
