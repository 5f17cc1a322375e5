import { describe, expect, it } from 'vitest';
import { micros, money, shares } from '../../../../src/domain/units.js';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import { OrderPaces } from '../../../../src/core/execution/sending/order-pace.js';
import { FillBreaker } from '../../../../src/core/risk/fill-breaker.js';
import { KillSwitch, LossWatch } from '../../../../src/core/risk/index.js';

const AT = micros(1_000_000);
const LIMITS = { windowMs: 60_000, maxShares: null, maxAmount: null, coolDownMs: 1_000, steps: 0, stepMs: 0 };
const fill = (bought: number) => ({
  eventId: eventId(1),
  marketId: marketId(2),
  side: 'bid' as const,
  position: 'long' as const,
  shares: shares(bought),
  amount: money(1),
});

describe('limits that change while a run goes on', () => {
  it('count what was lost before', () => {
    const killSwitch = new KillSwitch();
    const watch = new LossWatch([{ maxLoss: money(100), maxDrawdown: null }], killSwitch, 'OOM');
    expect(watch.check(money(-60), AT)).toBe(false);
    watch.limit([{ maxLoss: money(50), maxDrawdown: null }]);
    expect(watch.check(money(-60), AT)).toBe(true);
  });

  it('count fills from before', () => {
    const breaker = new FillBreaker(LIMITS);
    expect(breaker.filled(fill(80), AT)).toBeNull();
    breaker.limit({ ...LIMITS, maxShares: shares(100) });
    expect(breaker.filled(fill(30), AT)).toMatchObject({ scope: 'market' });
  });

  it('count orders that left before, and give a market that joins the pace of its instance', () => {
    const paces = new OrderPaces([], AT);
    paces.arrange('one', [marketId(2)], 400, AT);
    const pace = paces.of(marketId(2))!;
    pace.spend(60, AT);
    paces.arrange('one', [marketId(2), marketId(3)], 200, AT);
    expect(paces.of(marketId(3))).toBe(pace);
    expect([pace.perMinute, pace.free(AT)]).toEqual([200, 40]);
    pace.spend(40, AT);
    expect(pace.free(AT)).toBe(0);
  });
});
