import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a person may tell a running bot over HTTP. */
export interface OperatorCommands {
  /** Expected as `Authorization: Bearer <token>`. */
  readonly token: string;
  readonly kill: (reason: string) => void;
  /** @returns false while a guard's fence stands */
  readonly resume: () => boolean;
}

/**
 * `POST /kill` latches the kill switch, `POST /resume` resets it. Only from this machine, whatever the listener is
 * bound to, and only with the token. What else comes with them, a body of whatever type, decides nothing.
 * @param commands null: nobody may
 */
export function addOperatorRoutes(server: FastifyInstance, commands: OperatorCommands | null): void {
  const route = (path: string, carryOut: (commands: OperatorCommands) => CommandAnswer): void => {
    const answer = (request: FastifyRequest, reply: FastifyReply): void => {
      const { code, body } =
        commands === null ? NO_COMMANDS : (refusalOf(request, commands.token) ?? carryOut(commands));
      void reply.code(code).send(body);
    };
    // Before the body is looked at, which an emergency stop neither waits for nor is turned away for.
    server.post(path, { onRequest: answer }, answer);
  };
  route('/kill', ({ kill }) => {
    kill('POST /kill');
    return { code: 200, body: { killed: true } };
  });
  route('/resume', ({ resume }) => (resume() ? { code: 200, body: { killed: false } } : FENCED));
}

interface CommandAnswer {
  readonly code: number;
  readonly body: object;
}

const refused = (code: number, error: string): CommandAnswer => ({ code, body: { error } });

const NO_COMMANDS = refused(403, 'no token is configured (http.token), so nothing can be commanded here');
const NOT_HERE = refused(403, 'commands are taken from this machine alone');
const NOT_ALLOWED = refused(401, 'expected Authorization: Bearer <token>');
const FENCED = refused(409, 'a fence stands: clear it first with oddsmith guard clear');
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/;
/** The name of a scheme has no case (RFC 9110, 11.1). */
const BEARER = /^bearer +(.*)$/i;

function refusalOf(request: FastifyRequest, token: string): CommandAnswer | null {
  if (!isFromHere(request.socket)) return NOT_HERE;
  const [, given = ''] = BEARER.exec(request.headers.authorization ?? '') ?? [];
  return sameText(given, token) ? null : NOT_ALLOWED;
}

/** Who calls one of the machine's own addresses from this machine calls from that address. */
const isFromHere = ({ remoteAddress = '', localAddress }: FastifyRequest['socket']): boolean =>
  LOOPBACK.test(remoteAddress) || remoteAddress === localAddress;

/** In a time that tells nothing of where two texts differ. */
const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
