/** What was lost is kept exactly: nothing of it is rounded, however often a bot is killed or ends. */
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeptState, readKept } from '../../../../src/ops/state/kept-state.js';
import { readRiskState } from '../../../../src/ops/state/risk-file.js';
import { forgetWindows, WindowFile } from '../../../../src/ops/state/window-file.js';
import { micros, money } from '../../../../src/domain/units.js';
import type { Engine } from '../../../../src/core/engine/engine.js';
import {
  KillSwitch,
  type KeptLoss,
  lossStepsOf,
  LossWatch,
  NO_RISK_STATE,
} from '../../../../src/core/risk/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const LIMITS = [{ maxLoss: money(1_000e6), maxDrawdown: money(1_000e6) }];

function scene() {
  const folder = scratchFolder();
  const [riskState, ended, spending, windowPath] = ['riskState', 'ended', 'spending', 'windows'].map((name) =>
    join(folder, `${name}.json`),
  ) as [string, string, string, string];
  const paths = { riskState, ended, spending };
  const said: unknown[] = [];
  const quiet = (): void => undefined;
  const warn = (text: string, fields?: unknown): void => void said.push([text, fields]);
  const logger = { debug: quiet, info: quiet, warn, error: warn };
  const begin = () => {
    const clock = { now: () => micros(1_000_000) };
    const windows = new WindowFile({ path: windowPath, clock, logger, keepMs: 60_000 });
    const found = readKept(paths, windows);
    const steps = lossStepsOf(LIMITS);
    const kept = new KeptState({ paths, logger, found, windows, steps, onForgotten: quiet });
    const watch = new LossWatch(LIMITS, new KillSwitch(), 'OOM', found.riskState.losses);
    const engine = () =>
      ({
        riskState: { ...NO_RISK_STATE, losses: watch.counting },
        ended: [],
        spending: null,
      }) as unknown as Engine;
    return {
      found: found.riskState.losses,
      makes: (profit: number): void => {
        watch.check(money(Math.round(profit * 1e6)), micros(7));
        kept.review(engine());
      },
      isKilled: () => kept.close(),
      ends: (): void => {
        kept.settle(engine());
        kept.close();
      },
    };
  };
  return { begin, paths, windowPath, said };
}

const lost = (amount: number): readonly KeptLoss[] => {
  const exactly = money(Math.round(amount * 1e6));
  return amount === 0 ? [] : [{ currency: 'OOM', lost: exactly, fell: exactly }];
};

describe('what was lost', () => {
  it.each(['isKilled', 'ends'] as const)('is known exactly to the next run once one %s', (end) => {
    const { begin } = scene();
    let real = 0;
    for (const made of [-0.01, -0.01, -12.345678, 5, -0.01, 3, -40, 39.5, 5, -1]) {
      const run = begin();
      expect(run.found).toEqual(lost(real));
      run.makes(made / 2);
      run.makes(made);
      run[end]();
      real = Math.max(0, Math.round((real - made) * 1e6) / 1e6);
    }
    expect(begin().found).toEqual(lost(real));
  });

  it('is written durably only when it moved by a hundredth of the limit, and at the end', () => {
    const { begin, paths } = scene();
    const run = begin();
    run.makes(-9);
    expect(existsSync(paths.riskState)).toBe(false);
    run.makes(-10);
    const { mtimeNs } = statSync(paths.riskState, { bigint: true });
    run.makes(-19.5);
    expect(statSync(paths.riskState, { bigint: true }).mtimeNs).toBe(mtimeNs);
    run.ends();
    expect(readRiskState(paths.riskState).losses).toEqual(lost(19.5));
  });

  it('is known to within a hundredth where only the durable file is left', () => {
    const { begin, windowPath } = scene();
    const run = begin();
    run.makes(-10);
    run.makes(-19.5);
    run.isKilled();
    forgetWindows(windowPath);
    expect(begin().found).toEqual(lost(10));
  });

  it('is accepted by a person who removes the durable file', () => {
    const { begin, paths } = scene();
    const run = begin();
    run.makes(-30.5);
    run.isKilled();
    rmSync(paths.riskState);
    expect(begin().found).toEqual([]);
  });

  it('is told at the start as amounts of the currency', () => {
    const { begin, said } = scene();
    const run = begin();
    run.makes(-30.5);
    run.ends();
    begin();
    expect(said).toEqual([
      [
        'what guards latched in the run before is taken over',
        { losses: ['30.5 OOM lost, 30.5 OOM below the best'] },
      ],
    ]);
  });

  it('is a line for every beat at which it moved, and none for others', () => {
    const { begin, windowPath } = scene();
    const run = begin();
    for (const made of [0, 5, -1, -1, -2, -2]) run.makes(made);
    expect(readFileSync(windowPath, 'utf8').split('\n')).toHaveLength(2 + 1);
  });
});
