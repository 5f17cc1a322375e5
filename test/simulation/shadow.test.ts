/** A session in virtual time that records itself as a live run does, and what the venue knows of it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { bundledVenueOf } from '../../src/runs/exchange/exchange.js';
import { RunRecorder } from '../../src/runs/recording/run-recorder.js';
import { modeOf } from '../../src/domain/vocabulary.js';
import type { TradeEvent } from '../../src/exchange/contract.js';
import { type BotSettings, loadBotSettings } from '../../src/settings/index.js';
import { CALM } from '../support/simulation/network.js';
import { MAKER, World } from '../support/simulation/world.js';
import * as ids from '../../src/domain/ids.js';
import { type Shadow, shadowOf } from '../../src/runs/shadow/shadow.js';
import { SHARE_ONE } from '../../src/domain/units.js';
import { openRecording } from '../../src/storage/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

interface ShadowSessionOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly stateDir: string;
  /** Milliseconds one way, evenly between the two. */
  readonly latencyMs: readonly [number, number];
  readonly change?: (settings: BotSettings) => BotSettings;
}

/** What the venue's own record says of the bot's orders. */
interface VenueTruth {
  /** Trades in which an order of the bot was met by a taker. */
  readonly made: readonly TradeEvent[];
  /** Shares of others ahead of each order when it joined its level, by order id. */
  readonly joined: ReadonlyMap<number, number>;
}

interface ShadowSession extends VenueTruth {
  /** Of the run. */
  readonly folder: string;
}

const HOUSE = fileURLToPath(new URL('./house.yaml', import.meta.url));
const ADDRESS = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };

async function shadowSession(options: ShadowSessionOptions): Promise<ShadowSession> {
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

/**
 * The shadow of sessions against the bundled exchange, where the truth is known. CI plays three; the ten that the
 * documentation tells of:
 *
 *   ODDSMITH_SHADOW_SESSIONS=10 npx vitest run --project simulation shadow
 */

const SESSIONS = Number(process.env['ODDSMITH_SHADOW_SESSIONS'] ?? 3);
const MINUTES = 5;

/** Every other bot quotes where the competing maker does, so that its orders queue behind others. */
const behindOthers = (settings: BotSettings): BotSettings => ({
  ...settings,
  instances: settings.instances.map((instance) => ({
    ...instance,
    params: { ...instance.params, halfSpread: '0.03' },
  })),
});

interface Session {
  readonly seed: number;
  readonly shadow: Shadow;
  /** Whole shares that takers took from the bot, by the venue's own record. */
  readonly made: number;
  /** Trades that a backtest on the tape would see. */
  readonly recorded: number;
}

async function play(seed: number): Promise<Session> {
  const session = await shadowSession({
    seed,
    minutes: MINUTES,
    stateDir: scratchFolder(),
    latencyMs: [1, 40],
    ...(seed % 2 === 0 && { change: behindOthers }),
  });
  const shadow = await shadowOf(session.folder);
  const judged = session.made.filter(
    ({ maker }) => !shadow.figures.leftOut.includes(ids.orderId(maker.orderId!)),
  );
  const made = judged.reduce((sum, { shares }) => sum + shares, 0) / SHARE_ONE;
  const { markets } = await openRecording(session.folder, { trades: 'inferred' });
  const recorded = markets.reduce((sum, { trades }) => sum + trades, 0);
  return { seed, shadow, made, recorded };
}

const expectedOf = ({ figures }: Shadow) => figures.scenarios.find(({ name }) => name === 'expected')!;

describe('sessions against the bundled exchange', () => {
  const played: Session[] = [];

  for (let seed = 1; seed <= SESSIONS; seed++)
    test(`session ${seed}: what the tape says was filled is what the venue says, and the shadow is near`, async () => {
      const session = await play(seed);
      played.push(session);
      const { figures, gaps } = session.shadow;
      expect(gaps).toBe(0);
      expect(session.recorded).toBe(figures.prints);
      expect(figures.real.shares).toBeGreaterThan(100);
      expect(figures.real.shares - figures.real.takenShares).toBeCloseTo(session.made, 6);
      expect(expectedOf(session.shadow).ratio).toBeGreaterThan(0.85);
      expect(expectedOf(session.shadow).ratio).toBeLessThan(1.15);
    });

  afterAll(() => {
    process.stdout.write(`${tableOf(played).join('\n')}\n`);
  });
});

function tableOf(sessions: readonly Session[]): readonly string[] {
  const total = { real: 0, expected: 0 };
  const rows = sessions.map(({ seed, shadow }) => {
    const { real, queue, scenarios, leftOut } = shadow.figures;
    const { simulated, matched } = expectedOf(shadow);
    total.real += real.shares;
    total.expected += simulated.shares;
    const ratios = scenarios.map(({ ratio }) => (ratio === null ? '-' : ratio.toFixed(3))).join(' / ');
    return `session ${seed}: real ${real.shares.toFixed(2)} shares of ${real.orders} orders (${leftOut.length} left out); ahead on joining ${queue.joined?.join(' / ') ?? '-'}; simulated over real ${ratios}; matched ${(matched / real.shares).toFixed(3)}; power ${queue.power?.power.toFixed(2) ?? '-'} (${queue.power?.low.toFixed(2) ?? '-'} to ${queue.power?.high.toFixed(2) ?? '-'})`;
  });
  return [...rows, `expected over real, all sessions: ${(total.expected / total.real).toFixed(4)}`];
}
