import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allowanceOf } from '../../../../src/runs/live/engine-options.js';
import { GuardBudget } from '../../../../src/ops/guard/guard-budget.js';
import { micros } from '../../../../src/domain/units.js';
import type { Clock } from '../../../../src/core/ports/clock.js';
import { RequestBudget } from '../../../../src/core/execution/sending/budget.js';
import { acquireLock } from '../../../../src/storage/state/lock-file.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import { RateLimit } from '../../../../src/exchange-server/http/rate-limit.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;
const START = 1_700_000_000 * SECOND;
const LIMITS = { perMinute: 60, perDay: 2_000 };

function scene() {
  const clock = new VirtualClock(micros(START));
  const path = join(scratchFolder(), 'control', 'guard-spending.json');
  return { clock, path, budget: new GuardBudget(() => path, LIMITS, clock) };
}

/** Sends whatever may leave, each as soon as it may. @returns when */
function greedily(clock: VirtualClock, until: number, budget: () => GuardBudget): readonly number[] {
  const sent: number[] = [];
  while (clock.now() < until) {
    const one = budget();
    const wait = one.waitUs();
    if (wait > 0) {
      clock.advanceTo(micros(clock.now() + wait));
      continue;
    }
    one.spend();
    sent.push(clock.now());
  }
  return sent;
}

const mostWithin = (times: readonly number[], span: number): number => {
  let most = 0;
  let first = 0;
  for (let last = 0; last < times.length; last += 1) {
    while (times[first]! <= times[last]! - span) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
};

describe("a guard's budget", () => {
  it('is kept to in every minute and in every 24 hours, and never ends in silence', () => {
    const { clock, budget } = scene();
    const sent = greedily(clock, START + 3 * DAY, () => budget);
    expect(mostWithin(sent, 60 * SECOND)).toBe(LIMITS.perMinute);
    expect(mostWithin(sent, DAY)).toBeLessThanOrEqual(LIMITS.perDay);
    expect(mostWithin(sent, DAY)).toBeGreaterThan(0.9 * LIMITS.perDay);
    const gaps = sent.slice(1).map((at, before) => at - sent[before]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(90 * SECOND);
  });

  it('is kept to by a guard that starts anew again and again', () => {
    const { clock, path } = scene();
    let sent = 0;
    let budget = new GuardBudget(() => path, LIMITS, clock);
    const restarting = (): GuardBudget => {
      sent += 1;
      if (sent % 7 === 0) budget = new GuardBudget(() => path, LIMITS, clock);
      return budget;
    };
    const times = greedily(clock, START + 2 * DAY, restarting);
    expect(mostWithin(times, 60 * SECOND)).toBeLessThanOrEqual(LIMITS.perMinute);
    expect(mostWithin(times, DAY)).toBeLessThanOrEqual(LIMITS.perDay);
  });

  it('is one budget for a guard and the commands of an operator', () => {
    const { clock, path, budget } = scene();
    const command = new GuardBudget(() => path, LIMITS, clock);
    for (let sent = 0; sent < LIMITS.perDay / 2; sent += 1) {
      clock.advanceTo(micros(clock.now() + SECOND));
      command.spend();
    }
    expect(budget.waitUs()).toBeGreaterThan(60 * SECOND);
  });

  it('is one budget of every minute, too, though both send as much as they may', () => {
    const { clock, path, budget } = scene();
    const processes = [budget, new GuardBudget(() => path, LIMITS, clock)];
    let turn = 0;
    const sent = greedily(clock, START + 600 * SECOND, () => {
      turn += 1;
      return processes[turn % 2]!;
    });
    expect(mostWithin(sent, 60 * SECOND)).toBe(LIMITS.perMinute);
  });

  it('is kept to by two processes of which each asks while the other is counting', () => {
    const { clock, path } = scene();
    const limits = { perMinute: 9, perDay: 2_000 };
    const other = new GuardBudget(() => path, limits, clock);
    let sent = 0;
    const asks = (one: GuardBudget): void => {
      if (one.take() === 0) sent += 1;
    };
    let looks = 0;
    const interrupted: Clock = {
      now: () => {
        looks -= 1;
        if (looks === 0) asks(other);
        return clock.now();
      },
      monotonic: () => clock.monotonic(),
      at: (time, callback) => clock.at(time, callback),
    };
    const budget = new GuardBudget(() => path, limits, interrupted);
    for (let ask = 0; ask < 30; ask += 1) {
      // Whenever one looks at the clock the other may come in between.
      looks = 1 + (ask % 7);
      asks(budget);
      clock.advanceTo(micros(clock.now() + SECOND));
    }
    asks(other);
    expect(sent).toBe(limits.perMinute);
  });

  it('goes on by its own count when a process stands still that was counting', () => {
    const { clock, path, budget } = scene();
    budget.spend();
    const lock = acquireLock(`${path}.lock`, 'the test');
    const waits = Array.from({ length: 50 }, () => budget.take());
    expect([waits[0]! > 0, waits[48]! > 0, waits[49], budget.take()]).toEqual([true, true, 0, 0]);
    lock.release();
    clock.advanceTo(micros(clock.now() + SECOND));
    expect(budget.take()).toBe(0);
  });

  it('waits for no minute that a clock which was set back has not reached', () => {
    const { path, clock: before } = scene();
    const first = new GuardBudget(() => path, LIMITS, before);
    for (let sent = 0; sent < LIMITS.perMinute; sent += 1) first.spend();
    const clock = new VirtualClock(micros(START - 3_600 * SECOND));
    expect(new GuardBudget(() => path, LIMITS, clock).waitUs()).toBe(0);
  });

  it('is scarce once half of it is used', () => {
    const { budget } = scene();
    for (let sent = 1; sent < LIMITS.perDay / 2; sent += 1) budget.spend();
    expect(budget.isScarce).toBe(false);
    budget.spend();
    expect(budget.isScarce).toBe(true);
  });

  it.each(['', '{', '{"hours":[[1,-1]],"lastAt":0,"lastMinute":0}'])(
    'begins anew where %j stands',
    (text) => {
      const { clock, path } = scene();
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      const budget = new GuardBudget(() => path, LIMITS, clock);
      expect(budget.waitUs()).toBe(0);
      budget.spend();
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ seconds: [[START / SECOND, 1]] });
    },
  );

  it('is counted by the process alone where nothing can be written', () => {
    const { clock, path } = scene();
    writeFileSync(dirname(path), 'a file where the folder should be');
    const budget = new GuardBudget(() => path, LIMITS, clock);
    const sent = greedily(clock, START + DAY, () => budget);
    expect(mostWithin(sent, DAY)).toBeLessThanOrEqual(LIMITS.perDay);
  });
});

