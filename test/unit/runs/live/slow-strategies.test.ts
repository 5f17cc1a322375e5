import { describe, expect, it } from 'vitest';
import type { OperatorCommand } from '../../../../src/domain/inputs.js';
import { SlowStrategies } from '../../../../src/runs/live/slow-strategies.js';

function scene(strategyOverruns: number) {
  let nowUs = 0;
  const warnings: string[] = [];
  const commands: OperatorCommand[] = [];
  const slow = new SlowStrategies({
    settings: { strategyMaxMs: 250, strategyOverruns },
    clock: { monotonic: () => nowUs },
    logger: { warn: (text) => void warnings.push(text) },
    command: (command) => void commands.push(command),
  });
  /** An answer that took so long, so long after the one before. */
  const answer = (tookMs: number, afterMs = 0): void => {
    nowUs += afterMs * 1_000;
    slow.asked();
    nowUs += tookMs * 1_000;
    slow.answered('rain');
  };
  return { warnings, commands, answer };
}

describe('a strategy that is slow', () => {
  it('is warned of once, and stopped when it was too slow too often', () => {
    const { answer, warnings, commands } = scene(3);
    for (let fast = 0; fast < 100; fast++) answer(249);
    expect([warnings, commands]).toEqual([[], []]);
    answer(300);
    answer(400);
    expect(warnings).toEqual([
      'strategy instance rain took 300 ms to answer; 3 answers of more than 250 ms within a minute stop it',
    ]);
    expect(commands).toEqual([]);
    answer(251);
    expect(commands).toEqual([
      {
        kind: 'command',
        command: 'stop-strategy',
        instance: 'rain',
        reason:
          'it took 251 ms to answer, and more than 250 ms 3 times within a minute (quoting.strategyMaxMs, strategyOverruns)',
      },
    ]);
  });

  it('goes on when a minute lies between, or when nobody wants it stopped', () => {
    const rare = scene(2);
    rare.answer(300);
    rare.answer(300, 60_000);
    expect(rare.commands).toEqual([]);
    const never = scene(0);
    for (let times = 0; times < 20; times++) never.answer(300);
    expect([never.commands, never.warnings]).toEqual([[], []]);
  });
});
