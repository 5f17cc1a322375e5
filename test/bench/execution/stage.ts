/** The bot's own parts, from pusher-js to the signed request, wired as `app/bot.ts` wires them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tickUnitsOf } from '../../../src/app/engine-options.js';
import { accountId, eventId } from '../../../src/domain/ids.js';
import type { Answer } from '../../../src/domain/answers.js';
import { Engine } from '../../../src/engine/engine.js';
import { EngineLoop } from '../../../src/engine/loop.js';
import { idempotencyKey } from '../../../src/execution/sending/keys.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { NestedStyle } from '../../../src/protocol/signed-values.js';
import { FileJournal } from '../../../src/runtime/file-journal.js';
import { seededRandom } from '../../../src/runtime/seeded-random.js';
import { VenueGateway } from '../../../src/venue/gateway.js';
import { PACE } from '../../../src/venue/realtime/pace.js';
import { PusherFeed } from '../../../src/venue/realtime/feed.js';
import type { Transport } from '../../../src/venue/rest/transport.js';
import { Wire } from '../../../src/venue/rest/wire.js';
import { engineOptionsOfHouse, type House } from '../engine/house.js';
import { ACCOUNT } from './frames.js';
import { frameReceiver, startQuietService } from './pusher-socket.js';

/** Ten levels a side, so that a move of ten ticks replaces twenty orders in one batch. */
export const LADDER = { halfSpread: '0.105', levels: 10 };
export const KEYS = { publicKey: 'pk_bench', privateKey: 'sk_bench' };
const JOIN_MS = 500;
/** A clock that is set forward looks like an event loop that stood still. */
const A_DAY_MS = 86_400_000;

export interface StageOptions {
  readonly house: House;
  readonly nested: NestedStyle;
  readonly sync: 'group' | 'before-send';
  readonly transport: Transport;
  readonly clock: Clock;
  readonly keys?: typeof KEYS;
  /** Told of every answer, once it is read, before the engine is. */
  readonly onAnswer?: (answer: Answer) => void;
}

export interface Stage {
  /** Events and their markets, by number. */
  readonly events: readonly { readonly id: number; readonly markets: readonly number[] }[];
  /** Hands the text of one frame to pusher-js as its socket does. */
  readonly receive: (text: string) => void;
  close(): Promise<void>;
}

/** Resolves once the bot is connected and has read what it needs. */
export async function openStage(stageOptions: StageOptions): Promise<Stage> {
  const { house, nested, sync, transport, clock, keys = KEYS, onAnswer } = stageOptions;
  const { settings } = house;
  const options = await engineOptionsOfHouse(house);
  const service = await startQuietService();
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-bench-'));
  const { journal } = FileJournal.open({ dir: folder, sync });
  const engine = new Engine(options, clock.now());
  const feed = new PusherFeed({
    address: { key: 'bench', cluster: null, host: '127.0.0.1', port: service.port, tls: false },
    events: settings.events.map(({ id }) => eventId(id)),
    account: { id: accountId(ACCOUNT), authorize: () => Promise.resolve({ ok: true, auth: 'bench' }) },
    clock,
    random: seededRandom(1),
    pace: { ...PACE, gapMs: A_DAY_MS },
  });
  const gateway = new VenueGateway({
    wire: new Wire({
      baseUrl: 'http://127.0.0.1:1',
      credentials: keys,
      nested,
      timeoutMs: 5_000,
      clock,
      observe: () => undefined,
      transport,
    }),
    clock,
    journal,
    terms: {
      mode: settings.currencyMode,
      tickUnitsOf: tickUnitsOf(settings),
      eventsWithDisabled: () => engine.eventsWithDisabled(),
      missedBy: (shown, begunAt) => engine.missedBy(shown, begunAt),
    },
    keyOf: (requestId) => idempotencyKey('bench', requestId),
    lastCheck: (effect) => {
      const objection = engine.objectionTo(effect);
      return objection === null ? 'send' : { drop: objection };
    },
    onFault: fail,
  });
  const loop = new EngineLoop({
    engine,
    clock,
    feed,
    gateway,
    onNotice: ({ level, text }) => level === 'error' && fail(new Error(text)),
    onEnd: ({ text }) => fail(new Error(text)),
    onBroken: (error) => fail(error),
  });
  if (onAnswer !== undefined) gateway.answers.subscribe(onAnswer);
  loop.start();
  await new Promise((resolve) => setTimeout(resolve, JOIN_MS));
  return {
    events: settings.events.map((event) => ({ id: event.id, markets: event.markets.map(({ id }) => id) })),
    receive: frameReceiver(),
    close: async () => {
      loop.close();
      service.stop();
      await journal.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whatever goes wrong ends the measurement: a figure of a bot that was not well is worth nothing. */
function fail(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}
