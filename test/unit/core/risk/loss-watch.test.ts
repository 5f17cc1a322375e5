import { describe, expect, it } from 'vitest';
import { micros, money } from '../../../../src/domain/units.js';
import {
  haveLossesMoved,
  KillSwitch,
  type KeptLoss,
  type LossLimits,
  lossStepsOf,
  LossWatch,
} from '../../../../src/core/risk/index.js';

const watchOf = (...limits: LossLimits[]) => {
  const killSwitch = new KillSwitch();
  const watch = new LossWatch(limits, killSwitch, 'OOM');
  return {
    killSwitch,
    watch,
    after: (profit: number) => watch.check(money(profit * 1e6), micros(7)),
  };
};
const lossOf = (maxLoss: number, maxDrawdown: number | null = null): LossLimits => ({
  maxLoss: money(maxLoss * 1e6),
  maxDrawdown: maxDrawdown === null ? null : money(maxDrawdown * 1e6),
});

describe('the loss limit', () => {
  it('latches the kill switch beyond the limit, not at it', () => {
    const { killSwitch, after } = watchOf(lossOf(100));
    expect([after(-100), killSwitch.state]).toEqual([false, null]);
    expect(after(-100.5)).toBe(true);
    expect(killSwitch.state).toEqual({ reason: 'loss limit: lost 100.5, limit 100', at: 7 });
  });

  it('latches once; the first reason stays', () => {
    const { killSwitch, after } = watchOf(lossOf(100));
    expect([after(-101), after(-500), killSwitch.state?.reason]).toEqual([
      true,
      false,
      'loss limit: lost 101, limit 100',
    ]);
  });

  it('is the tightest of several instances', () => {
    expect(watchOf(lossOf(100), lossOf(50)).after(-51)).toBe(true);
  });

  it('counts from where a person resumed', () => {
    const { killSwitch, watch, after } = watchOf(lossOf(100, 60));
    after(-101);
    killSwitch.reset();
    watch.accept(money(-101e6));
    expect([after(-150), after(-162)]).toEqual([false, true]);
  });
});

describe('what runs before have lost', () => {
  const restarted = (profit: number, limit: LossLimits) => {
    const before = watchOf(limit);
    before.after(profit);
    return new LossWatch([limit], new KillSwitch(), 'OOM', before.watch.counting);
  };
  const at = (profit: number, watch: LossWatch) => watch.check(money(profit * 1e6), micros(7));

  it('counts towards the loss limit of the next', () => {
    const watch = restarted(-60, lossOf(100));
    expect([at(-40, watch), at(-41, watch)]).toEqual([false, true]);
  });

  it('counts towards its drawdown limit from their best', () => {
    const before = watchOf(lossOf(1_000, 100));
    before.after(50);
    before.after(-20);
    const watch = new LossWatch([lossOf(1_000, 100)], new KillSwitch(), 'OOM', before.watch.counting);
    expect([at(-30, watch), at(-31, watch)]).toEqual([false, true]);
  });

  it('is nothing when they have won', () => {
    expect(watchOf(lossOf(100)).watch.counting).toEqual([]);
    const watch = restarted(40, lossOf(100, 100));
    expect([at(-100, watch), at(-101, watch)]).toEqual([false, true]);
  });

  it('is what they lost, neither more nor less, however many they were', () => {
    const killSwitch = new KillSwitch();
    const limits = [lossOf(1_000, 1_000)];
    let [before, real]: [readonly KeptLoss[], number] = [[], 0];
    for (let run = 0; run < 1_000; run += 1) {
      const watch = new LossWatch(limits, killSwitch, 'OOM', before);
      const made = run % 2 === 0 ? -0.02 : 0.01;
      watch.check(money(Math.round(made * 1e6)), micros(7));
      real += made;
      before = watch.counting;
    }
    const lost = money(Math.round(-real * 1e6));
    expect([killSwitch.state, before]).toEqual([null, [{ currency: 'OOM', lost, fell: lost }]]);
  });

  it('is made up for by what they have won', () => {
    const limits = [lossOf(1_000, 1_000)];
    const killSwitch = new KillSwitch();
    let before: readonly KeptLoss[] = [];
    for (let run = 0; run < 1_000; run += 1) {
      const watch = new LossWatch(limits, killSwitch, 'OOM', before);
      watch.check(money(run % 2 === 0 ? -10_000 : 5e6), micros(7));
      before = watch.counting;
    }
    expect([killSwitch.state, before]).toEqual([null, []]);
  });

  it('is not counted again in what their shares have cost more than they are worth', () => {
    const watch = restarted(-60, lossOf(100));
    watch.open(money(-60e6));
    expect([at(-100, watch), at(-101, watch)]).toEqual([false, true]);
  });

  it('is forgotten once a person accepts it', () => {
    const watch = restarted(-60, lossOf(100));
    watch.accept(money(0));
    expect([watch.counting, at(-100, watch)]).toEqual([[], false]);
  });
});

