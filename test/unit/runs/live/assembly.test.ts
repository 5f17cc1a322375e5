/** What every bot is put together from: a journal that begins with the run, and a last look before anything leaves. */
import { expect, it } from 'vitest';
import { assemble, type Edges } from '../../../../src/runs/live/assembly.js';
import { engineOptionsOf } from '../../../../src/runs/live/engine-options.js';
import { checkBotSettings, SettingsSource } from '../../../../src/settings/index.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { HeardFrames } from '../../../../src/venues/futuur/realtime/feed.js';
import type { Answer } from '../../../../src/domain/answers.js';
import type { VenueRequest } from '../../../../src/domain/effects.js';
import { orderId } from '../../../../src/domain/ids.js';
import { micros } from '../../../../src/domain/units.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import { approved, send } from '../../../support/bot/effects.js';
import { MemoryJournal } from '../../../support/disk/memory-journal.js';
import { limitOrder } from '../../../support/wire/wire-orders.js';

const NOW = micros(1_790_000_000_000_000);
const CREATE: VenueRequest = { kind: 'create-orders', orders: [approved(limitOrder)] };
const CANCEL: VenueRequest = { kind: 'cancel-orders', orderIds: [orderId(7)] };

const SETTINGS = {
  events: [{ id: 1, markets: [{ id: 1 }] }],
  instances: [
    { name: 'one', strategy: 'fixed-spread', markets: [1], params: { halfSpread: '0.1', shares: 50 } },
  ],
  venue: {
    baseUrl: 'http://127.0.0.1:1',
    realtime: { key: 'key', host: '127.0.0.1', port: 1, tls: false },
    publicKey: 'pk_test',
    privateKey: '${KEY}',
  },
};

async function madeOf() {
  const { settings, source } = checkBotSettings(
    SettingsSource.parse(JSON.stringify(SETTINGS), 'bot.json', { KEY: 'sk_test' }),
  );
  const inputs = { settings, venue: settings.venue!, source, runId: 'run-1', random: seededRandom(1) };
  return { settings, engine: await engineOptionsOf(inputs) };
}

/** Sends nothing; everything up to the first byte is as ever. */
const NOWHERE: Edges['client'] = {
  venueAhead: 0,
  canDate: () => true,
  performing: () => (_request, sending) => {
    let reason = 'nowhere';
    try {
      sending.beforeFirstByte('{}');
    } catch (error) {
      reason = (error as Error).message;
    }
    return Promise.resolve({ ok: false, failure: { kind: 'not-sent', reason }, sentAt: null });
  },
};

/** A bot that has heard nothing yet and is asked to send this while something is latched. */
async function latchedBot(request: VenueRequest) {
  const asked: string[] = [];
  const journal = new MemoryJournal();
  const fail = (error: unknown): never => {
    throw error;
  };
  const latched = (): string => {
    asked.push('latch');
    return 'fenced';
  };
  const { gateway } = assemble({
    ...(await madeOf()),
    clock: new VirtualClock(NOW),
    feed: {
      streams: new HeardFrames().streams,
      connect: () => undefined,
      close: () => undefined,
    },
    client: NOWHERE,
    journal,
    startedAt: NOW,
    observers: [],
    latched,
    onFault: fail,
    onNotice: () => undefined,
    onEnd: fail,
    onBroken: fail,
  });
  const answers: Answer[] = [];
  gateway.answers.subscribe((answer) => answers.push(answer));
  gateway.submit(send(1, request));
  await expect.poll(() => answers).toHaveLength(1);
  return { asked, journal, outcome: answers[0]!.outcome };
}

it('begins its journal with the run', async () => {
  const { journal } = await latchedBot(CANCEL);
  expect(journal.records[0]).toMatchObject({ kind: 'run', runId: 'run-1', at: NOW });
});

it('lets no order leave while something is latched', async () => {
  const { asked, outcome } = await latchedBot(CREATE);
  expect(asked).toEqual(['latch']);
  expect(outcome).toEqual({ ok: false, failure: { kind: 'not-sent', reason: 'fenced' } });
});

it('lets a cancel leave whatever is latched', async () => {
  const { asked, journal, outcome } = await latchedBot(CANCEL);
  expect(asked).toEqual([]);
  expect(outcome).toMatchObject({ failure: { reason: 'nowhere' } });
  expect(journal.records[1]).toMatchObject({ kind: 'request', requestId: 1, key: null });
});
