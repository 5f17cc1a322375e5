import { createHash } from 'node:crypto';
import { request } from 'node:http';
import fastify, { type FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { figuresRefusal } from '../../../../src/ops/http/access.js';
import type { BotApi } from '../../../../src/ops/http/contract.js';
import { startListener } from '../../../../src/ops/http/listener.js';
import { addPage, EXCHANGE_PAGE } from '../../../../src/ops/http/page.js';
import { toldApi } from '../../../support/bot/told-api.js';

const TOKEN = '0123456789abcdef';
const SECRET = 'of-this-run-alone';
const BEARER = { authorization: `Bearer ${TOKEN}` };

interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function start(token: string | null = TOKEN, changes: Partial<BotApi> = {}) {
  const { api, told } = toldApi(changes);
  const commands = { kill: () => undefined, resume: () => true, fairValues: () => null };
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    metrics: () => Promise.resolve({ contentType: 'text/plain', text: '1' }),
    readiness: () => ({ ready: true, reasons: [] }),
    commands: token === null ? null : { token, ...commands },
    secret: SECRET,
    api,
  });
  onTestFinished(() => listener.close());
  const { host, port } = new URL(listener.url);
  /** fetch forbids a Host and an Origin of one's own. */
  const ask = async (path: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
    const text = body === undefined ? null : JSON.stringify(body);
    const type = text === null ? {} : { 'content-type': 'application/json' };
    return await new Promise<{ readonly status: number; readonly body: unknown }>((resolve, reject) => {
      const sent = request(`${listener.url}${path}`, { method, headers: { host, ...type, ...headers } });
      sent.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, body: JSON.parse(Buffer.concat(chunks).toString()) }),
        );
      });
      sent.end(text);
    });
  };
  const act = (body: unknown, headers: Readonly<Record<string, string>> = BEARER) =>
    ask('/api/actions', { method: 'POST', headers, body });
  return { ask, act, told, host, port, url: listener.url };
}

describe('the secret of a run', () => {
  it('lets commands of the same user act where no token is configured, and nobody else', async () => {
    const { act } = await start(null);
    const pause = { action: 'pause', scope: { market: '9' } };
    expect((await act(pause, { authorization: `Bearer ${SECRET}` })).status).toBe(200);
    expect((await act(pause)).status).toBe(403);
  });
});

describe('reading from this machine', () => {
  it('needs no token', async () => {
    const { ask } = await start(null);
    expect(await ask('/api/markets')).toEqual({ status: 200, body: [] });
  });

  it('says that nothing has such an id', async () => {
    const { ask } = await start();
    expect(await ask('/api/markets/9')).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('/api/markets') },
    });
    expect((await ask('/api/events/9')).status).toBe(404);
  });

  it('hands the place to go on from over', async () => {
    const { ask } = await start();
    expect(await ask('/api/fills?since=7')).toEqual({ status: 200, body: { fills: [], last: 7 } });
    expect(await ask('/api/fills?since=x')).toEqual({ status: 200, body: { fills: [], last: 0 } });
  });

  it.each(['localhost', '127.0.0.1', '[::1]'])('answers to the name %s', async (name) => {
    const { ask, port } = await start();
    expect((await ask('/api/markets', { headers: { host: `${name}:${port}` } })).status).toBe(200);
  });
});

