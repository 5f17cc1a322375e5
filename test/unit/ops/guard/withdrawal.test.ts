import { describe, expect, it } from 'vitest';
import { cancelAccount } from '../../../../src/ops/guard/kill.js';
import { Withdrawal, type WithdrawalNews } from '../../../../src/ops/guard/withdrawal.js';
import { marketId, orderId } from '../../../../src/domain/ids.js';
import type { MarketOwnership } from '../../../../src/domain/vocabulary.js';
import { type JournalWork, lostOrder } from '../../../../src/core/execution/orders/left-behind.js';
import { micros } from '../../../../src/domain/units.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import { LeftOrders, LOST, refusal, throttled } from '../../../support/orders/left-orders.js';
import { EVENT, limitOrder, MARKET } from '../../../support/orders/order-scenario.js';
import { reportOf } from '../../../support/orders/own-order-reports.js';
import { untilSettled } from '../../../support/process/virtual-run.js';

const OTHER = marketId(8);
const START = micros(1_000_000_000);
const ASKED = limitOrder(40, 10);
const report = (id: number, market = MARKET) => ({ ...reportOf(ASKED, id), marketId: market });
const naming = (...ids: readonly number[]): JournalWork => ({ named: new Set(ids.map(orderId)), lost: [] });

interface SceneOptions {
  readonly orders: LeftOrders['orders'];
  readonly ownership?: MarketOwnership;
  readonly work?: () => JournalWork;
  readonly lookForMs?: number;
}

function scene({ orders, ownership = 'exclusive', work = () => naming(), lookForMs = 0 }: SceneOptions) {
  const clock = new VirtualClock(START);
  const venue = new LeftOrders(clock, orders);
  const news: WithdrawalNews[] = [];
  const stop = new AbortController();
  const withdrawal = new Withdrawal({
    rest: venue.rest,
    markets: [{ eventId: EVENT, marketId: MARKET, ownership }],
    work,
    lookUntil: () => lookForMs * 1_000,
    windowUs: 60_000_000,
    clock,
    tell: (one) => news.push(one),
  });
  const run = () => untilSettled(clock, withdrawal.run(stop.signal));
  const kinds = () => news.map(({ kind }) => kind);
  return { clock, venue, withdrawal, run, stop, news, kinds };
}

const callsOf = ({ calls }: LeftOrders): string[] => calls.map(({ name }) => name);

