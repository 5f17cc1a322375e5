/** Measures how long strategies take to answer. What takes too long too often is stopped. */
import type { AnswerWatch } from '../../core/strategy/instance.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import type { OperatorCommand } from '../../domain/inputs.js';
import type { BotSettings } from '../../settings/index.js';

const WITHIN_US = 60_000_000;

export interface SlowStrategiesOptions {
  readonly settings: Pick<BotSettings['quoting'], 'strategyMaxMs' | 'strategyOverruns'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly command: (command: OperatorCommand) => void;
}

/**
 * Only a run that is live measures. That an instance is stopped is an input, so a replay stops it at the same moment. An answer
 * that never comes stops the whole process, which a guard notices.
 */
export class SlowStrategies implements AnswerWatch {
  private begunAt = 0;
  /** When each instance answered too late within the last minute. */
  private readonly overruns = new Map<string, readonly number[]>();

  constructor(private readonly options: SlowStrategiesOptions) {}

  asked(): void {
    this.begunAt = this.options.clock.monotonic();
  }

  answered(instance: string): void {
    const { settings, clock } = this.options;
    const now = clock.monotonic();
    const tookMs = (now - this.begunAt) / 1_000;
    if (settings.strategyOverruns > 0 && tookMs > settings.strategyMaxMs) this.overran(instance, tookMs, now);
  }

  private overran(instance: string, tookMs: number, now: number): void {
    const { settings, logger, command } = this.options;
    const { strategyMaxMs, strategyOverruns } = settings;
    const before = (this.overruns.get(instance) ?? []).filter((at) => now - at < WITHIN_US);
    const took = `took ${tookMs.toFixed(0)} ms to answer`;
    if (before.length + 1 < strategyOverruns) {
      this.overruns.set(instance, [...before, now]);
      if (before.length > 0) return;
      const text = `strategy instance ${instance} ${took}; ${strategyOverruns} answers of more than ${strategyMaxMs} ms within a minute stop it`;
      return logger.warn(text);
    }
    this.overruns.delete(instance);
    const times = strategyOverruns === 1 ? 'once' : `${strategyOverruns} times within a minute`;
    const reason = `it ${took}, and more than ${strategyMaxMs} ms ${times} (quoting.strategyMaxMs, strategyOverruns)`;
    command({ kind: 'command', command: 'stop-strategy', instance, reason });
  }
}
