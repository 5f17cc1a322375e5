import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Answer, refused, refusedFields } from '../http/answer.js';
import { queryPairs, readJsonObject, ID_IN_PATH, idOf } from '../http/input.js';
import { send } from '../http/listener.js';
import { accountRoutes, eventRoutes, operationRoutes } from './routes.js';
import type { AdminParts, AdminRequest, AdminRoute } from './route.js';

/**
 * Adds the admin interface. It answers callers on this machine who carry the token; to all others it is not
 * there (404), with a wrong token 401.
 * @param token empty: no admin interface
 */
export function addAdminInterface(listener: FastifyInstance, token: string, parts: AdminParts): void {
  if (token === '') return;
  const isAllowed = bearerCheck(token);
  for (const route of [...eventRoutes(parts), ...accountRoutes(parts), ...operationRoutes(parts)]) {
    listener.route({
      method: route.method,
      url: route.path.replace(':id', ID_IN_PATH),
      handler: (request, reply) => send(reply, answer(route, request, isAllowed, parts)),
    });
  }
}

type BearerCheck = (authorization: string | undefined) => boolean;

function answer(
  route: AdminRoute,
  request: FastifyRequest,
  isAllowed: BearerCheck,
  parts: AdminParts,
): Answer {
  if (!isLoopback(request.raw.socket.remoteAddress)) return refused('NotFound');
  if (!isAllowed(request.headers.authorization))
    return refused('NotAuthenticated', 'The admin token is wrong.');
  const input = readRequest(request);
  if (input instanceof Answer) return input;
  parts.funnel.settle();
  return route.handle(input);
}

/** Whoever has the token need not say that it is JSON: there is no other kind of body here. */
function readRequest(request: FastifyRequest): AdminRequest | Answer {
  const pairs = queryPairs(request.url);
  if (pairs instanceof Answer) return pairs;
  const body = readJsonObject(request.body as Buffer | undefined);
  if (typeof body === 'string')
    return refusedFields({ body: [`expected one JSON object in UTF-8: ${body}`] });
  return { id: idOf(request), body: body.value, pairs };
}

/**
 * Compares digests, so that neither length nor content of the token shows in the time it takes. The name of the scheme
 * has no case (RFC 7235, section 2.1).
 */
function bearerCheck(token: string): BearerCheck {
  const expected = digest(token);
  return (authorization = '') => {
    const [, found] = /^bearer +(.*)$/i.exec(authorization) ?? [];
    return timingSafeEqual(digest(found ?? ''), expected);
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a peer address is this machine's own, in either family or IPv4 inside IPv6. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
