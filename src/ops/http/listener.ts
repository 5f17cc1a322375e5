import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { UsageError } from '../../domain/errors.js';
import { type CommandAnswer, figuresRefusal, NO_COMMANDS, refusalOf, refused } from './access.js';
import { addApi } from './api.js';
import { addPage } from './page.js';
import type { BotApi } from './contract.js';
import type { EngineView, MarketStateView } from '../../core/engine/observing/view.js';

export interface ListenerOptions {
  /** Address to listen on. Default: loopback, because the pages are private. */
  readonly host: string;
  /** Port, which must be free; 0: any. null: {@link USUAL_PORT}, or a free one if it is busy. */
  readonly port: number | null;
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  readonly readiness: () => Readiness;
  /** null: no commands over HTTP. */
  readonly commands: OperatorCommands | null;
  /** As {@link Keys.secret}. */
  readonly secret: string;
  /** What is served below `/api`. */
  readonly api: BotApi;
}

const USUAL_PORT = 9_464;

/** The one HTTP listener of a bot. */
export interface Listener {
  /** Such as `http://127.0.0.1:9464`, with the real port. */
  readonly url: string;
  /** Resolves when no connection is left. */
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` (Prometheus), `GET /health` (the process answers), `GET /ready` (the bot works), what the bot is and
 * does below `/api` and, with a token, actions, `POST /kill`, `POST /resume` and `POST /fair-values`.
 * @throws UsageError when it cannot listen on the address
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const server = botServer(options);
  try {
    await listen(server, options);
  } catch (error) {
    await server.close();
    throw listenFailure(error, options);
  }
  return { url: urlOf(server.server.address() as AddressInfo), close: () => server.close() };
}

/** Everything that a bot serves. Nobody listens yet. */
export function botServer(options: Omit<ListenerOptions, 'host' | 'port'>): FastifyInstance {
  const server = fastify({ forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: true } });
  const keys = { token: options.commands?.token ?? null, secret: options.secret };
  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const refusal = figuresRefusal(request, keys);
    if (refusal === null) return done();
    void reply.code(refusal.code).send(refusal.body);
  };
  server.get('/metrics', { onRequest }, async (_request, reply) => {
    const { contentType, text } = await options.metrics();
    return reply.type(contentType).send(text);
  });
  server.get('/health', () => ({ alive: true }));
  server.get('/ready', { onRequest }, (_request, reply) => {
    const readiness = options.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  addOperatorRoutes(server, options.commands);
  addPage(server);
  addApi(server, options.api, keys);
  return server;
}

type Address = Pick<ListenerOptions, 'host' | 'port'>;

/** @param server of fastify, or anything else that listens the same way */
export async function listen(
  server: { listen(at: { host: string; port: number }): Promise<unknown> },
  { host, port }: Address,
): Promise<void> {
  try {
    await server.listen({ host, port: port ?? USUAL_PORT });
  } catch (error) {
    if (port !== null || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await server.listen({ host, port: 0 });
  }
}

/** Unknown host or interface, or a port that this user may not use. */
export function listenFailure(error: unknown, { host, port }: Address): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new UsageError(`http.port: ${port} is busy; state a free one, 0 for any, or leave the key out`, {
      cause: error,
    });
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  const text = `http.host: ${host} cannot be listened on (${code}); it takes an address of this machine, such as 127.0.0.1`;
  return new UsageError(text, { cause: error });
}

export const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

/** Commands to a running bot over HTTP. */
export interface OperatorCommands {
  /** Expected as `Authorization: Bearer <token>`. */
  readonly token: string;
  readonly kill: (reason: string) => void;
  /** @returns false while a guard's fence stands */
  readonly resume: () => boolean;
  /** Takes fair values in. @returns what became of them; null where no source takes them */
  readonly fairValues: (body: string) => SentValues | null;
}

/** What became of fair values that were sent. */
export interface SentValues {
  readonly accepted: number;
  readonly refused: readonly object[];
}

/**
 * `POST /kill` latches the kill switch, `POST /resume` resets it. Both need the token and a caller on this machine,
 * whatever address the listener has. A body is ignored.
 * @param commands null: both are refused
 */
export function addOperatorRoutes(server: FastifyInstance, commands: OperatorCommands | null): void {
  const route = (path: string, carryOut: (commands: OperatorCommands) => CommandAnswer): void => {
    const answer = (request: FastifyRequest, reply: FastifyReply): void => {
      const { code, body } =
        commands === null ? NO_COMMANDS : (refusalOf(request, commands.token) ?? carryOut(commands));
      void reply.code(code).send(body);
    };
    // The body is ignored: an emergency stop must not wait for it or be refused because of it.
    server.post(path, { onRequest: answer }, answer);
  };
  route('/kill', ({ kill }) => {
    kill('POST /kill');
    return { code: 200, body: { killed: true } };
  });
  route('/resume', ({ resume }) => (resume() ? { code: 200, body: { killed: false } } : FENCED));
  void server.register((scope, _options, done) => {
    addFairValues(scope, commands);
    done();
  });
}

/** `POST /fair-values` takes JSON, NDJSON or CSV, whatever content type it says; who calls is judged before it is read. */
function addFairValues(server: FastifyInstance, commands: OperatorCommands | null): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const refusal = commands === null ? NO_COMMANDS : refusalOf(request, commands.token);
    if (refusal === null) done();
    else void reply.code(refusal.code).send(refusal.body);
  };
  server.post('/fair-values', { onRequest }, (request, reply) => {
    const { body } = request;
    const sent = commands?.fairValues(typeof body === 'string' ? body : '') ?? null;
    if (sent === null) return reply.code(NO_SOURCE.code).send(NO_SOURCE.body);
    return reply.code(sent.refused.length === 0 && sent.accepted > 0 ? 200 : 422).send(sent);
  });
}

const NO_SOURCE = refused(409, 'fairValues of the configuration names no source of kind push');
const FENCED = refused(409, 'a fence stands: clear it first with oddsmith guard clear');

/** Tells whether a bot is ready. `reasons` is empty exactly when it is. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** A bot is ready when it runs, is connected, was not killed, and every quoted open market has its book and its signals. */
export function readinessOf(view: EngineView | null): Readiness {
  const reasons = view === null ? ['the engine has not started'] : reasonsAgainst(view);
  return { ready: reasons.length === 0, reasons };
}

/** So many failures of a request in a row make a bot unready. */
const OFTEN = 3;

function reasonsAgainst(view: EngineView): string[] {
  const reasons = standingReasons(view);
  const failing = view.failing.filter(({ times }) => reasons.length > 0 || times >= OFTEN);
  return [...failing.map(({ text }) => text), ...reasons];
}

function standingReasons({ phase, connection, killed, alarms, instances, markets }: EngineView): string[] {
  const faults = instances.flatMap(({ name, fault }) =>
    fault === null ? [] : [`instance ${name}: ${fault}`],
  );
  return [
    ...(phase === 'running' ? [] : [`the engine is ${phase}`]),
    ...(connection.state === 'connected'
      ? []
      : [`the connection is ${connection.state}: ${connection.reason}`]),
    ...alarms.map(({ text }) => text),
    ...(killed === null ? [] : [`the kill switch is latched: ${killed}`]),
    ...faults,
    ...together(markets.filter(lacksBook), ({ book }) => `${book.freshness}: ${book.reason}`, [
      (id, state) => `the book of market ${id} is ${state}`,
      (ids, state) => `the books of ${ids} are ${state}`,
    ]),
    ...together(
      markets.filter(({ halted }) => halted?.startsWith('signal-') === true),
      ({ halted }) => String(halted),
      [(id, halt) => `market ${id} is not quoted: ${halt}`, (ids, halt) => `${ids} are not quoted: ${halt}`],
    ),
  ];
}

type Telling = (which: string, state: string) => string;
/** Of several markets in one state, so many are named. */
const NAMED = 3;

/** One text for each state, however many markets are in it. */
function together(
  markets: readonly MarketStateView[],
  stateOf: (market: MarketStateView) => string,
  [ofOne, ofSeveral]: readonly [Telling, Telling],
): readonly string[] {
  const byState = new Map<string, string[]>();
  for (const market of markets) {
    const state = stateOf(market);
    byState.set(state, [...(byState.get(state) ?? []), market.marketId]);
  }
  return [...byState].map(([state, ids]) => {
    if (ids.length === 1) return ofOne(ids[0]!, state);
    const more = ids.length > NAMED ? `, … and ${ids.length - NAMED} more` : '';
    return ofSeveral(`${ids.length} markets (${ids.slice(0, NAMED).join(', ')}${more})`, state);
  });
}

/** A `hidden` side is known from the last signed read, so its book is usable. */
const USABLE: readonly string[] = ['live', 'hidden'];
const SHUT: readonly string[] = ['paused', 'closed'];

/** Whether a market is quoted whose book cannot be relied on. */
export const lacksBook = ({ instance, tradability, book }: MarketStateView): boolean =>
  instance !== null && !SHUT.includes(tradability) && !USABLE.includes(book.freshness);
