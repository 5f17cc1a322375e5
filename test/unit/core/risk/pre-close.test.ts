import { describe, expect, it } from 'vitest';
import { type Micros, micros } from '../../../../src/domain/units.js';
import {
  type Closing,
  preCloseChangesAt,
  type PreClosePolicy,
  preCloseRestriction,
  UNRESTRICTED,
} from '../../../../src/core/risk/quote-restriction.js';

const at = (seconds: number): Micros => micros(1_000_000_000 + seconds * 1_000_000);
const policy: PreClosePolicy = {
  widenMs: 60_000,
  widenTicks: 2,
  shrinkMs: 40_000,
  shrinkTo: 0.5,
  reduceOnlyMs: 20_000,
  outMs: 5_000,
};
const closing = (second: number, changes: Partial<Closing> = {}): Closing => ({
  at: at(second),
  until: null,
  reason: 'closed',
  ...changes,
});
const restrictionAt = (second: number, ...closings: Closing[]) =>
  preCloseRestriction(closings, policy, at(second));

describe('the way out of a market', () => {
  it('widens, shrinks, only reduces, and is out, in this order', () => {
    const restrictions = [39, 40, 60, 80, 95, 100].map((second) => restrictionAt(second, closing(100)));
    expect(restrictions).toEqual([
      UNRESTRICTED,
      { out: null, widenTicks: 2, size: 1, reduceOnly: false },
      { out: null, widenTicks: 2, size: 0.5, reduceOnly: false },
      { out: null, widenTicks: 2, size: 0.5, reduceOnly: true },
      { ...UNRESTRICTED, out: 'closing-soon' },
      { ...UNRESTRICTED, out: 'closed' },
    ]);
  });

  it('follows the earliest of several closes', () => {
    expect(restrictionAt(96, closing(500), closing(100)).out).toBe('closing-soon');
    expect(restrictionAt(60, closing(100), closing(150)).size).toBe(0.5);
  });

  it('leads back into the market when a window of news is over', () => {
    const news = closing(100, { until: at(130), reason: 'information-window' });
    expect([99, 100, 129, 130].map((second) => restrictionAt(second, news).out)).toEqual([
      'closing-soon',
      'information-window',
      'information-window',
      null,
    ]);
  });

  it('leaves out a step of length zero', () => {
    const only = { ...policy, widenMs: 0, shrinkMs: 0, reduceOnlyMs: 0, outMs: 0 };
    expect(preCloseRestriction([closing(100)], only, at(99.9))).toBe(UNRESTRICTED);
    expect(preCloseRestriction([closing(100)], only, at(100)).out).toBe('closed');
  });

  it('says when time alone changes it', () => {
    const news = closing(100, { until: at(130) });
    const edges = [0, 40, 60, 80, 95, 100, 130].map((second) =>
      preCloseChangesAt([news], policy, at(second)),
    );
    expect(edges).toEqual([at(40), at(60), at(80), at(95), at(100), at(130), null]);
  });

  it('changes at no other time than it says', () => {
    const closings = [closing(100, { until: at(130) }), closing(400)];
    let now = at(0);
    for (let next = preCloseChangesAt(closings, policy, now); next !== null;) {
      const before = micros(next - 1);
      expect(preCloseRestriction(closings, policy, before)).toEqual(
        preCloseRestriction(closings, policy, now),
      );
      now = next;
      next = preCloseChangesAt(closings, policy, now);
    }
    expect(now).toBe(at(400));
  });
});
