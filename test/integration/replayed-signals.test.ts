/** What a bot measured over the wire, with faults on, is measured again from its tape: the same, or decisions differ. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { checkParity, isIdentical, replayTape } from '../../src/runs/replay/replay.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { BAD_DAY, recordedSession, type Session } from '../support/tape/recorded-session.js';
import { rewritten } from '../support/tape/rewritten-tape.js';

vi.setConfig({ testTimeout: 120_000 });

/** Prices that the last digits of every signal move. */
const STRATEGY = `import { defineStrategy, NO_QUOTES, param, twoSided } from 'oddsmith/sdk';
export default defineStrategy({
  name: 'measuring',
  params: { halfLifeMs: param.ms({ default: 4000, min: 1, help: 'of all signals' }) },
  signals: ({ halfLifeMs }) => ({
    ewma: { kind: 'volatility', halfLifeMs, sampleMs: 100 },
    bipower: { kind: 'volatility', method: 'bipower', space: 'logit', halfLifeMs, sampleMs: 100 },
    local: { kind: 'volatility', method: 'local' },
    micro: { kind: 'microprice', required: true },
    flow: { kind: 'orderFlow', halfLifeMs },
    takers: { kind: 'takerFlow', halfLifeMs },
    markOut: { kind: 'markOut', horizonMs: 300, halfLifeMs },
  }),
  quote(context) {
    const { signals, fair, inventory } = context;
    if (fair === null) return NO_QUOTES;
    const digits = Object.values(signals).reduce((sum, signal) => sum + ((signal?.value ?? 0) * 1e7) % 1, 0);
    const distance = 0.01 + 0.03 * Math.abs(digits % 1);
    return twoSided(
      context,
      { price: fair.p - distance, shares: Math.min(20, 200 - inventory.net), steps: { fair: fair.p, away: -distance } },
      { price: fair.p + distance, shares: Math.min(20, 200 + inventory.net), steps: { fair: fair.p, away: distance } },
    );
  },
});
`;

/** A session that ran the strategy in all of its markets. */
function measuredSession(): Promise<Session> {
  const stateDir = scratchFolder();
  const strategy = join(stateDir, 'measuring.ts');
  writeFileSync(strategy, STRATEGY);
  return recordedSession({
    stateDir,
    runId: 'measured-1',
    faults: BAD_DAY,
    change: (settings) => ({
      ...settings,
      instances: settings.instances.map((one) => ({
        ...one,
        strategy,
        params: {},
        signals: { micro: { levels: 2 }, other: { kind: 'orderFlow', halfLifeMs: 7_000 } },
      })),
    }),
    isEnough: ({ counts }) => counts.decisions > 150 && counts.fills > 5,
    patienceMs: 60_000,
  });
}

it('signals of a session over the wire are the same on its tape, and others with other parameters', async () => {
  const session = await measuredSession();
  const seen = new Set<string>();
  await replayTape(session.folder, {
    observer: {
      looked: ({ context }) => {
        for (const [name, signal] of Object.entries(context.signals)) if (signal !== null) seen.add(name);
      },
    },
  });
  expect([...seen].toSorted()).toEqual([
    'bipower',
    'ewma',
    'flow',
    'local',
    'markOut',
    'micro',
    'other',
    'takers',
  ]);
  const parity = await checkParity(session.folder);
  expect(parity.divergence).toBeNull();
  expect(isIdentical(parity)).toBe(true);
  const changed = await rewritten(session.folder, (line) =>
    line.kind === 'head'
      ? {
          ...line,
          strategies: line.strategies.map((one) => ({
            ...one,
            signals: { ...one.signals, other: { kind: 'orderFlow', halfLifeMs: 6_000 } },
          })),
        }
      : line,
  );
  const { divergence } = await checkParity(changed);
  expect(divergence).not.toBeNull();
});