describe('one key for a bot and its guard', () => {
  const rateLimit = { perMinute: 240, perDay: 20_000 };
  const guard = { publicKey: null, requestsPerMinute: 60, requestsPerDay: 2_000 };

  it('is never turned away, however much both want to send and how often both start anew', () => {
    const { clock, path } = scene();
    const venue = new RateLimit(rateLimit);
    const limits = { perMinute: guard.requestsPerMinute, perDay: guard.requestsPerDay };
    const allowance = allowanceOf({ guard } as never, { rateLimit } as never);
    const budgetLimits = { ...allowance, burst: 0.25, readReserve: 5, bookShare: 0.25 };
    let budget = new RequestBudget(budgetLimits, clock.now());
    let ours = new GuardBudget(() => path, limits, clock);
    const sent = { bot: 0, guard: 0 };
    let refused = 0;
    const sends = (who: 'bot' | 'guard'): void => {
      sent[who] += 1;
      if (venue.take('key', clock.now()) !== null) refused += 1;
    };
    for (let second = 0; second < 2 * 86_400; second += 5) {
      clock.advanceTo(micros(START + second * SECOND));
      if (second % 5_000 === 0) {
        budget = new RequestBudget(budgetLimits, clock.now(), budget.spending);
        ours = new GuardBudget(() => path, limits, clock);
      }
      while (budget.allows('cancel', clock.now())) {
        budget.spend(clock.now());
        sends('bot');
      }
      while (ours.waitUs() <= 0) {
        ours.spend();
        sends('guard');
      }
    }
    expect(refused).toBe(0);
    expect(sent.bot).toBeGreaterThan(35_000);
    expect(sent.guard).toBeGreaterThan(2_500);
  });

  it('is not turned away either while an operator withdraws beside the guard and the day is no bound', () => {
    const { clock, path } = scene();
    const wide = { perMinute: 240, perDay: 1_000_000 };
    const venue = new RateLimit(wide);
    const limits = { perMinute: guard.requestsPerMinute, perDay: guard.requestsPerDay };
    const allowance = allowanceOf({ guard } as never, { rateLimit: wide } as never);
    const budgetLimits = { ...allowance, burst: 0.25, readReserve: 5, bookShare: 0.25 };
    const budget = new RequestBudget(budgetLimits, clock.now());
    const budgets = [new GuardBudget(() => path, limits, clock), new GuardBudget(() => path, limits, clock)];
    let refused = 0;
    const sends = (): void => {
      if (venue.take('key', clock.now()) !== null) refused += 1;
    };
    for (let second = 0; second < 600; second += 1) {
      clock.advanceTo(micros(START + second * SECOND));
      for (; budget.allows('cancel', clock.now()); sends()) budget.spend(clock.now());
      for (const budget of budgets) for (; budget.waitUs() <= 0; sends()) budget.spend();
    }
    expect(refused).toBe(0);
  });
});
