/** Orders that ended unheard: the listing that misses them looks for their ends, and only then. */
import { describe, expect, test } from 'vitest';
import type { EngineObserver } from '../../src/core/engine/observing/observer.js';
import { accountId } from '../../src/exchange/contract/ids.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, quoting, type Scene } from '../support/simulation/scenes.js';
import { type Seam, UNCHANGED } from '../support/simulation/seam.js';
import { MAKER, RIVAL, type World } from '../support/simulation/world.js';

const RAIN = 1_001;

/** Lists of orders that were asked for from now on, by status. */
function listsAskedFor({ record }: World): string[] {
  const asked: string[] = [];
  record.listen((entry) => {
    const status = /status=(\w+)/.exec(entry.kind === 'left' ? entry.letter.path : '')?.[1];
    if (status !== undefined) asked.push(status);
  });
  return asked;
}

const isOver = (status: string): boolean => status === 'filled' || status === 'canceled';

/** Nobody but the maker stands in the market; somebody sells to its best bid, all of it. */
function sellToTheMaker(world: World): { readonly id: number; readonly shares: number } {
  for (const account of [RIVAL, accountId(3)])
    world.execute({ by: 'others' }, { kind: 'cancel-all', account, eventId: null, marketId: null });
  const [best] = ordersAtVenue(world)
    .filter(({ marketId, side, position }) => marketId === RAIN && side === 'bid' && position === 'long')
    .toSorted((a, b) => b.price! - a.price!);
  const { id, price, shares } = best!;
  world.place(RIVAL, { marketId: RAIN, side: 'bid', position: 'short', price: 10_000 - price!, shares });
  return { id, shares };
}

/** A list that is read, and whose pages do not come. */
const unreadable = (status: 'filled' | 'canceled', isBroken = (): boolean => true): Seam => ({
  ...UNCHANGED,
  wire: (wire) => ({
    call: async (call, sending) => {
      const outcome = await wire.call(call, sending);
      if (!call.query.some(([, value]) => value === status) || !isBroken()) return outcome;
      return { ok: false, failure: { kind: 'unknown', reason: 'time-out' }, sentAt: outcome.sentAt };
    },
  }),
});

const count = (asked: readonly string[], status: string): number =>
  asked.filter((one) => one === status).length;

/** What is believed of the orders in the market. */
const statesIn = ({ bot }: Scene): string[] =>
  bot.view.markets.find(({ marketId }) => marketId === String(RAIN))!.quotes.map(({ state }) => state);

const longIn = ({ bot }: Scene): number =>
  bot.view.markets.find(({ marketId }) => marketId === String(RAIN))!.inventory.long;

describe('a listing', () => {
  test('reads no list of what is over while everything known is shown', async () => {
    const { world } = await quoting();
    const asked = listsAskedFor(world);
    await world.run(130_000);
    expect(asked.length).toBeGreaterThanOrEqual(6);
    expect(asked.filter(isOver)).toEqual([]);
  });

  test('finds among the filled what was filled while no frame came, and counts it at once', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    const asked = listsAskedFor(world);
    bot.line.lose('connection closed', 500);
    const { shares } = sellToTheMaker(world);
    await world.runUntil('the filled were listed', () => asked.includes('filled'));
    await world.run(100);
    expect(longIn(scene)).toBe(shares);
    world.makeBook();
    await world.runUntil('all is quoted again', () => ordersAtVenue(world).length >= ALL_QUOTES);
    await world.run(10_000);
    expect(bot.noticeCodes).not.toContain('order-vanished');
    expectAgreement(world, bot);
  });

  test('proves nothing while the filled cannot be read, and finds it once they can', async () => {
    let isBroken = true;
    const scene = await quoting({ seam: unreadable('filled', () => isBroken) });
    const { world, bot } = scene;
    const asked = listsAskedFor(world);
    bot.line.lose('connection closed', 500);
    const { shares } = sellToTheMaker(world);
    await world.runUntil('the filled were asked for twice', () => count(asked, 'filled') > 1);
    expect(statesIn(scene)).toEqual(['unknown']);
    isBroken = false;
    await world.runUntil('they were read', () => longIn(scene) === shares);
    expect(statesIn(scene)).not.toContain('unknown');
    expect(bot.noticeCodes).not.toContain('order-vanished');
  });

  test('counts what was filled though the canceled cannot be read, for as long as they cannot', async () => {
    const scene = await quoting({ seam: unreadable('canceled') });
    const { world, bot } = scene;
    const asked = listsAskedFor(world);
    bot.line.lose('connection closed', 500);
    const { shares } = sellToTheMaker(world);
    const [other] = ordersAtVenue(world).filter(({ marketId }) => marketId === RAIN);
    world.execute({ by: 'hand' }, { kind: 'cancel-order', account: MAKER, orderId: other!.id });
    await world.runUntil('the canceled were asked for', () => asked.includes('canceled'));
    await world.run(100);
    expect(longIn(scene)).toBe(shares);
    expect(bot.noticeCodes).not.toContain('order-vanished');
  });

  test('is silent as long as the venue asks for where it is told so while it reads the filled', async () => {
    let left = 0;
    let isThrottling = true;
    const throttling: Seam = {
      ...UNCHANGED,
      wire: (wire) => ({
        call: (call, sending) => {
          left += 1;
          if (!isThrottling || !call.query.some(([, value]) => value === 'filled'))
            return wire.call(call, sending);
          [isThrottling, left] = [false, 0];
          const refusal = {
            kind: 'refused',
            status: 429,
            code: 'Throttled',
            means: 'throttled',
            detail: '',
          } as const;
          const failure = { ...refusal, retryAfterMs: 5_000 };
          return Promise.resolve({ ok: false, failure, sentAt: world.now });
        },
      }),
    };
    const scene = await quoting({ seam: throttling });
    const { world, bot } = scene;
    bot.line.lose('connection closed', 500);
    const { shares } = sellToTheMaker(world);
    await world.runUntil('it was told', () => !isThrottling);
    await world.run(4_900);
    expect(left).toBe(0);
    await world.runUntil('it asked again', () => longIn(scene) === shares);
  });
});

