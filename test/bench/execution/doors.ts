/** The ways in and out of the bot, wired as `app/bot.ts` wires them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accountId, eventId } from '../../../src/domain/ids.js';
import { idempotencyKey } from '../../../src/execution/sending/keys.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { NestedStyle } from '../../../src/protocol/signed-values.js';
import { FileJournal } from '../../../src/runtime/file-journal.js';
import { seededRandom } from '../../../src/runtime/seeded-random.js';
import { type LastCheck, VenueGateway } from '../../../src/venue/gateway.js';
import { PACE } from '../../../src/venue/realtime/pace.js';
import { PusherFeed } from '../../../src/venue/realtime/feed.js';
import type { RunTerms } from '../../../src/venue/requests.js';
import type { Transport } from '../../../src/venue/rest/transport.js';
import { Wire } from '../../../src/venue/rest/wire.js';
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

/** What whoever sends has to say to requests. */
export interface Sender {
  readonly terms: RunTerms;
  readonly lastCheck: LastCheck;
}

export interface Doors {
  readonly feed: PusherFeed;
  readonly gateway: VenueGateway;
  close(): Promise<void>;
}

/** A feed that nobody has connected yet, from a realtime service that says nothing by itself, and a gateway with its journal. */
export async function openDoors(options: DoorOptions, { terms, lastCheck }: Sender): Promise<Doors> {
  const { events, nested, sync, transport, clock, keys = KEYS } = options;
  const service = await startQuietService();
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-bench-'));
  const { journal } = FileJournal.open({ dir: folder, sync });
  const feed = new PusherFeed({
    address: { key: 'bench', cluster: null, host: '127.0.0.1', port: service.port, tls: false },
    events: events.map(eventId),
    account: { id: accountId(ACCOUNT), authorize: () => Promise.resolve({ ok: true, auth: 'bench' }) },
    clock,
    random: seededRandom(1),
    pace: { ...PACE, gapMs: A_DAY_MS },
  });
  const wire = new Wire({
    baseUrl: 'http://127.0.0.1:1',
    credentials: keys,
    nested,
    timeoutMs: 5_000,
    clock,
    observe: () => undefined,
    transport,
  });
  const keyOf = (requestId: number): string => idempotencyKey('bench', requestId);
  const venueAhead = (): number => wire.venueAhead;
  const gateway = new VenueGateway({
    wire,
    clock,
    journal,
    terms,
    keyOf,
    lastCheck,
    venueAhead,
    canDate: (sentAt) => wire.canDate(sentAt),
    onFault: fail,
  });
  return {
    feed,
    gateway,
    close: async () => {
      feed.close();
      service.stop();
      await journal.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Resolves once a feed that was told to connect has joined its channels. */
export const joined = (): Promise<void> => pause(JOIN_MS);

/** Whatever goes wrong ends the measurement: a figure of a bot that was not well is worth nothing. */
export function fail(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}
