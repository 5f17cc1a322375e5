/** A session in virtual time that records itself as a live run does, and what the venue knows of it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledVenueOf } from '../../../src/runs/exchange/exchange.js';
import { RunRecorder } from '../../../src/runs/recording/run-recorder.js';
import { modeOf } from '../../../src/domain/vocabulary.js';
import type { TradeEvent } from '../../../src/exchange/contract.js';
import { type BotSettings, loadBotSettings } from '../../../src/settings/index.js';
import { CALM } from '../simulation/network.js';
import { MAKER, World } from '../simulation/world.js';

export interface ShadowSessionOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly stateDir: string;
  /** Milliseconds one way, evenly between the two. */
  readonly latencyMs: readonly [number, number];
  readonly change?: (settings: BotSettings) => BotSettings;
}

/** What the venue's own record says of the bot's orders. */
export interface VenueTruth {
  /** Trades in which an order of the bot was met by a taker. */
  readonly made: readonly TradeEvent[];
  /** Shares of others ahead of each order when it joined its level, by order id. */
  readonly joined: ReadonlyMap<number, number>;
}

export interface ShadowSession extends VenueTruth {
  /** Of the run. */
  readonly folder: string;
}

const HOUSE = fileURLToPath(new URL('../../simulation/house.yaml', import.meta.url));
const ADDRESS = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };

export async function shadowSession(options: ShadowSessionOptions): Promise<ShadowSession> {
  const { seed, minutes, stateDir, latencyMs, change = (same) => same } = options;
  const world = new World({ seed });
  world.network.weather = { ...CALM, latencyMs };
  const truth = witness(world);
  const settings = change({ ...world.botSettings, stateDir });
  const recorder = new RunRecorder({
    settings,
    venue: bundledVenueOf(world.exchangeSettings, ADDRESS),
    source: loadBotSettings(HOUSE, {}).source,
    clock: world.clock,
    runId: `shadow-${seed}`,
    onFault: (error) => {
      throw error;
    },
  });
  const bot = await world.start({
    settings: () => settings,
    engine: (made) => {
      recorder.begins(made, world.now, seed);
      return made;
    },
    observer: recorder,
    onFrame: (frame, input) => recorder.frame(frame, input),
  });
  await world.run(minutes * 60_000);
  bot.stop();
  await world.runUntil('the bot has ended', () => bot.end !== null);
  const decisions = { count: bot.view.counts.decisions, hash: bot.engine.decisionHash };
  recorder.ended(bot.end!, world.now, decisions);
  await recorder.close();
  return { folder: join(stateDir, 'runs', `shadow-${seed}`), ...truth };
}

/** Listens to the exchange itself, past every network. */
function witness(world: World): VenueTruth {
  const made: TradeEvent[] = [];
  const joined = new Map<number, number>();
  world.record.listen((entry) => {
    if (entry.kind !== 'said') return;
    for (const event of entry.events) {
      if (event.kind === 'trade' && event.maker.account === MAKER) made.push(event);
      if (event.kind !== 'order-update' || event.account !== MAKER || joined.has(event.orderId)) continue;
      const { marketId, orderId, currency } = event;
      const place = world.venue.exchange.queuePlace(marketId, modeOf(currency), orderId);
      if (place !== null) joined.set(orderId, place.ahead);
    }
  });
  return { made, joined };
}