describe('what runs before have lost in another currency', () => {
  const lost = [{ currency: 'USDC', lost: money(60e6), fell: money(0) }] as const;

  it('counts nothing here, and is kept for a run that trades it', () => {
    const watch = new LossWatch([lossOf(50)], new KillSwitch(), 'USD', lost);
    expect([watch.check(money(-50e6), micros(7)), watch.counting[0]]).toEqual([false, lost[0]]);
    expect(new LossWatch([lossOf(50)], new KillSwitch(), 'USDC', watch.counting).counting).toHaveLength(2);
  });

  it('is accepted by a person who resumes, too', () => {
    const watch = new LossWatch([lossOf(50)], new KillSwitch(), 'USD', lost);
    watch.accept(money(0));
    expect(watch.counting).toEqual([]);
  });
});

describe('the drawdown limit', () => {
  it('latches when profit falls too far from its best', () => {
    const { killSwitch, after } = watchOf(lossOf(100, 30));
    expect([after(80), after(50), after(49)]).toEqual([false, false, true]);
    expect(killSwitch.state?.reason).toBe('drawdown limit: fell by 31, limit 30');
  });

  it('counts a fall from the beginning, too', () => {
    expect(watchOf(lossOf(100, 30)).after(-31)).toBe(true);
  });

  it('is absent unless stated', () => {
    const { after } = watchOf(lossOf(100));
    expect([after(1_000), after(-100)]).toEqual([false, false]);
  });
});

describe('the kill switch', () => {
  it('stays latched until it is reset', () => {
    const killSwitch = new KillSwitch();
    expect(killSwitch.latch('first', micros(1))).toBe(true);
    expect(killSwitch.latch('second', micros(2))).toBe(false);
    expect(killSwitch.state).toEqual({ reason: 'first', at: 1 });
    killSwitch.reset();
    expect(killSwitch.state).toBeNull();
  });
});

describe('what is lost is written down', () => {
  const steps = lossStepsOf([lossOf(1_000, 100), lossOf(2_000)]);
  const loss = (lost: number, fell: number): KeptLoss[] => [
    { currency: 'OOM', lost: money(lost * 1e6), fell: money(fell * 1e6) },
  ];

  it.each([
    [loss(50, 0), loss(59.99, 0), false],
    [loss(50, 0), loss(60, 0), true],
    [loss(50, 0), loss(40, 0), true],
    [loss(50, 0), loss(50, 1), true],
    [[], loss(9.99, 0.99), false],
    [[], loss(10, 0), true],
    [loss(10, 0), [], true],
    [loss(9, 0), [], false],
  ])('when it moved by a hundredth of the limit: %j to %j', (noted, now, hasMoved) => {
    expect(haveLossesMoved(noted, now, steps)).toBe(hasMoved);
  });

  it('never for a fall that no limit is stated for', () => {
    expect(haveLossesMoved([], loss(0, 1e6), lossStepsOf([lossOf(10)]))).toBe(false);
  });
});
