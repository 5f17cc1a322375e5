/** Where screen and engine differ: both play again without one cause after the other. */
import { createHash } from 'node:crypto';
import { CAUSES, type Cause, type ScreenDifference } from '../../report/screen-report.js';
import type { BotSettings } from '../../settings/index.js';
import { venueRulesOf } from '../backtest/backtest-setup.js';
import { sectionOf } from '../backtest/run-backtest.js';
import type { SweepJob } from '../sweep/job.js';

const PLENTY = 1_000_000;

/** The configuration in a world that lacks the cause. */
const WITHOUT: Readonly<Record<Cause, (settings: BotSettings) => BotSettings>> = {
  latency: (settings) => tried(settings, { latency: { feedMs: 0, requestMs: 0, responseMs: 0 } }),
  budget: (settings) => ({
    ...settings,
    instances: settings.instances.map((one) => ({
      ...one,
      limits: { ...one.limits, ordersPerMinute: PLENTY },
    })),
    venue: {
      ...NOWHERE,
      ...settings.venue,
      ...venueRulesOf(settings),
      rateLimit: { perMinute: PLENTY, perDay: 100 * PLENTY },
    },
  }),
  copies: (settings) => tried(settings, { duplicateWindowMs: 0 }),
  levels: (settings) => tried(settings, { depth: null }),
};

/** A venue that nobody calls. */
const NOWHERE = {
  name: 'venue',
  baseUrl: '',
  realtime: { key: '', cluster: null, host: '', port: 0, tls: false, channelsPerConnection: null },
  publicKey: '',
  privateKey: '',
  signing: { nested: 'python' },
} as const;

const tried = (
  settings: BotSettings,
  changes: Partial<NonNullable<BotSettings['backtest']>>,
): BotSettings => ({
  ...settings,
  backtest: { ...sectionOf(settings), ...changes },
});

/**
 * A part of a difference is what of it is gone without the cause. Causes work together, so the rest is what the parts do not add
 * up to.
 * @param configurations jobs of each
 * @param differenceOf   profit in the screen less profit in the engine, for each configuration
 */
export async function explainDifferences(
  configurations: readonly (readonly SweepJob[])[],
  differenceOf: (configurations: readonly (readonly SweepJob[])[]) => Promise<readonly number[]>,
): Promise<readonly ScreenDifference[]> {
  const found = await differenceOf(configurations);
  const without = new Map<Cause, readonly number[]>();
  for (const cause of CAUSES)
    without.set(
      cause,
      await differenceOf(
        configurations.map((jobs) =>
          jobs.map((job) => ({
            ...job,
            key: createHash('sha256').update(`${job.key} without ${cause}`).digest('hex'),
            settings: WITHOUT[cause](job.settings),
          })),
        ),
      ),
    );
  return found.map((difference, at) => {
    const parts = CAUSES.map((cause) => [cause, difference - without.get(cause)![at]!] as const);
    const rest = parts.reduce((left, [, part]) => left - part, difference);
    return { difference, parts: Object.fromEntries(parts) as ScreenDifference['parts'], rest };
  });
}
