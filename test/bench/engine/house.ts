/** The house under measurement: markets in events of two, one instance that quotes five levels a side in each. */
import { join } from 'node:path';
import { engineOptionsOf } from '../../../src/runs/live/engine-options.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import type { RiskLimits } from '../../../src/core/risk/index.js';
import { PRICE_ONE } from '../../../src/domain/units.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import {
  type BotSettings,
  checkBotSettings,
  SettingsSource,
  type VenueSettings,
} from '../../../src/settings/index.js';

export const LEVELS = 5;
/** Two outcomes that exclude each other, as of a match: quotes around the middle of both are coherent. */
const PAIRS: Numbering = { first: 1_000, perEvent: 2 };
/** Relative to a configuration file that would lie here. */
const FILE = join(import.meta.dirname, 'house.json');

export interface House {
  readonly settings: BotSettings;
  readonly source: SettingsSource;
}

/** Five levels a side, a tick apart, two and a half from the weighted mid. */
const FIVE: Ladder = { halfSpread: '0.025', levels: LEVELS };

/** Parameters of `strategies/fixed-spread.ts`. */
export interface Ladder {
  readonly halfSpread: string;
  readonly levels: number;
}

/** How markets are numbered; events are 1, 2, 3 and so on. */
export interface Numbering {
  readonly first: number;
  readonly perEvent: number;
}

export function houseOf(markets: number, ladder = FIVE, { first, perEvent } = PAIRS): House {
  const ids = Array.from({ length: markets }, (_, at) => first + at);
  const events = Array.from({ length: Math.ceil(markets / perEvent) }, (_, at) => ({
    id: 1 + at,
    markets: ids.slice(at * perEvent, (at + 1) * perEvent).map((id) => ({ id })),
  }));
  const text = JSON.stringify({ events, instances: [instanceOf(ids, ladder)], venue: VENUE });
  return checkBotSettings(SettingsSource.parse(text, FILE, { KEY: 'sk_bench' }));
}

const SHARES = 40;

const instanceOf = (markets: readonly number[], ladder: Ladder) => ({
  name: 'ladder',
  strategy: 'fixed-spread',
  markets,
  params: { ...ladder, shares: SHARES, levelGap: '0.01', maxInventory: 1_000_000 },
});

const VENUE = {
  baseUrl: 'http://127.0.0.1:1',
  realtime: { key: 'bench', host: '127.0.0.1', port: 1, tls: false },
  publicKey: 'pk_bench',
  privateKey: '${KEY}',
  bookCacheMs: 0,
};

/**
 * Limits and budget so wide that nothing is refused or waits; every rule is asked all the same. Outcomes of which the
 * configuration says nothing exclude each other, so that their quotes are compared, too.
 */
export async function engineOptionsOfHouse({ settings, source }: House): Promise<EngineOptions> {
  const venue: VenueSettings = settings.venue!;
  const options = await engineOptionsOf({ settings, venue, source, runId: 'bench', random: seededRandom(1) });
  return {
    ...options,
    events: options.events.map((event) => ({
      ...event,
      resolutionMode: event.resolutionMode ?? 'exclusive',
    })),
    instances: options.instances.map((owner) => ({ ...owner, limits: widened(owner.limits) })),
    budget: { ...options.budget, perMinute: MUCH, perDay: MUCH },
    mirror: { ...options.mirror, eventSource: 'configuration' },
  };
}

const MUCH = 1e15;

const widened = (limits: RiskLimits): RiskLimits => ({
  ...limits,
  maxOrderShares: MUCH as RiskLimits['maxOrderShares'],
  maxOrderAmount: MUCH as RiskLimits['maxOrderAmount'],
  maxPositionShares: MUCH as RiskLimits['maxPositionShares'],
  maxEventLoss: MUCH as RiskLimits['maxEventLoss'],
  maxLocked: MUCH as RiskLimits['maxLocked'],
  maxLoss: MUCH as RiskLimits['maxLoss'],
  priceCollar: PRICE_ONE,
  ordersPerMinute: MUCH,
});
