/** Who may read and who may command over HTTP. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export interface CommandAnswer {
  readonly code: number;
  readonly body: object;
}

export const refused = (code: number, error: string): CommandAnswer => ({ code, body: { error } });

export const NO_COMMANDS = refused(
  403,
  'no token is configured (http.token), so nothing can be commanded here',
);
const NOT_HERE = refused(403, 'commands are taken from this machine alone');
const NOT_ALLOWED = refused(401, 'expected Authorization: Bearer <token>');
const CROSS_SITE = refused(403, 'the request comes from a page of another site, which is never answered');
const STRANGE_HOST = refused(
  403,
  'the Host header names no address of this machine; with the token it may name any',
);
const FROM_ELSEWHERE = refused(
  401,
  'from another machine the API is read with Authorization: Bearer <token> alone (http.token)',
);

/** A request with one of these came through a proxy. */
const PROXIED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/;
/** Names of schemes ignore case (RFC 9110, 11.1). */
const BEARER = /^bearer +(.*)$/i;

/** What opens the API. */
export interface Keys {
  /** Of the configuration; null: without the secret it can only be read, and only from this machine. */
  readonly token: string | null;
  /** Of this run alone, in a file that only the user of the bot can read: for commands of the same user. */
  readonly secret: string;
}

/** Why a command is refused: it needs the token and a caller on this machine, whatever address the listener has. */
export function refusalOf(request: FastifyRequest, token: string): CommandAnswer | null {
  if (!isFromHere(request.socket)) return NOT_HERE;
  return hasToken(request, token) ? null : NOT_ALLOWED;
}

/** Why the API does not let a request read: a page of another site, a name that was bent to this machine, or no token. */
export function readingRefusal(request: FastifyRequest, keys: Keys): CommandAnswer | null {
  if (isCrossSite(request)) return CROSS_SITE;
  if (isKnown(request, keys)) return null;
  if (!isFromHere(request.socket) || PROXIED.some((name) => request.headers[name] !== undefined))
    return FROM_ELSEWHERE;
  return isLocalName(request) ? null : STRANGE_HOST;
}

/** Why figures that other programs collect are refused: they are open wherever the bot listens, but to no page of another site. */
export function figuresRefusal(request: FastifyRequest, keys: Keys): CommandAnswer | null {
  if (isCrossSite(request)) return CROSS_SITE;
  if (isKnown(request, keys) || !isFromHere(request.socket) || isLocalName(request)) return null;
  return STRANGE_HOST;
}

/** Why an action is refused. */
export function actionRefusal(request: FastifyRequest, { token, secret }: Keys): CommandAnswer | null {
  if (isCrossSite(request)) return CROSS_SITE;
  if (hasToken(request, secret)) return null;
  if (token === null) return NO_COMMANDS;
  return hasToken(request, token) ? null : NOT_ALLOWED;
}

const isKnown = (request: FastifyRequest, { token, secret }: Keys): boolean =>
  hasToken(request, secret) || (token !== null && hasToken(request, token));

function hasToken(request: FastifyRequest, token: string): boolean {
  const [, given = ''] = BEARER.exec(request.headers.authorization ?? '') ?? [];
  return sameText(given, token);
}

/** A local caller of one of the machine's addresses has that same address. */
const isFromHere = ({ remoteAddress = '', localAddress }: FastifyRequest['socket']): boolean =>
  LOOPBACK.test(remoteAddress) || remoteAddress === localAddress;

/**
 * Browsers say where a request comes from; other programs say nothing. What a browser says of the site counts behind TLS, too,
 * where the origin is not `http`.
 */
function isCrossSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}

/** A name that an attacker owns may lead to this machine (DNS rebinding); `localhost` and plain addresses cannot be bent. */
function isLocalName({ headers, socket }: FastifyRequest): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  const address = socket.localAddress?.replace(/^::ffff:/, '');
  return name === 'localhost' || LOOPBACK.test(name) || name === address;
}

/** Compares in constant time. */
const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
