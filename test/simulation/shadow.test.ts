/**
 * The shadow of sessions against the bundled exchange, where the truth is known. CI plays three; the ten that the
 * documentation tells of:
 *
 *   ODDSMITH_SHADOW_SESSIONS=10 npx vitest run --project simulation shadow
 */
import * as ids from '../../src/domain/ids.js';
import { afterAll, describe, expect, test } from 'vitest';
import { type Shadow, shadowOf } from '../../src/runs/shadow/shadow.js';
import { SHARE_ONE } from '../../src/domain/units.js';
import { openRecording } from '../../src/storage/index.js';
import type { BotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { shadowSession } from '../support/backtest/shadow-session.js';

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
