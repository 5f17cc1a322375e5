/** One address for several bots: each below `/accounts/<name>/`, and what concerns all of them on top. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { figuresRefusal } from './access.js';
import { botServer, listen, type Listener, listenFailure, type ListenerOptions, urlOf } from './listener.js';

interface Mounted {
  readonly server: FastifyInstance;
  readonly options: ListenerOptions;
}

const BELOW = /^\/accounts\/([^/?]+)(\/?)/;

export class SharedListener {
  readonly #bots = new Map<string, Mounted>();
  readonly #server: Server;
  readonly #top: FastifyInstance;

  private constructor(private readonly names: readonly string[]) {
    this.#top = this.#topServer();
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  /**
   * @param names of all bots that are to run
   * @throws UsageError when it cannot listen on the address
   */
  static async open(
    at: Pick<ListenerOptions, 'host' | 'port'>,
    names: readonly string[],
  ): Promise<SharedListener> {
    const shared = new SharedListener(names);
    await shared.#top.ready();
    try {
      await listen({ listen: (where) => listening(shared.#server, where) }, at);
    } catch (error) {
      throw listenFailure(error, at);
    }
    return shared;
  }

  /** Such as `http://127.0.0.1:9464`. */
  get url(): string {
    return urlOf(this.#server.address() as AddressInfo);
  }

  /** A bot is heard below its name until it closes its listener. */
  async mount(name: string, options: ListenerOptions): Promise<Listener> {
    const server = botServer(options);
    await server.ready();
    this.#bots.set(name, { server, options });
    const close = async (): Promise<void> => {
      this.#bots.delete(name);
      await server.close();
    };
    return { url: `${this.url}/accounts/${name}`, close };
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const [below = '', name = '', slash] = BELOW.exec(request.url ?? '') ?? [];
    const bot = this.#bots.get(name);
    if (below === '') return this.#top.routing(request, response);
    if (bot === undefined)
      return void response.writeHead(404).end('{"error":"no bot of that name runs here"}');
    // What a page loads is relative to it.
    if (slash === '') return void response.writeHead(308, { location: `${below}/` }).end();
    request.url = `/${(request.url ?? '').slice(below.length)}`;
    bot.server.routing(request, response);
  }

  /** Of a bot that has not begun, or has ended: no. */
  #readiness(name: string): ReturnType<ListenerOptions['readiness']> {
    return this.#bots.get(name)?.options.readiness() ?? { ready: false, reasons: ['it does not run'] };
  }

  #topServer(): FastifyInstance {
    const server = fastify({ routerOptions: { ignoreTrailingSlash: true } });
    const keys = { token: null, secret: randomBytes(32).toString('base64url') };
    const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      const refusal = figuresRefusal(request, keys);
      if (refusal === null) return done();
      void reply.code(refusal.code).send(refusal.body);
    };
    server.get('/', { onRequest }, (_request, reply) =>
      reply
        .headers({ 'content-security-policy': "default-src 'none'", 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(this.#page()),
    );
    server.get('/health', () => ({ alive: true }));
    server.get('/ready', { onRequest }, (_request, reply) => {
      const accounts = Object.fromEntries(this.names.map((name) => [name, this.#readiness(name)]));
      const ready = Object.values(accounts).every((one) => one.ready);
      return reply.code(ready ? 200 : 503).send({ ready, accounts });
    });
    server.get('/metrics', { onRequest }, async (_request, reply) => {
      const all = await Promise.all([...this.#bots.values()].map(({ options }) => options.metrics()));
      const type = all[0]?.contentType ?? 'text/plain';
      return reply.type(type).send(mergedExposition(all.map(({ text }) => text)));
    });
    return server;
  }

  #page(): string {
    const rows = this.names.map((name) => {
      const { ready, reasons } = this.#readiness(name);
      const state = ready ? 'ready' : `not ready: ${reasons.join('; ')}`;
      return `<li><a href="accounts/${name}/">${name}</a> ${state.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</li>`;
    });
    return `<!doctype html><html lang="en"><title>Oddsmith</title><h1>Accounts</h1><ul>${rows.join('')}</ul></html>`;
  }
}

const listening = (
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** The metrics of several bots, each metric once: its samples together behind its one head. */
export function mergedExposition(texts: readonly string[]): string {
  const blocks = new Map<string, { readonly head: readonly string[]; readonly samples: string[] }>();
  for (const text of texts)
    for (const block of text.split(/\n(?=# HELP )/)) {
      const lines = block.split('\n').filter((line) => line !== '');
      const head = lines.filter((line) => line.startsWith('#'));
      const name = head[0]?.split(' ')[2] ?? '';
      const known = blocks.get(name) ?? { head, samples: [] };
      known.samples.push(...lines.slice(head.length));
      blocks.set(name, known);
    }
  return [...blocks.values()].flatMap(({ head, samples }) => [...head, ...samples, '']).join('\n');
}
