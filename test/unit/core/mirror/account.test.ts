import { describe, expect, it } from 'vitest';
import type { HoldingReport } from '../../../../src/domain/orders.js';
import { money, shares } from '../../../../src/domain/units.js';
import { EVENT, MARKET, MirrorDriver, OTHER_MARKET } from '../../../support/mirror/mirror-driver.js';

const holding = (whole: number, changes: Partial<HoldingReport> = {}): HoldingReport => ({
  marketId: MARKET,
  eventId: EVENT,
  position: 'long',
  currency: 'OOM',
  shares: shares(whole * 100),
  purchasesAmount: null,
  ...changes,
});

const update = (driver: MirrorDriver, report: HoldingReport): MirrorDriver =>
  driver.apply({ kind: 'holding', holding: report });

const readHoldings = (driver: MirrorDriver, ...holdings: HoldingReport[]): MirrorDriver =>
  driver.answer(driver.issue({ kind: 'read-holdings' }), { kind: 'read-holdings', holdings });

const held = (driver: MirrorDriver, market = MARKET): number =>
  driver.mirror.held(market, 'long', 'OOM') / 100;

describe('holdings', () => {
  it('are kept by market, position and currency, never netted', () => {
    const driver = update(new MirrorDriver().goLive(), holding(5));
    update(driver, holding(3, { position: 'short' }));
    update(driver, holding(2, { currency: 'USDC' }));
    expect(held(driver)).toBe(5);
    expect(driver.mirror.held(MARKET, 'short', 'OOM')).toBe(300);
    expect(driver.mirror.held(MARKET, 'long', 'USDC')).toBe(200);
    expect(driver.mirror.holdings()).toHaveLength(3);
  });

  it('a frame touches its market', () => {
    const driver = update(new MirrorDriver().goLive(), holding(5));
    expect(driver.mirror.drainDirty()).toEqual([MARKET]);
  });

  it('a complete read replaces them: what it does not name is not held', () => {
    const driver = update(new MirrorDriver().goLive(), holding(5)).wait(1);
    readHoldings(driver, holding(7, { marketId: OTHER_MARKET }));
    expect([held(driver), held(driver, OTHER_MARKET)]).toEqual([0, 7]);
  });

  it('a read never undoes a frame that came after its request was sent', () => {
    const driver = new MirrorDriver().goLive();
    const sent = driver.issue({ kind: 'read-holdings' });
    update(driver.wait(1), holding(5));
    driver.answer(sent, { kind: 'read-holdings', holdings: [holding(1)] });
    expect(held(driver)).toBe(5);
  });

  it('of a read that did not look where a market is disabled by now count for nothing, and are read again', () => {
    const driver = update(new MirrorDriver().goLive(), holding(5)).wait(1);
    const sent = driver.issue({ kind: 'read-holdings' });
    const disabled = {
      kind: 'market-status',
      eventId: EVENT,
      marketId: MARKET,
      disabled: true,
      understood: true,
    } as const;
    driver.apply({ ...disabled, venueTime: null }).mirror.distrust('holdings', sent.sentAt);
    driver.answer(sent, { kind: 'read-holdings', holdings: [], lookedIn: [] });
    expect([held(driver), driver.mirror.isRead('holdings')]).toEqual([5, false]);
    const again = driver.issue({ kind: 'read-holdings' });
    driver.answer(again, { kind: 'read-holdings', holdings: [holding(3)], lookedIn: [EVENT] });
    expect([held(driver), driver.mirror.isRead('holdings')]).toEqual([3, true]);
  });

  it('of markets that configuration does not know are kept as well', () => {
    const driver = readHoldings(new MirrorDriver().goLive(), holding(1, { marketId: '5' as typeof MARKET }));
    expect(driver.mirror.holdings()).toHaveLength(1);
  });
});

