/** A short session of the demo over the real wire, with faults on both sides of it, that records itself. */
import { join } from 'node:path';
import { startDemo } from '../../../src/runs/demo.js';
import type { EndEffect } from '../../../src/domain/effects.js';
import type { EngineView } from '../../../src/core/engine/observing/view.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import { type BotSettings, loadBotSettings } from '../../../src/settings/index.js';
import { createLogger } from '../../../src/ops/telemetry/logger.js';
import { ROOT } from '../project/small-house.js';
import { until } from '../process/until.js';

type Faults = NonNullable<BotSettings['exchange']>['faults'];

/** What goes wrong now and then on a bad day: answers lost, errors before and after the act, frames lost and doubled. */
export const BAD_DAY: Faults = {
  seed: 11,
  rules: [
    { on: 'POST /orders/batch/', kind: 'lose_answer', probability: 0.02, ms: 1_000 },
    { on: 'POST /orders/batch/', kind: 'error_after', probability: 0.02 },
    { on: 'POST /orders/batch-update/', kind: 'error_before', probability: 0.03 },
    { on: 'POST /orders/batch-cancel/', kind: 'reset', probability: 0.03 },
    { on: '* /markets/{id}/book/', kind: 'stale_book', probability: 0.05 },
    { on: '* /orders/', kind: 'html_answer', probability: 0.02 },
    { on: 'ws', kind: 'frame_lose', probability: 0.005 },
    { on: 'ws', kind: 'frame_dup', probability: 0.03 },
    { on: 'ws', kind: 'frame_reorder', probability: 0.02 },
    { on: 'ws', kind: 'frame_delay', probability: 0.03, ms: 150 },
    { on: 'ws', kind: 'drop_ws', probability: 0.001 },
  ],
};

export interface SessionOptions {
  readonly stateDir: string;
  readonly runId: string;
  readonly faults?: Faults;
  readonly change?: (settings: BotSettings) => BotSettings;
  /** When enough has happened. */
  readonly isEnough: (view: EngineView) => boolean;
  /** How long that is waited for, in ms; as `until` has it otherwise. */
  readonly patienceMs?: number;
}

export interface Session {
  /** Folder of the run. */
  readonly folder: string;
  readonly view: EngineView;
  readonly end: EndEffect;
  readonly decisionHash: string;
}

/** Runs until enough has happened, stops, and resolves once everything is closed. */
export async function recordedSession(options: SessionOptions): Promise<Session> {
  const { stateDir, runId, faults, change = (same) => same, isEnough } = options;
  const { settings, source } = loadBotSettings(join(ROOT, 'config/demo.yaml'), {});
  const exchangeSettings = { ...settings.exchange!, port: 0, faults: faults ?? settings.exchange!.faults };
  const { exchange, bot } = await startDemo({
    settings: change({
      ...settings,
      stateDir,
      exchange: exchangeSettings,
      http: { ...settings.http, port: 0 },
      tape: { ...settings.tape, record: true, flushMs: 100 },
    }),
    source,
    recording: null,
    clock: new SystemClock(),
    random: seededRandom(settings.seed),
    logger: createLogger({ level: 'silent' }),
    runId,
  });
  try {
    await until('enough to have happened', () => isEnough(bot.view()), options.patienceMs);
    bot.stop('seen enough');
    const end = await bot.ended;
    return { folder: join(stateDir, 'runs', runId), view: bot.view(), end, decisionHash: bot.decisionHash };
  } finally {
    await exchange.close();
  }
}
