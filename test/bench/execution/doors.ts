/** The ways in and out of the bot. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accountId, eventId } from '../../../src/domain/ids.js';
import type { Clock } from '../../../src/core/ports/clock.js';
import type { Journal } from '../../../src/core/ports/journal.js';
import type { NestedStyle } from '../../../src/venues/futuur/protocol/signed-values.js';
import { FileJournal } from '../../../src/storage/journal/file-journal.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { PACE } from '../../../src/venues/futuur/realtime/supervisor.js';
import { PusherFeed } from '../../../src/venues/futuur/realtime/feed.js';
import type { Transport } from '../../../src/venues/futuur/rest/transport.js';
import { Wire } from '../../../src/venues/futuur/rest/wire.js';
import { ACCOUNT } from './frames.js';
import { startQuietService } from './pusher-socket.js';

export const KEYS = { publicKey: 'pk_bench', privateKey: 'sk_bench' };
/** A clock that is set forward looks like an event loop that stood still. */
const A_DAY_MS = 86_400_000;
const JOIN_MS = 500;

export interface DoorOptions {
  /** Events whose channels are joined. */
  readonly events: readonly number[];
  readonly nested: NestedStyle;
  readonly sync: 'group' | 'before-send';
  readonly transport: Transport;
  readonly clock: Clock;
  readonly keys?: typeof KEYS;
}

/** The bot's edges, with what closes them. */
export interface Doors {
  readonly feed: PusherFeed;
  readonly wire: Wire;
  readonly journal: Journal;
  close(): Promise<void>;
}

/** A feed that nobody has connected yet, from a realtime service that says nothing by itself, a client and a journal. */
export async function openDoors(options: DoorOptions): Promise<Doors> {
  const { sync } = options;
  const service = await startQuietService();
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-bench-'));
  const { journal } = FileJournal.open({ dir: folder, sync });
  const feed = feedOf(options, service.port);
  return {
    feed,
    wire: wireOf(options),
    journal,
    close: async () => {
      feed.close();
      service.stop();
      await journal.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const feedOf = ({ events, clock }: DoorOptions, port: number): PusherFeed =>
  new PusherFeed({
    address: { key: 'bench', cluster: null, host: '127.0.0.1', port, tls: false },
    events: events.map(eventId),
    account: { id: accountId(ACCOUNT), authorize: () => Promise.resolve({ ok: true, auth: 'bench' }) },
    clock,
    random: seededRandom(1),
    pace: { ...PACE, gapMs: A_DAY_MS },
  });

const wireOf = ({ nested, clock, transport, keys = KEYS }: DoorOptions): Wire =>
  new Wire({
    baseUrl: 'http://127.0.0.1:1',
    credentials: keys,
    nested,
    timeoutMs: 5_000,
    clock,
    observe: () => undefined,
    transport,
  });

/** Resolves once a feed that was told to connect has joined its channels. */
export const joined = (): Promise<void> => pause(JOIN_MS);

/** Whatever goes wrong ends the measurement: a figure of a bot that was not well is worth nothing. */
export function fail(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}