describe('balances', () => {
  const readBalances = (driver: MirrorDriver, amount: number): MirrorDriver =>
    driver.answer(driver.send('read-balances')[0]!, {
      kind: 'read-balances',
      balances: new Map([['OOM', money(amount)]]),
    });

  it('are unknown until read, then live', () => {
    const driver = new MirrorDriver().join();
    expect(driver.mirror.balance('OOM')).toEqual({ amount: null, freshness: 'resyncing', asOf: null });
    readBalances(driver, 1_000);
    expect(driver.mirror.balance('OOM')).toEqual({ amount: 1_000, freshness: 'live', asOf: driver.now });
    expect(driver.mirror.balance('USDC').amount).toBeNull();
  });

  it('have moved once the venue says so, and are read again', () => {
    const driver = new MirrorDriver({ balancePaceMs: 1_000 }).goLive().wait(2_000);
    driver.apply({ kind: 'balance', venueTime: driver.now });
    expect(driver.mirror.balance('OOM').freshness).toBe('moved');
    readBalances(driver.wait(1), 900);
    expect(driver.mirror.balance('OOM')).toMatchObject({ amount: 900, freshness: 'live' });
  });

  it('are read once for a burst of changes, and once more for those that came meanwhile', () => {
    const driver = new MirrorDriver({ balancePaceMs: 1_000 }).goLive();
    let reads = 0;
    for (let step = 0; step < 40; step++) {
      if (step < 20) driver.apply({ kind: 'balance', venueTime: driver.now });
      for (const sent of driver.wait(50).send('read-balances')) {
        reads += 1;
        driver.answer(sent, driver.usualAnswer(sent.request));
      }
    }
    expect(reads).toBe(1);
    expect(driver.mirror.balance('OOM').freshness).toBe('live');
  });

  it('that may have moved are read once, however often it is said, and not for a moment', () => {
    const driver = new MirrorDriver({ balancePaceMs: 1_000 }).goLive();
    for (let step = 0; step < 10; step++) driver.wait(50).mirror.balanceMoved(driver.now);
    expect(driver.send('read-balances')).toEqual([]);
    readBalances(driver.wait(600), 900);
    expect(driver.mirror.balance('OOM')).toMatchObject({ amount: 900, freshness: 'live' });
    expect(driver.wait(2_000).send('read-balances')).toEqual([]);
  });

  it('a deposit moves them too', () => {
    const driver = new MirrorDriver().goLive().wait(1);
    driver.apply({ kind: 'deposit', amount: money(5), currency: 'OOM' });
    expect(driver.mirror.balance('OOM').freshness).toBe('moved');
  });
});

describe('routine and distrust', () => {
  it('holdings and balances are read again at their own pace although nothing calls for it', () => {
    const driver = new MirrorDriver({ holdingsEveryMs: 7_000, balancesEveryMs: 9_000 });
    driver.goLive();
    const asked: string[] = [];
    for (let second = 1; second <= 9; second++)
      for (const sent of driver.wait(1_000).send()) {
        asked.push(`${second} ${sent.request.kind}`);
        driver.answer(sent, driver.usualAnswer(sent.request));
      }
    expect(asked).toEqual(['7 read-holdings', '9 read-balances']);
  });

  it('a part that something contradicts stops quoting until a later read', () => {
    const driver = new MirrorDriver().goLive();
    const early = driver.issue({ kind: 'read-orders' });
    driver.wait(1).mirror.distrust('orders', driver.now);
    expect(driver.mirror.freshness(MARKET).reason).toBe('orders-not-read');
    expect(driver.mirror.drainDirty()).toEqual([MARKET]);
    driver.answer(early, { kind: 'read-orders', orders: [] });
    expect(driver.mirror.isRead('orders')).toBe(false);
    driver.readAll();
    expect(driver.mirror.freshness(MARKET).state).toBe('live');
    expect(driver.mirror.drainDirty()).toEqual([MARKET]);
  });

  it('a read is asked for until it is issued, and never twice at once', () => {
    const driver = new MirrorDriver().join();
    expect(driver.mirror.needs(driver.now)).toHaveLength(5);
    expect(driver.mirror.needs(driver.now, () => 0).map(({ kind }) => kind)).not.toContain('read-book');
    driver.send();
    expect(driver.mirror.needs(driver.now)).toEqual([]);
  });

  it('a failed read of any kind is counted once and repeated', () => {
    const driver = new MirrorDriver().join();
    const sent = driver.send();
    for (const one of sent) driver.fail(one, { kind: 'unknown', reason: 'time-out' });
    expect(driver.mirror.counters.readsFailed).toBe(sent.length);
    expect(driver.send()).toEqual([]);
    expect(driver.wait(500).send()).toHaveLength(sent.length);
  });

  it('nothing is asked for while the connection is down', () => {
    const driver = new MirrorDriver().goLive().connection('lost').wait(100_000);
    expect(driver.mirror.needs(driver.now)).toEqual([]);
  });

  it('answers to trading requests and inputs of others are none of its business', () => {
    const driver = new MirrorDriver().goLive();
    driver.mirror.issued(500, { kind: 'cancel-orders', orderIds: [] });
    driver.apply({
      kind: 'answer',
      requestId: 500,
      sentAt: driver.now,
      outcome: { ok: true, body: { kind: 'cancel-orders', items: [] } },
    });
    driver.apply({ kind: 'command', command: 'start' });
    expect(driver.mirror.drainDirty()).toEqual([]);
  });
});
