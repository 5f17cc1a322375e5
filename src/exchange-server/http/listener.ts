import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import { BODY_BYTES } from '../../venues/futuur/protocol/limits.js';
import {
  type Endpoint,
  ENDPOINTS,
  type EndpointName,
  VERSION_PREFIX,
} from '../../venues/futuur/protocol/rest/endpoints.js';
import { HEADERS } from '../../venues/futuur/protocol/rest/headers.js';
import { refused } from './answer.js';
import { HttpDate } from './http-date.js';
import { ID_IN_PATH, idOf } from './path-id.js';
import type { RequestPipeline } from './pipeline.js';
import { deliver, send } from './reply.js';
import { answerBrokenRequest, refusalOf } from './transport-errors.js';

export interface ListenerParts {
  readonly pipeline: RequestPipeline;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a socket may take before it is closed: half-open ones and floods of headers cost bounded time and memory. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADER_BYTES = 16_384;
const TIMEOUT_CHECK_MS = 1_000;
const SOCKETS_MOST = 10_000;

/** The HTTP side of the exchange: every endpoint bare and under the version prefix, not yet listening. */
export function createListener(parts: ListenerParts): FastifyInstance {
  const listener = Fastify({
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (_error, _request, reply) => send(reply, refused('MalformedRequest')),
    routerOptions: { querystringParser: () => ({}) },
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
  });
  listener.server.maxConnections = SOCKETS_MOST;
  takeRawBodies(listener);
  answerFailures(listener, parts.logger);
  addEndpoints(listener, parts);
  return listener;
}

/** Signatures cover bodies as they were written, so nothing may parse them on the way. */
function takeRawBodies(listener: FastifyInstance): void {
  listener.removeAllContentTypeParsers();
  listener.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function answerFailures(listener: FastifyInstance, logger: Logger): void {
  listener.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(barePath(request.url));
    if (allowed.length === 0) send(reply, refused('NotFound'));
    else send(reply.header('Allow', allowed.join(', ')), refused('MethodNotAllowed'));
  });
  listener.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.status >= 500)
      logger.error('request failed', { err: error, method: request.method, url: request.url });
    send(reply, refusal);
  });
}

function addEndpoints(listener: FastifyInstance, parts: ListenerParts): void {
  const date = new HttpDate();
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const { method, path }: Endpoint = ENDPOINTS[name];
    const handler = (request: FastifyRequest, reply: FastifyReply): void => {
      const { delivery, now } = parts.pipeline.serve(name, wireRequest(request));
      deliver(parts.clock, reply.header(HEADERS.date, date.of(now)), delivery);
    };
    for (const prefix of ['', VERSION_PREFIX]) {
      listener.route({ method, url: prefix + path.replace(':id', ID_IN_PATH), handler });
    }
  }
}

function wireRequest(request: FastifyRequest) {
  return {
    url: request.url,
    barePath: barePath(request.url),
    headers: request.headers,
    id: idOf(request),
    body: request.body as Buffer | undefined,
    origin: originOf(request),
  };
}

const HOST = /^[\w.:[\]-]{1,255}$/;

/** What the client called us; a host that is none cannot enter the references of an answer. */
function originOf(request: FastifyRequest): string {
  const { host = '' } = request.headers;
  const { localAddress, localPort } = request.raw.socket;
  return `http://${HOST.test(host) ? host : `${localAddress}:${localPort}`}`;
}

/** Path without version prefix and query. */
function barePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.startsWith(`${VERSION_PREFIX}/`) ? path.slice(VERSION_PREFIX.length) : path;
}

/** Methods that the path answers, empty for a path that there is not. */
const methodsOf = (path: string): readonly string[] =>
  Object.values(ENDPOINTS)
    .filter((endpoint) => new RegExp(`^${endpoint.path.replace(':id', '\\d{1,15}')}$`).test(path))
    .map(({ method }) => method);