describe('the first listing after a crash', () => {
  test('finds what was filled and what was canceled while no bot ran', async () => {
    const { world, bot: first } = await quoting();
    first.kill();
    const { shares } = sellToTheMaker(world);
    const [other] = ordersAtVenue(world);
    world.execute({ by: 'hand' }, { kind: 'cancel-order', account: MAKER, orderId: other!.id });
    const asked = listsAskedFor(world);
    const bot = await world.start();
    await world.runUntil('it was read', () => asked.includes('canceled'));
    await world.run(100);
    expect(asked.slice(0, 5)).toEqual(['processing', 'open', 'partial_filled', 'filled', 'canceled']);
    expect(asked.slice(5).filter(isOver)).toEqual([]);
    expect(longIn({ world, bot })).toBe(shares);
    world.makeBook();
    await world.runUntil('it quotes', () => bot.view.phase === 'running');
    await world.run(10_000);
    expectAgreement(world, bot);
  });

  test.each(['filled', 'canceled'] as const)(
    'asks by cancels where the %s cannot be listed at all',
    async (which) => {
      const { world, bot: first } = await quoting();
      first.kill();
      const { shares } = sellToTheMaker(world);
      const [other] = ordersAtVenue(world);
      world.execute({ by: 'hand' }, { kind: 'cancel-order', account: MAKER, orderId: other!.id });
      const bot = await world.start({ seam: unreadable(which) });
      world.makeBook();
      await world.runUntil('it quotes', () => bot.view.phase === 'running');
      expect(longIn({ world, bot })).toBe(shares);
      await world.run(10_000);
      expectAgreement(world, bot);
    },
  );

  test('tells of what stands while the lists of what is over are still to come', async () => {
    const { world, bot: first } = await quoting();
    first.kill();
    sellToTheMaker(world);
    const unanswering: Seam = {
      ...UNCHANGED,
      wire: (wire) => ({
        call: (call, sending) =>
          call.query.some(([, value]) => value === 'filled')
            ? new Promise(() => undefined)
            : wire.call(call, sending),
      }),
    };
    const bot = await world.start({ seam: unanswering });
    await world.run(1_000);
    expect(bot.noticeCodes).toContain('order-found');
    expect([ordersAtVenue(world), bot.view.phase]).toEqual([[], 'starting']);
  });
});

test('a start tells what was held before it, with what was filled and traded by hand while no bot ran', async () => {
  const { world, bot } = await quoting();
  bot.kill();
  const { shares } = sellToTheMaker(world);
  world.place(RIVAL, { marketId: 2_003, side: 'bid', position: 'short', price: 4_000, shares: 300 });
  world.place(MAKER, { marketId: 2_003, side: 'bid', position: 'long', price: 6_000, shares: 300 });
  const told: (readonly (readonly [market: string, position: string, shares: number])[])[] = [];
  const opened: EngineObserver['opened'] = (holdings) =>
    void told.push(holdings.map((one) => [one.marketId, one.position, one.shares]));
  const next = await world.start({ observer: { opened } });
  await world.runUntil('it runs', () => next.view.phase === 'running');
  await world.run(70_000);
  expect(told).toHaveLength(1);
  expect(told[0]).toContainEqual(['1001', 'long', shares]);
  expect(told[0]).toContainEqual(['2003', 'long', 300]);
});
