import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import type { Random } from '../../core/ports/random.js';
import { readForm } from '../../venues/futuur/protocol/shape.js';
import { ACTIVITY_TIMEOUT_S, MESSAGE_BYTES, PONG_TIMEOUT_S } from '../../venues/futuur/protocol/profile.js';
import {
  CLOSE_CODES,
  type CloseCode,
  errorText,
  establishedText,
  PUSHER_PATH_PREFIX,
  PUSHER_PROTOCOL,
  PING_TEXT,
} from '../../venues/futuur/protocol/pusher-frames.js';
import { refused, rawAnswer } from '../http/answer.js';
import { Connection, type Cut, type Hub, Session, type PusherApplication } from './session.js';
import type { Micros } from '../../domain/units.js';

/** Connections at one time; more are asked to come back later. */
const CONNECTIONS_MOST = 10_000;
/** RFC 6455, 7.4.1: the endpoint goes away. Clients of Pusher treat it as a lost connection. */
const GOING_AWAY = 1001;

export interface PusherParts {
  readonly hub: Hub;
  readonly application: PusherApplication;
  /** Channels that a connection may join; null: no limit. */
  readonly channelsMost: number | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Takes websocket handshakes of Pusher protocol 7 from the one listening port and serves the connections. */
export class PusherListener {
  private readonly connections = new Set<Connection>();
  /** Connections ended from our side since the start, by reason. */
  readonly cuts: Record<Cut, number> = { slow: 0, fault: 0, silent: 0, protocol: 0, stopping: 0 };
  private readonly heartbeat: Heartbeat;
  private readonly websockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  });

  constructor(private readonly parts: PusherParts) {
    this.heartbeat = new Heartbeat(this.connections, parts.clock);
  }

  /** Begins to look after silent connections. */
  start(): void {
    this.heartbeat.start();
  }

  /** Handler of the HTTP server's `upgrade` event. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const target = readTarget(request.url ?? '');
    if (target === null) socket.end(rawAnswer(refused('NotFound')));
    else {
      this.websockets.handleUpgrade(request, socket, head, (websocket) => this.accept(websocket, target));
    }
  }

  /** Says goodbye to everyone. */
  close(): void {
    this.heartbeat.stop();
    for (const connection of this.connections) {
      connection.close(GOING_AWAY, 'The service is stopping', 'stopping');
    }
    this.websockets.close();
  }

  private accept(websocket: WebSocket, target: Target): void {
    const refusal = this.refusalOf(target);
    const socketId = `${this.parts.random.below(2 ** 31)}.${this.parts.random.below(2 ** 31)}`;
    const connection = new Connection(socketId, this.parts.clock.now(), websocket, (cut) =>
      this.noteCut(socketId, cut),
    );
    websocket.on('error', () => websocket.terminate());
    if (refusal !== null) {
      connection.send(errorText(refusal.code, refusal.message));
      connection.close(refusal.code, refusal.message, 'protocol');
      return;
    }
    this.serve(connection, websocket);
    connection.send(establishedText(socketId, ACTIVITY_TIMEOUT_S));
  }

  private serve(connection: Connection, websocket: WebSocket): void {
    const { hub, application, channelsMost, clock } = this.parts;
    const session = new Session(connection, hub, application, channelsMost);
    this.connections.add(connection);
    websocket.on('message', (bytes: Buffer) => {
      connection.heard(clock.now());
      session.receive(bytes.toString('utf8'));
    });
    websocket.on('close', () => {
      this.connections.delete(connection);
      hub.leaveAll(connection);
    });
  }

  private refusalOf({ key, protocol }: Target): Refusal | null {
    if (key !== this.parts.application.key) return UNKNOWN_APPLICATION;
    if (protocol === null) return NO_PROTOCOL;
    if (protocol !== String(PUSHER_PROTOCOL)) return UNSUPPORTED_PROTOCOL;
    return this.connections.size < CONNECTIONS_MOST ? null : OVER_CAPACITY;
  }

  /** Connections at this moment. */
  get size(): number {
    return this.connections.size;
  }

  private noteCut(socketId: string, cut: Cut): void {
    this.cuts[cut] += 1;
    if (cut === 'slow' || cut === 'fault')
      this.parts.logger.info('realtime connection cut', { socketId, cut });
  }
}

interface Refusal {
  readonly code: CloseCode;
  readonly message: string;
}

const UNKNOWN_APPLICATION: Refusal = {
  code: CLOSE_CODES.unknownApplication,
  message: 'Application does not exist',
};
const NO_PROTOCOL: Refusal = { code: CLOSE_CODES.noProtocol, message: 'No protocol version supplied' };
const UNSUPPORTED_PROTOCOL: Refusal = {
  code: CLOSE_CODES.unsupportedProtocol,
  message: `Only protocol ${PUSHER_PROTOCOL} is supported`,
};
const OVER_CAPACITY: Refusal = { code: CLOSE_CODES.overCapacity, message: 'Over capacity' };

interface Target {
  readonly key: string;
  readonly protocol: string | null;
}

/** `/app/<key>?protocol=7&client=...`. @returns null for any other path */
function readTarget(url: string): Target | null {
  const [path = '', query = ''] = url.split('?', 2);
  const key = path.slice(PUSHER_PATH_PREFIX.length);
  const pairs = readForm(query);
  if (!path.startsWith(PUSHER_PATH_PREFIX) || key === '' || key.includes('/') || pairs === null) return null;
  return { key, protocol: pairs.find(([name]) => name === 'protocol')?.[1] ?? null };
}

const MICROS_PER_SECOND = 1_000_000;

/**
 * Looks at all connections once a second: one that has been silent for the activity timeout is pinged, one that
 * stays silent is closed. This also ends sockets whose other end is gone without saying so.
 */
export class Heartbeat {
  private cancel: (() => void) | null = null;

  constructor(
    private readonly connections: ReadonlySet<Connection>,
    private readonly clock: Clock,
  ) {}

  start(): void {
    const next = (this.clock.now() + MICROS_PER_SECOND) as Micros;
    this.cancel = this.clock.at(next, () => {
      this.look();
      this.start();
    });
  }

  stop(): void {
    this.cancel?.();
  }

  private look(): void {
    for (const connection of this.connections) this.lookAt(connection);
  }

  private lookAt(connection: Connection): void {
    const silentS = (this.clock.now() - connection.lastHeard) / MICROS_PER_SECOND;
    if (silentS >= ACTIVITY_TIMEOUT_S + PONG_TIMEOUT_S) {
      connection.close(CLOSE_CODES.pongTimeout, 'Pong reply not received in time', 'silent');
    } else if (silentS >= ACTIVITY_TIMEOUT_S && !connection.pinged) {
      connection.pinged = true;
      connection.send(PING_TEXT);
    }
  }
}
