import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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
 * bound to, and only with the token.
 * @param commands null: nobody may
 */
export function addOperatorRoutes(server: FastifyInstance, commands: OperatorCommands | null): void {
  const route = (path: string, carryOut: (commands: OperatorCommands) => CommandAnswer): void => {
    server.post(path, (request, reply) => {
      const { code, body } =
        commands === null ? NO_COMMANDS : (refusalOf(request, commands.token) ?? carryOut(commands));
      return reply.code(code).send(body);
    });
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
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

function refusalOf(request: FastifyRequest, token: string): CommandAnswer | null {
  if (!LOOPBACK.has(request.socket.remoteAddress ?? '')) return NOT_HERE;
  return sameText(request.headers.authorization ?? '', `Bearer ${token}`) ? null : NOT_ALLOWED;
}

/** In a time that tells nothing of where two texts differ. */
const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
