import type { TradeEvent } from '../../../src/exchange/contract.js';
import type { Ofw1Case, Ofw1Name, Ofw1Tape, Ofw1Totals } from '../matching/ofw1.js';
import { HASH_START, hashWord } from '../matching/ofw1.js';
import { CoreRun, FLOW_MARKET, flowTick } from './core-flow.js';

/**
 * What the core makes of 1,000,000 operations; the slow core makes the same of them. Accounts cancel orders of their
 * own that conflict, so less rests and trades than in the book alone.
 */
export const CORE_TOTALS: Record<Ofw1Name, Ofw1Totals> = {
  steady: {
    trades: 243_736,
    volume: 61_214_576,
    restingOrders: 2_379,
    restingVolume: 1_174_045,
    hash: 642412251,
  },
  thin: { trades: 130_419, volume: 32_810_476, restingOrders: 369, restingVolume: 183_919, hash: 3572560319 },
  requote: {
    trades: 24_322,
    volume: 6_148_283,
    restingOrders: 649,
    restingVolume: 331_233,
    hash: 2766493128,
  },
  deep: {
    trades: 89_350,
    volume: 22_409_212,
    restingOrders: 3_712,
    restingVolume: 1_841_597,
    hash: 2111665665,
  },
};

/**
 * Runs a tape through the core. The hash is taken over the accounts of both sides instead of their orders, which the
 * core numbers anew.
 */
export function coreTotals(flowCase: Ofw1Case, tape: Omit<Ofw1Tape, 'totals'>): Ofw1Totals {
  const run = new CoreRun(flowCase, tape);
  const tick = flowTick(flowCase);
  let [trades, volume, hash] = [0, 0, HASH_START];
  for (let at = 0; at < tape.count; at++) {
    for (const event of run.step(at)) {
      if (event.kind !== 'trade') continue;
      trades++;
      volume += event.shares;
      hash = hashTrade(hash, event, tick);
    }
  }
  return { trades, volume, ...resting(run), hash: hash >>> 0 };
}

function hashTrade(hash: number, { taker, maker, price, shares }: TradeEvent, tick: number): number {
  const accounts = hashWord(hashWord(hash, taker.account ?? 0), maker.account ?? 0);
  return hashWord(hashWord(accounts, price / tick), shares);
}

function resting({ exchange }: CoreRun): Pick<Ofw1Totals, 'restingOrders' | 'restingVolume'> {
  const book = exchange.book(FLOW_MARKET, 'play_money', 'long', null);
  const levels = [...(book?.bids ?? []), ...(book?.asks ?? [])];
  return {
    restingOrders: restingOrders(exchange),
    restingVolume: levels.reduce((sum, { shares }) => sum + shares, 0),
  };
}

function restingOrders(exchange: CoreRun['exchange']): number {
  const accounts = new Set(exchange.ledger().accounts.map(({ id }) => id));
  return [...accounts]
    .flatMap((id) =>
      (['open', 'partial_filled'] as const).map(
        (status) => exchange.orders(id, { status, limit: 0, offset: 0 }).total,
      ),
    )
    .reduce((sum, total) => sum + total, 0);
}
