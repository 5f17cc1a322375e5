import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  RiskFile,
  StateUnreadableError,
  forgetRiskState,
  readRiskState,
} from '../../../../src/ops/state/risk-file.js';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import { micros, money } from '../../../../src/domain/units.js';
import { type RiskState, NO_RISK_STATE } from '../../../../src/core/risk/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const LATCHED: RiskState = {
  coolDowns: [
    { scope: 'market', marketId: marketId(2231), until: micros(1_000_000) },
    { scope: 'event', eventId: eventId(873), until: micros(2_000_000) },
  ],
  markOuts: [{ marketId: marketId(2232), level: 'stopped' }],
  reversed: [marketId(2233)],
  taken: [{ currency: 'OOM', at: micros(1_500_000), amount: money(2_000_000) }],
  pauses: [
    {
      scope: { kind: 'market', marketId: marketId(2234) },
      isPaused: true,
      until: null,
      widenTicks: 2,
      by: 'ann',
      at: micros(1_600_000),
    },
  ],
  losses: [{ currency: 'OOM', lost: money(30_000_000), fell: money(0) }],
};

function scene() {
  const path = join(scratchFolder(), 'control', 'risk.json');
  const errors: string[] = [];
  const quiet = (): void => undefined;
  const logger = { debug: quiet, info: quiet, warn: quiet, error: (text: string) => void errors.push(text) };
  const forgotten: string[] = [];
  const steps = { lost: money(10_000_000), fell: money(10_000_000) };
  const open = () =>
    new RiskFile({
      path,
      logger,
      steps,
      found: readRiskState(path),
      onForgotten: () => void forgotten.push(''),
    });
  return { path, errors, forgotten, open };
}

describe('what guards latched', () => {
  it('is found again by the next run, and gone when nothing is latched any more', () => {
    const { path, open } = scene();
    const file = open();
    file.review(NO_RISK_STATE);
    expect(existsSync(path)).toBe(false);
    file.review(LATCHED);
    expect(readRiskState(path)).toEqual(LATCHED);
    file.review(NO_RISK_STATE);
    expect([existsSync(path), readRiskState(path)]).toEqual([false, NO_RISK_STATE]);
  });

  it('is written when it changes, not with every beat', () => {
    const { path, open } = scene();
    const file = open();
    file.review(LATCHED);
    writeFileSync(path, 'untouched');
    file.review({ ...LATCHED });
    expect(readFileSync(path, 'utf8')).toBe('untouched');
    file.review({ ...LATCHED, reversed: [] });
    expect(readRiskState(path).reversed).toEqual([]);
  });

  it('is written once losses have moved enough, or with something else, and exactly at the end', () => {
    const { path, open } = scene();
    const losing = (lost: number): RiskState => ({
      ...LATCHED,
      losses: [{ currency: 'OOM', lost: money(lost), fell: money(0) }],
    });
    const file = open();
    file.review(losing(30_000_000));
    file.review(losing(39_999_999));
    expect([readRiskState(path).losses, file.notedLosses]).toEqual([
      losing(30_000_000).losses,
      losing(30_000_000).losses,
    ]);
    file.review(losing(40_000_000));
    expect(readRiskState(path).losses).toEqual(losing(40_000_000).losses);
    file.review({ ...losing(40_000_001), reversed: [] });
    expect(readRiskState(path)).toEqual({ ...losing(40_000_001), reversed: [] });
    file.settle(losing(40_000_002));
    expect(readRiskState(path)).toEqual(losing(40_000_002));
  });

  it('is not written again by an end that comes right after a person removed it', () => {
    const { path, open } = scene();
    const file = open();
    file.review(LATCHED);
    forgetRiskState(path);
    file.review(LATCHED);
    file.settle(LATCHED);
    expect([existsSync(path), file.notedLosses]).toEqual([false, null]);
  });

  it('is forgotten by the bot whose file a person removes, once', () => {
    const { path, forgotten, open } = scene();
    open().review(LATCHED);
    const next = open();
    expect(forgetRiskState(path)).toBe(true);
    next.review(LATCHED);
    expect(forgotten).toHaveLength(1);
    next.review(NO_RISK_STATE);
    expect([forgotten.length, forgetRiskState(path)]).toEqual([1, false]);
  });

  it.each(['is gone', 'was made anew'])(
    'is not forgotten because its folder %s, and is written again',
    (how) => {
      const { path, forgotten, open } = scene();
      const file = open();
      file.review(LATCHED);
      renameSync(dirname(path), `${dirname(path)}-unmounted`);
      if (how === 'was made anew') mkdirSync(dirname(path));
      file.review(LATCHED);
      expect(forgotten).toEqual([]);
      expect(readRiskState(path)).toEqual(LATCHED);
      forgetRiskState(path);
      file.review(LATCHED);
      expect(forgotten).toHaveLength(1);
    },
  );

  it('that cannot be written is said once, tried again, and not taken for forgotten', () => {
    const { path, errors, forgotten, open } = scene();
    const file = open();
    mkdirSync(`${path}.new`, { recursive: true });
    file.review(LATCHED);
    file.review(LATCHED);
    expect([errors.length, forgotten]).toEqual([1, []]);
    rmdirSync(`${path}.new`);
    file.review(LATCHED);
    expect(readRiskState(path)).toEqual(LATCHED);
  });

  it.each(['', '{', '{"coolDowns":[]}', '{"coolDowns":[{"scope":"market"}],"markOuts":[],"reversed":[]}'])(
    'that is damaged (%s) is not silently nothing',
    (text) => {
      const { path, open } = scene();
      open().review(LATCHED);
      writeFileSync(path, text);
      expect(() => readRiskState(path)).toThrow(StateUnreadableError);
    },
  );
});
