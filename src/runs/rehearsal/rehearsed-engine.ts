/** The engine of a rehearsal: one market, and a ladder of ten levels a side, as many orders as a batch takes. */
import { join } from 'node:path';
import type { EngineOptions } from '../../core/engine/options.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { type BotSettings, checkBotSettings, SettingsSource } from '../../settings/index.js';
import { engineOptionsOf } from '../live/engine-options.js';
import { unlimited } from './unlimited.js';

export const EVENT = 1;
export const MARKET = 1;
export const NOWHERE = 'http://127.0.0.1:1';
export const KEYS = { publicKey: 'pk_rehearsal', privateKey: 'sk_rehearsal' };
/** So far apart are reads that nothing calls for: they are no part of what is rehearsed. */
const SELDOM_MS = 86_400_000;

const SETTINGS = {
  events: [{ id: EVENT, markets: [{ id: MARKET }] }],
  instances: [
    {
      name: 'rehearsal',
      strategy: 'fixed-spread',
      markets: [MARKET],
      params: { halfSpread: '0.105', levels: 10, shares: 50, levelGap: '0.01', maxInventory: 1_000_000 },
    },
  ],
  venue: {
    baseUrl: NOWHERE,
    realtime: { key: 'rehearsal', host: '127.0.0.1', port: 1, tls: false },
    publicKey: KEYS.publicKey,
    privateKey: '${KEY}',
    bookCacheMs: 0,
  },
};

export interface RehearsedEngine {
  readonly settings: BotSettings;
  readonly engine: EngineOptions;
}

/** Loads the bundled strategy that it plays with. @throws an error of the file system */
export async function rehearsedEngine(): Promise<RehearsedEngine> {
  // Relative to nothing that exists: no file of a run is opened.
  const file = join(import.meta.dirname, 'rehearsal.json');
  const text = JSON.stringify(SETTINGS);
  const { settings, source } = checkBotSettings(SettingsSource.parse(text, file, { KEY: KEYS.privateKey }));
  const venue = settings.venue!;
  const inputs = { settings, venue, source, runId: 'rehearsal', random: seededRandom(1) };
  const options = unlimited(await engineOptionsOf(inputs));
  return { settings, engine: seldomReading(options) };
}

const seldomReading = (options: EngineOptions): EngineOptions => ({
  ...options,
  settlement: { ...options.settlement, routineListMs: SELDOM_MS },
  mirror: {
    ...options.mirror,
    witnessEveryMs: SELDOM_MS,
    holdingsEveryMs: SELDOM_MS,
    balancesEveryMs: SELDOM_MS,
  },
});
