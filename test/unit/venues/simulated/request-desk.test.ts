import * as ids from '../../../../src/domain/ids.js';
import { describe, expect, it } from 'vitest';
import { RequestDesk } from '../../../../src/venues/simulated/request-desk.js';
import type { Micros } from '../../../../src/domain/units.js';
import type { ExchangeCore } from '../../../../src/exchange/exchange.js';

const SECOND = 1_000_000;
const MARKET = ids.marketId(3001);

/** A desk whose exchange shows one share more at each look, and whose own clock never moves. */
function deskOf(clock: { now: number }): () => number | undefined {
  let looks = 0;
  const exchange: Pick<ExchangeCore, 'book' | 'now'> = {
    book: () => ({ bids: [{ price: 5_000, shares: (looks += 1), userShares: 0 }], asks: [] }) as never,
    now: () => 0 as Micros,
  };
  const desk = new RequestDesk({
    exchange: exchange as ExchangeCore,
    now: () => clock.now as Micros,
    account: 1 as never,
    mode: 'play_money',
    bookCacheMs: 5_000,
    keyOf: String,
    execute: () => expect.unreachable('nothing is executed'),
  });
  return () => {
    const { value } = desk.serve(1, { kind: 'read-book', marketId: MARKET, mode: 'play_money' }).next();
    return value?.ok === true && value.body.kind === 'read-book' ? value.body.bids.shares[0] : undefined;
  };
}

describe('a book that is read in a backtest', () => {
  it('is no older than the cache allows, however long nothing is executed', () => {
    const clock = { now: 0 };
    const read = deskOf(clock);
    expect(read()).toBe(1);
    clock.now = 5 * SECOND - 1;
    expect(read()).toBe(1);
    clock.now = 5 * SECOND;
    expect(read()).toBe(2);
  });
});
