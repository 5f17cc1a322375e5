import { describe, expect, test } from 'vitest';
import { money } from '../../src/domain/units.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, quoting, type Scene } from '../support/simulation/scenes.js';
import { MAKER, RIVAL } from '../support/simulation/world.js';

/** Somebody sells so many shares to the best bid of the first market. */
const sellInto = ({ world }: Scene, shares: number): void =>
  void world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_200, shares });

describe('a frame', () => {
  test.each([
    ['that is no JSON', 'order-book-update', 'event-100', '{"market_id": 1001,'],
    ['of another shape', 'order-book-update', 'event-100', '{"market_id":"rain"}'],
    ['with a number that is none', 'order-update', 'private-user-1', '{"order_id":1,"shares_filled":"many"}'],
    ['of an event nobody knows', 'weather-report', 'event-100', '{}'],
  ])('%s is counted and changes nothing', async (_what, event, channel, text) => {
    const { world, bot } = await quoting();
    const before = ordersAtVenue(world);
    bot.line.deliver(event, channel, text);
    await world.run(2_000);
    expect(bot.view.counts.malformedFrames).toBe(1);
    expect(ordersAtVenue(world)).toEqual(before);
    expectAgreement(world, bot);
  });

  test('about a position that comes before the one about the fill is no contradiction', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    const holding = { market_id: 1001, event_id: 100, position: 'long', currency: 'OOM', shares: 3 };
    bot.line.deliver('position-update', 'private-user-1', JSON.stringify(holding));
    await world.run(200);
    sellInto(scene, 300);
    await world.run(10_000);
    expect(bot.noticeCodes).not.toContain('holding-repaired');
    expect(bot.view.markets[0]!.inventory.long).toBe(300);
    expectAgreement(world, bot);
  });

  test('about a fill that never comes is found out within minutes', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    world.network.weather = { ...world.network.weather, frameLost: 1 };
    sellInto(scene, 300);
    await world.run(100);
    world.network.weather = { ...world.network.weather, frameLost: 0 };
    await world.run(90_000);
    expect(bot.view.markets[0]!.inventory.long).toBe(300);
    expectAgreement(world, bot);
  });

  test('about a book that never comes is missed: both views are told, and counted', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    world.network.weather = { ...world.network.weather, frameLost: 1 };
    sellInto(scene, 300);
    await world.run(100);
    world.network.weather = { ...world.network.weather, frameLost: 0 };
    await world.run(90_000);
    expect(bot.view.counts.differences).toEqual({ book: 2 });
    expect(bot.notices.map(({ text }) => text)).toContainEqual(
      "a book read over REST is not the mirror's, 1 in a row: " +
        'bids 7 at 0.48, 10 at 0.47, 500 at 0.4 and asks 10 at 0.52, 10 at 0.53, 500 at 0.6, not ' +
        'bids 10 at 0.48, 10 at 0.47, 500 at 0.4 and asks 10 at 0.52, 10 at 0.53, 500 at 0.6',
    );
    expectAgreement(world, bot);
  });

  test('about money that came never comes: the balance is taken, counted, told with both views, no profit', async () => {
    const { world, bot } = await quoting();
    await world.run(5_000);
    const { profit } = bot.view;
    world.network.weather = { ...world.network.weather, frameLost: 1 };
    world.venue.execute({ kind: 'deposit', account: 1 as never, currency: 'OOM', amount: money(50e6) });
    await world.run(100);
    world.network.weather = { ...world.network.weather, frameLost: 0 };
    await world.run(200_000);
    expect(bot.view.counts.differences).toEqual({ cash: 1 });
    expect(bot.notices.map(({ text }) => text)).toContainEqual(
      'the venue says 10050 OOM, locks included; fills and fees make it 10000: 50 came otherwise',
    );
    expect(bot.view.profit).toBe(profit);
  });

  test('about the end of an order that never comes has its fill found by the listing that misses it', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    world.network.weather = { ...world.network.weather, frameLost: 1 };
    sellInto(scene, 1_000);
    await world.run(100);
    world.network.weather = { ...world.network.weather, frameLost: 0 };
    await world.run(200_000);
    expect(bot.view.markets[0]!.inventory.long).toBe(1_000);
    expect(bot.view.counts).toMatchObject({ fills: 1, differences: {} });
    expectAgreement(world, bot);
  });

  test('about a canceled one, which had filled, is inferred as a fill of its order, counted, told with both views', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    world.network.weather = { ...world.network.weather, frameLost: 1 };
    sellInto(scene, 300);
    const [partial] = ordersAtVenue(world).filter(({ status }) => status === 'partial_filled');
    world.execute({ by: 'hand' }, { kind: 'cancel-order', account: MAKER, orderId: partial!.id });
    await world.run(100);
    world.network.weather = { ...world.network.weather, frameLost: 0 };
    await world.run(200_000);
    expect(bot.view.markets[0]!.inventory.long).toBe(300);
    expect(bot.view.counts.differences).toMatchObject({ holding: 1 });
    expect(bot.view.counts).toMatchObject({ fills: 1, sharesFilled: 300, sharesInferred: 300 });
    const { notices } = bot;
    expect(notices.map(({ text }) => text)).toContainEqual(
      `the venue says 3 long in OOM, our fills say 0: a frame was lost; order ${partial!.id} is taken to have bought 3 long at ${partial!.price! / 10_000}`,
    );
    expect(bot.noticeCodes).not.toContain('cash-differs');
    expectAgreement(world, bot);
  });

  test('that comes twice, and late, counts once', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    world.network.weather = { ...world.network.weather, frameTwice: 1, frameLate: 0.5, frameLateMs: 500 };
    sellInto(scene, 300);
    await world.run(5_000);
    expect(bot.view.counts.fills).toBe(1);
    expectAgreement(world, bot);
  });
});

describe('a journal that takes no records', () => {
  test('stops creates and updates, and lets cancels through', async () => {
    const { world, bot } = await quoting();
    world.journal.isFull = true;
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'long', price: 4_500, shares: 20_000 });
    world.place(RIVAL, { marketId: 2_001, side: 'bid', position: 'long', price: 4_500, shares: 20_000 });
    const before = world.transport.seen.length;
    await world.run(5_000);
    const sent = world.transport.seen.slice(before).map(({ endpoint }) => endpoint);
    expect(sent).not.toContain('batchCreate');
    expect(sent).not.toContain('batchUpdate');
    expect(bot.noticeCodes).toContain('not-sent');
    bot.stop();
    await world.runUntil('ended', () => bot.end !== null);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(ordersAtVenue(world)).toEqual([]);
  });

  test('lets quotes come back once it takes them again', async () => {
    const { world, bot } = await quoting();
    world.journal.isFull = true;
    bot.line.lose('test', 100);
    await world.run(5_000);
    expect(ordersAtVenue(world)).toEqual([]);
    world.journal.isFull = false;
    await world.runUntil('it quotes again', () => ordersAtVenue(world).length === ALL_QUOTES, 30_000);
  });
});