describe('what is refused', () => {
  it.each([
    ['a name that leads here', { host: 'evil.example' }],
    ['a name that begins like ours', { host: '127.0.0.1.evil.example' }],
    ['a page of another site', { origin: 'http://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a fetch from another site', { 'sec-fetch-site': 'cross-site' }],
    ['a fetch from another port', { 'sec-fetch-site': 'same-site' }],
    ['a proxy', { 'x-forwarded-for': '192.0.2.7' }],
    ['a proxy that says so in the standard way', { forwarded: 'for=192.0.2.7' }],
    ['a proxy that names one address', { 'x-real-ip': '192.0.2.7' }],
    ['a proxy that names itself', { via: '1.1 proxy' }],
  ])('is %s', async (_what, headers) => {
    const { ask } = await start();
    expect((await ask('/api/status', { headers })).status).toBeGreaterThanOrEqual(401);
  });

  it('is a page of another site even with the token', async () => {
    const { ask, act, told } = await start();
    const headers = { ...BEARER, origin: 'http://evil.example' };
    expect((await ask('/api/status', { headers })).status).toBe(403);
    expect((await act({ action: 'kill' }, headers)).status).toBe(403);
    expect(told).toEqual([]);
  });

  it('is not a proxy, nor another name, that has the token', async () => {
    const { ask } = await start();
    const headers = { ...BEARER, 'x-forwarded-for': '192.0.2.7', host: 'bot.example' };
    expect((await ask('/api/markets', { headers })).status).toBe(200);
  });
});

describe('metrics and readiness', () => {
  it.each([
    ['a name that leads here', { host: 'evil.example' }, 403],
    ['a page of another site', { origin: 'http://evil.example' }, 403],
    ['a fetch from another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another name with the token', { host: 'bot.example', ...BEARER }, 200],
    ['a program of this machine', {}, 200],
  ])('are judged as reading is: %s', async (_what, headers, status) => {
    const { ask } = await start();
    for (const path of ['/metrics', '/ready']) expect((await ask(path, { headers })).status).toBe(status);
  });

  it('are open to a program of this machine that names its address, on a listener for IPv6, too', () => {
    const socket = { remoteAddress: '::ffff:192.0.2.1', localAddress: '::ffff:192.0.2.1' };
    const keys = { token: null, secret: SECRET };
    const asked = (host: string) => ({ socket, headers: { host } }) as FastifyRequest;
    expect(figuresRefusal(asked('192.0.2.1:9464'), keys)).toBeNull();
    expect(figuresRefusal(asked('192.0.2.2:9464'), keys)).not.toBeNull();
  });

  it('are open to a program of another machine, whatever name the bot has there', () => {
    const socket = { remoteAddress: '192.0.2.7', localAddress: '192.0.2.1' };
    const headers = { host: 'bot.example:9464' };
    const keys = { token: null, secret: SECRET };
    expect(figuresRefusal({ socket, headers } as FastifyRequest, keys)).toBeNull();
    expect(figuresRefusal({ socket, headers: { origin: 'null' } } as FastifyRequest, keys)).not.toBeNull();
  });
});

describe('an action', () => {
  it('is handed over with who asked', async () => {
    const { act, told } = await start();
    expect(await act({ action: 'pause', scope: { market: 2001 }, by: 'ann', forMs: 5_000 })).toEqual({
      status: 200,
      body: { done: 'done: pause' },
    });
    expect(told).toMatchObject([
      { action: 'pause', scope: { market: '2001' }, by: 'ann over HTTP from 127.0.0.1', forMs: 5_000 },
    ]);
  });

  it('may come from the page itself', async () => {
    const { act, host } = await start();
    const headers = { ...BEARER, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await act({ action: 'kill' }, headers)).status).toBe(200);
  });

  it('may come from the page behind TLS, whose browser says that it is its own', async () => {
    const { act } = await start();
    const page = { ...BEARER, host: 'bot.example', origin: 'https://bot.example' };
    expect((await act({ action: 'kill' }, { ...page, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await act({ action: 'kill' }, { ...page, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await act({ action: 'kill' }, page)).status).toBe(403);
  });

  it.each([
    ['no token', {}, 401],
    ['another token', { authorization: 'Bearer 0123456789abcdeX' }, 401],
  ])('is refused with %s', async (_what, headers, code) => {
    const { act, told } = await start();
    expect((await act({ action: 'kill' }, headers)).status).toBe(code);
    expect(told).toEqual([]);
  });

  it('is refused where no token is configured', async () => {
    const { act } = await start(null);
    expect((await act({ action: 'kill' })).status).toBe(403);
  });

  it.each([
    [{ action: 'sell' }],
    [{ action: 'widen' }],
    [{ action: 'pause', ticks: 3 }],
    [{ action: 'widen', ticks: -1 }],
    [{ action: 'acknowledge' }],
    [{ action: 'pause', scope: { market: '1', event: '2' } }],
    [{ action: 'pause', scope: { account: '1' } }],
    [{ action: 'pause', by: 'ann\nsmith' }],
    [{ action: 'pause', forMs: 0 }],
    [[]],
  ])('is refused when it says %j', async (body) => {
    const { act, told } = await start();
    expect(await act(body)).toMatchObject({ status: 422, body: { error: expect.any(String) } });
    expect(told).toEqual([]);
  });
});

describe('the page', () => {
  it('allows nothing but its own modules, and no frame around it', async () => {
    const { url } = await start();
    const response = await fetch(url);
    const policy = response.headers.get('content-security-policy') ?? '';
    const text = await response.text();
    const [, map = ''] = /<script type="importmap">(.*?)<\/script>/.exec(text) ?? [];
    const hash = createHash('sha256').update(map).digest('base64');
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(text).not.toMatch(/ on\w+=| style=|https?:/);
  });

  it('serves every module that it imports, and no other file', async () => {
    const { url } = await start();
    const text = await (await fetch(url)).text();
    const [, map = '{}'] = /<script type="importmap">(.*?)<\/script>/.exec(text) ?? [];
    const { imports } = JSON.parse(map) as { readonly imports: Readonly<Record<string, string>> };
    for (const path of [
      ...Object.values(imports).map((path) => path.slice(1)),
      '/page/main.js',
      '/page/style.css',
      '/page/uplot.css',
    ])
      expect((await fetch(`${url}${path}`)).status, path).toBe(200);
    for (const path of [
      '/page/..%2Fpage.js',
      '/page/%2e%2e%2flistener.js',
      '/page/index.html',
      '/page/none.js',
    ])
      expect((await fetch(`${url}${path}`)).status, path).toBe(404);
  });
});

describe('the stream over HTTP', () => {
  it('is read from this machine alone, and ends with the bot', async () => {
    const { ask, url } = await start();
    expect((await ask('/api/stream', { headers: { host: 'evil.example' } })).status).toBe(403);
    const stopped = new AbortController();
    const response = await fetch(`${url}/api/stream`, { signal: stopped.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    stopped.abort();
  });
});

describe('the page of the exchange', () => {
  it('is served below its place, with every module that it names', async () => {
    const server = fastify();
    addPage(server, EXCHANGE_PAGE);
    onTestFinished(() => server.close());
    const { body, headers } = await server.inject('/admin/');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const named = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => `/admin/${path}`);
    expect(named).toContain('/admin/page/exchange.js');
    for (const path of named) expect((await server.inject(path)).statusCode, path).toBe(200);
  });
});
