import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../domain/errors.js';
import { addOperatorRoutes, type OperatorCommands } from './operator-routes.js';
import type { Readiness } from './readiness.js';

export interface ListenerOptions {
  /** Loopback unless the user says otherwise: what is shown here is nobody else's business. */
  readonly host: string;
  /** Preferred; when it is taken a free one is used instead. 0: any. */
  readonly port: number;
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  readonly readiness: () => Readiness;
  /** null: nothing can be commanded over HTTP. */
  readonly commands: OperatorCommands | null;
}

/** The one HTTP listener of a bot. */
export interface Listener {
  /** `http://127.0.0.1:9464`, with the port that was found. */
  readonly url: string;
  /** Resolves when no connection is left. */
  close(): Promise<void>;
}

/**
 * Listens for `GET /metrics` (Prometheus), `GET /health` (the process answers), `GET /ready` (it does its work) and,
 * with a token, `POST /kill` and `POST /resume`.
 * @throws UsageError when the address cannot be had
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const server = fastify({ forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: true } });
  server.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await options.metrics();
    return reply.type(contentType).send(text);
  });
  server.get('/health', () => ({ alive: true }));
  server.get('/ready', (_request, reply) => {
    const readiness = options.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  addOperatorRoutes(server, options.commands);
  try {
    await listen(server, options);
  } catch (error) {
    await server.close();
    throw listenFailure(error, options);
  }
  return { url: urlOf(server.server.address() as AddressInfo), close: () => server.close() };
}

async function listen(server: FastifyInstance, { host, port }: ListenerOptions): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await server.listen({ host, port: 0 });
  }
}

/** No such name or interface, or a port that this user may not have. */
function listenFailure(error: unknown, { host }: ListenerOptions): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  const text = `http.host: ${host} cannot be listened on (${code}); it takes an address of this machine, such as 127.0.0.1`;
  return new UsageError(text, { cause: error });
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