describe('a withdrawal', () => {
  it('cancels by id what a listing shows in a market of its own, and asks until two complete listings show nothing', async () => {
    const { venue, run } = scene({ orders: [report(1), report(2)] });
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(callsOf(venue)).toEqual(['activeOrders', 'batchCancel', 'activeOrders', 'activeOrders']);
  });

  it('cancels what the journal names before it lists anything: 1,000 markets in four requests', async () => {
    const ids = Array.from({ length: 2_000 }, (_, at) => at + 1);
    const { venue, run } = scene({ orders: ids.map((id) => report(id)), work: () => naming(...ids) });
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(callsOf(venue)).toEqual([
      ...Array.from({ length: 4 }, () => 'batchCancel'),
      'activeOrders',
      'activeOrders',
    ]);
  });

  it('asks with half as many ids where the venue refuses so many', async () => {
    const ids = Array.from({ length: 100 }, (_, at) => at + 1);
    const { venue, run } = scene({ orders: ids.map((id) => report(id)), work: () => naming(...ids) });
    const { batchCancel } = venue.rest;
    const asked: number[] = [];
    venue.rest.batchCancel = (some) => {
      asked.push(some.length);
      return some.length <= 25
        ? batchCancel(some)
        : Promise.resolve({ ok: false, failure: refusal(400, 'ValidationError'), sentAt: START });
    };
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(asked).toEqual([100, 50, 25, 25, 25, 25]);
  });

  it('takes by id what the journal names in a shared market and in one that is not configured, and leaves the rest', async () => {
    const { venue, run } = scene({
      orders: [report(1), report(2), report(3, OTHER)],
      ownership: 'shared',
      work: () => naming(1, 3),
    });
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual(['2']);
    expect(callsOf(venue)).not.toContain('cancelScope');
  });

  it('goes on until an order in processing can be cancelled', async () => {
    const { venue, run, clock, news } = scene({ orders: [report(1)] });
    venue.processing.add(orderId(1));
    clock.at(micros(START + 3_000_000), () => venue.processing.clear());
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(news.filter(({ kind }) => kind === 'held')).toEqual([
      { kind: 'held', orderIds: ['1'], reason: 'ItemRefused' },
    ]);
  });

  it('looks until no signed request can take effect any more, and takes what came late', async () => {
    const { venue, run, clock, kinds } = scene({ orders: [report(1)], lookForMs: 65_000 });
    clock.at(micros(START + 64_000_000), () => void venue.orders.push(report(2)));
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(clock.monotonic()).toBeGreaterThan(65_000_000);
    expect(kinds()).toEqual(['cancelled', 'empty', 'cancelled', 'empty']);
  });

  it('survives a venue that does not answer, and obeys Retry-After', async () => {
    const { venue, run, kinds } = scene({ orders: [report(1)] });
    venue.failures.push(LOST, LOST, throttled(30_000));
    expect(await run()).toBe(true);
    const [, , third, fourth] = venue.calls;
    expect(fourth!.at - third!.at).toBeGreaterThanOrEqual(30_000_000);
    expect(kinds().slice(0, 3)).toEqual(['failed', 'failed', 'failed']);
    expect(venue.ids).toEqual([]);
  });

  it('asks an address at which nobody takes requests once in a round', async () => {
    const { venue, run, kinds } = scene({ orders: [report(1)] });
    venue.failures.push({ kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect(await run()).toBe(true);
    expect(kinds()).toEqual(['failed', 'cancelled', 'empty']);
    expect(callsOf(venue).slice(0, 3)).toEqual(['activeOrders', 'activeOrders', 'batchCancel']);
  });

  it('proves nothing by listings between which one failed', async () => {
    const { venue, run } = scene({ orders: [] });
    venue.failures.push(undefined, LOST);
    expect(await run()).toBe(true);
    expect(callsOf(venue).filter((name) => name === 'activeOrders')).toHaveLength(4);
  });

  it('cancels a market of its own as a whole where an answer was lost: a listing may show nothing yet', async () => {
    const work = (): JournalWork => ({ ...naming(), lost: [lostOrder(ASKED, START)] });
    const { venue, run } = scene({ orders: [report(1)], work });
    venue.isBlind = true;
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(callsOf(venue)).toEqual(['cancelScope', 'activeOrders', 'activeOrders']);
  });

  it('does not insist on a market that the venue will not sweep; a listing tells', async () => {
    const work = (): JournalWork => ({ ...naming(), lost: [lostOrder(ASKED, START)] });
    const { venue, run } = scene({ orders: [report(1)], work });
    venue.failures.push(refusal(404, 'NotFound'));
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(callsOf(venue).filter((name) => name === 'cancelScope')).toHaveLength(1);
  });

  it('insists with keys that are refused until a person mends them', async () => {
    const { venue, run } = scene({ orders: [report(1)] });
    venue.failures.push(...Array.from({ length: 20 }, () => refusal(401, 'InvalidHMACKey')));
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
  });

  it('remembers a journal that cannot be read any more', async () => {
    let reads = 0;
    const work = (): JournalWork => {
      reads += 1;
      if (reads > 1) throw new Error('EIO');
      return naming(1);
    };
    const { venue, run, kinds, clock } = scene({ orders: [], ownership: 'shared', work, lookForMs: 5_000 });
    clock.at(micros(START + 3_000_000), () => void venue.orders.push(report(1)));
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(kinds()).toContain('journal-unreadable');
  });

  const unreadable = (): JournalWork => {
    throw new Error('EIO');
  };

  it('claims no proof in a shared market of which only a journal that cannot be read could name the orders', async () => {
    const { withdrawal, run } = scene({ orders: [report(1)], ownership: 'shared', work: unreadable });
    expect(await run()).toBe(true);
    expect(withdrawal.leavesDoubt).toBe(true);
  });

  it('without a readable journal looks until nothing that left just now can take effect', async () => {
    const { withdrawal, venue, run, clock, kinds } = scene({ orders: [report(1)], work: unreadable });
    clock.at(micros(START + 59_000_000), () => void venue.orders.push(report(2)));
    expect(await run()).toBe(true);
    expect(clock.monotonic()).toBeGreaterThan(60_000_000);
    expect(venue.ids).toEqual([]);
    expect(withdrawal.leavesDoubt).toBe(false);
    expect(kinds().filter((kind) => kind === 'journal-unreadable')).toHaveLength(1);
  });

  it('leaves what may be somebody else’s, and says so', async () => {
    const work = (): JournalWork => ({ named: new Set(), lost: [lostOrder(ASKED, START)] });
    const { withdrawal, venue, run, kinds } = scene({
      orders: [report(1), report(2)],
      ownership: 'shared',
      work,
    });
    expect(await run()).toBe(true);
    expect(withdrawal.leavesDoubt).toBe(true);
    expect(venue.ids).toEqual(['1', '2']);
    expect(kinds()).toEqual(['ambiguous', 'empty']);
  });

  it('stays in doubt about it when listings show nothing any more, and not when they show something else', async () => {
    const work = (): JournalWork => ({ ...naming(), ambiguous: new Set([orderId(1)]) });
    const made = { ownership: 'shared', work, lookForMs: 3_000 } as const;
    const blind = scene({ ...made, orders: [report(1), report(2)] });
    blind.clock.at(micros(START + 1_000_000), () => (blind.venue.isBlind = true));
    expect([await blind.run(), blind.withdrawal.leavesDoubt]).toEqual([true, true]);
    const gone = scene({ ...made, orders: [report(2)] });
    gone.clock.at(micros(START + 1_000_000), () => (gone.venue.isBlind = true));
    expect([await gone.run(), gone.withdrawal.leavesDoubt]).toEqual([true, false]);
    const never = scene({ ...made, orders: [] });
    expect([await never.run(), never.withdrawal.leavesDoubt, never.kinds()]).toEqual([
      true,
      true,
      ['ambiguous', 'empty'],
    ]);
  });

  it('cancels by its id what the journal names and no listing shows', async () => {
    const { venue, run, kinds } = scene({
      orders: [report(1), report(2)],
      ownership: 'shared',
      work: () => naming(1),
    });
    venue.isBlind = true;
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual(['2']);
    expect(kinds()).toEqual(['cancelled', 'empty']);
  });

  it('takes what a sweep could not for standing while listings show nothing', async () => {
    const { venue, run, clock } = scene({ orders: [report(1)], work: () => naming(1) });
    venue.isBlind = true;
    venue.processing.add(orderId(1));
    clock.at(micros(START + 1_000_000), () => venue.processing.clear());
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
  });

  it('takes what is named for gone once the venue has refused its cancel again after a while', async () => {
    const { venue, run, clock, kinds } = scene({ orders: [], ownership: 'shared', work: () => naming(1) });
    expect(await run()).toBe(true);
    expect(callsOf(venue).filter((name) => name === 'batchCancel')).toHaveLength(2);
    expect(clock.monotonic()).toBeGreaterThan(2_000_000);
    expect(kinds()).toEqual(['unseen', 'empty']);
  });

  it('asks for no more than five hundred at a time, and for none again whose end is known', async () => {
    const ids = Array.from({ length: 1_200 }, (_, at) => at + 1);
    const { venue, run } = scene({
      orders: ids.map((id) => report(id)),
      ownership: 'shared',
      work: () => naming(...ids),
    });
    venue.isBlind = true;
    expect(await run()).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(callsOf(venue).filter((name) => name === 'batchCancel')).toHaveLength(3);
  });

  it('proves nothing while cancels of what no listing shows are not answered', async () => {
    const { venue, run, stop, clock } = scene({
      orders: [report(1)],
      ownership: 'shared',
      work: () => naming(1),
    });
    venue.isBlind = true;
    venue.rest.batchCancel = () => Promise.resolve({ ok: false, failure: LOST, sentAt: null });
    clock.at(micros(START + 60_000_000), () => stop.abort());
    expect(await run()).toBe(false);
  });

  it('ends unproved when it is told to', async () => {
    const { venue, run, stop, clock } = scene({ orders: [report(1)] });
    venue.processing.add(orderId(1));
    clock.at(micros(START + 10_000_000), () => stop.abort());
    expect(await run()).toBe(false);
  });
});

describe('a withdrawal of the whole account', () => {
  it('takes everything, whoever placed it, and asks until it is empty twice', async () => {
    const clock = new VirtualClock(START);
    const venue = new LeftOrders(clock, [report(1), report(2, OTHER)]);
    venue.failures.push(LOST);
    const { signal } = new AbortController();
    const lookUntil = (): number => 0;
    const run = cancelAccount({ rest: venue.rest, lookUntil, clock, tell: () => undefined, signal });
    expect(await untilSettled(clock, run)).toBe(true);
    expect(callsOf(venue)).toEqual([
      'cancelWholeAccount',
      'cancelWholeAccount',
      'activeOrders',
      'activeOrders',
    ]);
  });

  it('looks until no signed request can take effect any more, and takes all of the account that came late', async () => {
    const clock = new VirtualClock(START);
    const venue = new LeftOrders(clock, [report(1)]);
    const kinds: string[] = [];
    const { signal } = new AbortController();
    const lookUntil = (): number => 65_000_000;
    clock.at(micros(START + 64_000_000), () => void venue.orders.push(report(2)));
    const run = cancelAccount({
      rest: venue.rest,
      lookUntil,
      clock,
      tell: ({ kind }) => kinds.push(kind),
      signal,
    });
    expect(await untilSettled(clock, run)).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(kinds).toEqual(['cancelled', 'empty', 'cancelled', 'empty']);
  });
});
