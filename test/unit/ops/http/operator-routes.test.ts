import { networkInterfaces } from 'node:os';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addOperatorRoutes, type SentValues, startListener } from '../../../../src/ops/http/listener.js';
import { toldApi } from '../../../support/bot/told-api.js';

const TOKEN = '0123456789abcdef';

interface Scene {
  readonly token?: string | null;
  readonly mayResume?: boolean;
  readonly host?: string;
  readonly sent?: SentValues | null;
}

const TAKEN: SentValues = { accepted: 1, refused: [] };

/** An address of this machine that is none of its loopback. */
const OWN = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

/** What comes with a command. */
interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function start({ token = TOKEN, mayResume = true, host = '127.0.0.1', sent = TAKEN }: Scene = {}) {
  const told: string[] = [];
  const commands = {
    kill: (reason: string) => void told.push(`kill: ${reason}`),
    resume: () => (told.push('resume'), mayResume),
    fairValues: (body: string) => (told.push(`values: ${body}`), sent),
  };
  const listener = await startListener({
    host,
    port: 0,
    metrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
    readiness: () => ({ ready: true, reasons: [] }),
    api: toldApi().api,
    secret: 'of-this-run-alone',
    commands: token === null ? null : { token, ...commands },
  });
  onTestFinished(() => listener.close());
  const post = async (path: string, authorization?: string, sent: Sent = {}) => {
    const headers = { ...sent.headers, ...(authorization !== undefined && { authorization }) };
    return (await fetch(`${listener.url}${path}`, { ...sent, method: 'POST', headers })).status;
  };
  return { told, post, port: Number(new URL(listener.url).port) };
}

describe('commands over HTTP', () => {
  it('are carried out with the token', async () => {
    const { told, post } = await start();
    expect(await post('/kill', `Bearer ${TOKEN}`)).toBe(200);
    expect(await post('/resume', `Bearer ${TOKEN}`)).toBe(200);
    expect(told).toEqual(['kill: POST /kill', 'resume']);
  });

  it.each([
    ['JSON that is not there', { headers: { 'content-type': 'application/json' } }],
    ['broken JSON', { headers: { 'content-type': 'application/json' }, body: '{"reason":' }],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' }],
    ['an empty form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' }],
    ['XML', { headers: { 'content-type': 'text/xml' }, body: '<stop/>' }],
    ['a type that is none', { headers: { 'content-type': 'stop' }, body: 'now' }],
    ['a long text', { body: 'now '.repeat(500_000) }],
  ])('are carried out whatever comes with them: %s', async (_what, sent) => {
    const { told, post } = await start();
    expect(await post('/kill', `Bearer ${TOKEN}`, sent)).toBe(200);
    expect(await post('/kill', 'Bearer', sent)).toBe(401);
    expect(told).toEqual(['kill: POST /kill']);
  });

  it.each([`bearer ${TOKEN}`, `BEARER  ${TOKEN}`])('are carried out with %s', async (authorization) => {
    const { post } = await start();
    expect(await post('/kill/', authorization)).toBe(200);
    expect(await post('/resume/?now', authorization)).toBe(200);
  });

  it.skipIf(OWN === undefined)('are taken from this machine by whichever of its addresses', async () => {
    const { port } = await start({ host: '0.0.0.0' });
    for (const host of [OWN, '127.0.0.1', '127.0.0.2']) {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const { status } = await fetch(`http://${host}:${port}/kill`, { method: 'POST', headers });
      expect([host, status]).toEqual([host, 200]);
    }
  });

  it.each(['192.0.2.7', '2001:db8::7', '::ffff:192.0.2.7'])(
    'are not taken from %s',
    async (remoteAddress) => {
      const server = fastify();
      const told: string[] = [];
      addOperatorRoutes(server, {
        token: TOKEN,
        kill: (why) => void told.push(why),
        resume: () => true,
        fairValues: () => null,
      });
      const headers = { authorization: `Bearer ${TOKEN}` };
      const { statusCode } = await server.inject({ method: 'POST', url: '/kill', headers, remoteAddress });
      expect([statusCode, told]).toEqual([403, []]);
    },
  );

  it.each([undefined, '', 'Bearer ', `Bearer ${TOKEN}x`, TOKEN, `Bearer${TOKEN}`, `Basic ${TOKEN}`])(
    'are refused with %s',
    async (authorization) => {
      const { told, post } = await start();
      expect(await post('/kill', authorization)).toBe(401);
      expect(await post('/resume', authorization)).toBe(401);
      expect(told).toEqual([]);
    },
  );

  it('are not taken at all without a token in the configuration', async () => {
    const { told, post } = await start({ token: null });
    expect(await post('/kill', 'Bearer null')).toBe(403);
    expect(told).toEqual([]);
  });

  it('cannot resume behind a fence', async () => {
    const { post } = await start({ mayResume: false });
    expect(await post('/resume', `Bearer ${TOKEN}`)).toBe(409);
  });
});

describe('fair values over HTTP', () => {
  it.each(['application/json', 'text/csv', 'application/x-ndjson', 'application/x-www-form-urlencoded'])(
    'are taken as they were sent, as %s',
    async (type) => {
      const { told, post } = await start();
      const body = 'market,probability\nHOME,0.5';
      expect(await post('/fair-values', `Bearer ${TOKEN}`, { headers: { 'content-type': type }, body })).toBe(
        200,
      );
      expect(told).toEqual([`values: ${body}`]);
    },
  );

  it.each([
    [401, 'Bearer wrong', TAKEN],
    [401, undefined, TAKEN],
    [409, `Bearer ${TOKEN}`, null],
    [422, `Bearer ${TOKEN}`, { accepted: 1, refused: [{ line: 2 }] }],
    [422, `Bearer ${TOKEN}`, { accepted: 0, refused: [] }],
  ])('are answered with %i: %s', async (code, authorization, sent) => {
    const { told, post } = await start({ sent });
    expect(await post('/fair-values', authorization, { body: '{}' })).toBe(code);
    expect(told).toHaveLength(code === 401 ? 0 : 1);
  });

  it('are not taken without a token in the configuration', async () => {
    const { told, post } = await start({ token: null });
    expect(await post('/fair-values', `Bearer ${TOKEN}`, { body: '{}' })).toBe(403);
    expect(told).toEqual([]);
  });
});
