import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import { BODY_BYTES } from '../../venues/futuur/protocol/profile.js';
import {
  type Endpoint,
  ENDPOINTS,
  type EndpointName,
  VERSION_PREFIX,
} from '../../venues/futuur/protocol/rest/endpoints.js';
import { HEADERS } from '../../venues/futuur/protocol/rest/headers.js';
import { refused, type Answer, rawAnswer } from './answer.js';
import { ID_IN_PATH, idOf } from './input.js';
import type { RequestPipeline } from './pipeline.js';
import type { Micros } from '../../domain/units.js';
import { type Delivery, RESET } from '../faults/request-faults.js';
import { JournalError } from '../../core/ports/journal.js';
import type { OtherErrorCode } from '../../venues/futuur/protocol/errors.js';

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
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const { method, path }: Endpoint = ENDPOINTS[name];
    const handler = (request: FastifyRequest, reply: FastifyReply): void => {
      const { delivery, now } = parts.pipeline.serve(name, wireRequest(request));
      deliver(parts.clock, reply.header(HEADERS.date, httpDate(now)), delivery);
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

const MICROS_PER_MS = 1_000;

/** Writes the answer now. */
export function send(reply: FastifyReply, answer: Answer): void {
  void reply.code(answer.status).headers(answer.headers);
  if (answer.text === '') void reply.send();
  else void reply.type(answer.contentType).send(answer.text);
}

/** Writes the answer when it is due, or ends the connection without one. */
function deliver(clock: Clock, reply: FastifyReply, delivery: Delivery): void {
  if (delivery === RESET) {
    reply.hijack();
    reply.raw.socket?.resetAndDestroy();
  } else if (delivery.delayMs === 0) send(reply, delivery.answer);
  else {
    const due = (clock.now() + delivery.delayMs * MICROS_PER_MS) as Micros;
    clock.at(due, () => send(reply, delivery.answer));
  }
}

/** Requests that never reach the pipeline: broken HTTP, bodies beyond the limit, sockets that stall. */

const PARSER_REFUSALS: Readonly<Record<string, OtherErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'RequestTimeout',
  HPE_HEADER_OVERFLOW: 'HeadersTooLarge',
};

/** Answers what Node's parser refused, then ends the connection. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else socket.end(rawAnswer(refused(PARSER_REFUSALS[error.code ?? ''] ?? 'MalformedRequest')));
}

const STATUS_REFUSALS: Readonly<Record<number, OtherErrorCode>> = {
  400: 'MalformedBody',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
};

/** The answer to an error thrown while a request was read or served. */
function refusalOf(error: unknown): Answer {
  if (error instanceof JournalError) return refused('ServiceUnavailable');
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return refused(STATUS_REFUSALS[status] ?? 'InternalError');
}

/** The `Date` header from the exchange's own clock. */
const httpDate = (now: Micros): string => new Date(Math.floor(now / MICROS_PER_MS)).toUTCString();
