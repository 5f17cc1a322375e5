/** A venue that answers as the test says, and remembers what it was sent. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers a request, or does something worse with its connection. */
export type Behaviour = (received: Received, response: ServerResponse) => void;

export interface VenueDouble {
  readonly url: string;
  readonly received: Received[];
  /** Connections accepted so far. */
  connections(): number;
  /** How requests are met from now on. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** Answers with a status and JSON. */
export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (_received, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };

/** Answers with text of another type. */
export const answersText =
  (status: number, type: string, text: string): Behaviour =>
  (_received, response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(text);
  };

/** Cuts the connection once the request has been read. */
export const resets: Behaviour = (_received, response) => void response.socket?.resetAndDestroy();

/** Reads the request and says nothing. */
export const hangs: Behaviour = () => undefined;

/** Each behaviour in turn, the last one from then on. */
export function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  let next = 0;
  return (received, response) => {
    behaviours[Math.min(next++, behaviours.length - 1)]?.(received, response);
  };
}

export async function venueDouble(first: Behaviour = answers(200, {})): Promise<VenueDouble> {
  const received: Received[] = [];
  let behaviour = first;
  let connections = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body });
      behaviour({ method, path, headers, body }, response);
    });
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => connections,
    behave: (next) => (behaviour = next),
    close,
  };
}
