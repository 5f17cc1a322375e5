/** `/api/...` of a running bot: what it is and does as JSON, and actions with the token. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { actionRefusal, type Keys, readingRefusal, refused } from './access.js';
import { Stream } from './stream.js';
import { type Action, ACTIONS, type BotApi } from './contract.js';

/** A pause of a year is one without end. */
const LONGEST_MS = 365 * 86_400_000;
const ID = z.union([z.string().min(1).max(100), z.int()]).transform(String);
const ACTION = z
  .strictObject({
    action: z.enum(ACTIONS),
    scope: z
      .strictObject({ market: ID.optional(), event: ID.optional(), instance: ID.optional() })
      .refine((scope) => Object.keys(scope).length <= 1, 'expected one of market, event and instance')
      .default({}),
    by: z
      .string()
      .regex(/^[\x20-\x7e]{1,60}$/, 'expected at most 60 plain characters')
      .default('somebody'),
    forMs: z.int().min(1).max(LONGEST_MS).nullable().default(null),
    ticks: z.int().min(0).max(1_000).nullable().default(null),
    reason: z.string().max(200).nullable().default(null),
    alarm: z.string().max(100).nullable().default(null),
  })
  .refine(({ action, ticks }) => (action === 'widen') === (ticks !== null), 'ticks goes with widen alone')
  .refine(
    ({ action, alarm }) => (action === 'acknowledge') === (alarm !== null),
    'alarm goes with acknowledge alone',
  );

const MOST_BYTES = 10_000;

export function addApi(server: FastifyInstance, api: BotApi, keys: Keys): void {
  const reading = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const refusal = readingRefusal(request, keys);
    if (refusal === null) return done();
    void reply.code(refusal.code).send(refusal.body);
  };
  const get = (path: string, read: (request: FastifyRequest) => unknown): void => {
    server.get(`/api/${path}`, { onRequest: reading }, async (request, reply) => {
      const found = await read(request);
      void reply.header('cache-control', 'no-store');
      return found === null ? reply.code(404).send(NOT_FOUND) : reply.send(found);
    });
  };
  const idOf = (request: FastifyRequest): string => (request.params as { readonly id: string }).id;
  get('status', () => api.status());
  get('markets', () => api.markets());
  get('markets/:id', (request) => api.market(idOf(request)));
  get('markets/:id/history', (request) => api.history(idOf(request)));
  get('profit', () => api.profit());
  get('events/:id', (request) => api.event(idOf(request)));
  get('orders', () => api.orders());
  get('fills', (request) =>
    api.fills(Number((request.query as { readonly since?: string }).since ?? 0) || 0),
  );
  get('positions', () => api.positions());
  get('decisions', () => api.decisions());
  get('alarms', () => api.alarms());
  get('config', () => api.config());
  addActions(server, api, keys);
  addStream(server, api, reading);
}

type Guard = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

function addStream(server: FastifyInstance, api: BotApi, onRequest: Guard): void {
  const stream = new Stream(api, randomUUID());
  server.get('/api/stream', { onRequest }, (request, reply) => {
    const lastId = request.headers['last-event-id'];
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    if (stream.join(reply.raw, String(lastId ?? ''))) return void reply.hijack();
    reply.raw.end();
    reply.hijack();
  });
  server.addHook('preClose', () => stream.close());
}

const NOT_FOUND = refused(
  404,
  'nothing of this run has that id; /api/markets lists its markets and events',
).body;

function addActions(server: FastifyInstance, api: BotApi, keys: Keys): void {
  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const refusal = actionRefusal(request, keys);
    if (refusal === null) return done();
    void reply.code(refusal.code).send(refusal.body);
  };
  server.post('/api/actions', { onRequest, bodyLimit: MOST_BYTES }, (request, reply) => {
    const read = ACTION.safeParse(request.body);
    if (!read.success) {
      const [issue] = read.error.issues;
      const error = `${issue!.path.join('.') || 'body'}: ${issue!.message}; expected {"action", "scope"}`;
      return reply.code(422).send({ error });
    }
    const by = `${read.data.by} over HTTP from ${request.socket.remoteAddress}`;
    const { code, text } = api.act({ ...read.data, by } as Action);
    return reply.code(code).send(code === 200 ? { done: text } : { error: text });
  });
}
