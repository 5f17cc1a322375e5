import { describe, expect, test } from 'vitest';
import { accountId, marketId } from '../../src/exchange/contract/ids.js';
import type { OrderView } from '../../src/exchange/contract.js';
import type { BotSettings } from '../../src/settings/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { Machine } from '../support/simulation/host.js';
import { allShared, quoting } from '../support/simulation/scenes.js';
import { type Seam, UNCHANGED } from '../support/simulation/seam.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import type { SeenRequest } from '../support/simulation/virtual-transport.js';
import { MAKER, RIVAL, World } from '../support/simulation/world.js';

const RAIN = marketId(1_001);
const adopting = (settings: BotSettings): BotSettings => ({ ...settings, startOrders: 'adopt' });

const withoutRain = (settings: BotSettings): BotSettings => ({
  ...settings,
  events: settings.events.filter(({ id }) => id !== String(100)),
  instances: settings.instances.filter(({ name }) => name !== 'rain'),
});

/** The best bid of its own that stands in the rain market. */
const bestBid = (world: World): OrderView =>
  ordersAtVenue(world)
    .filter(
      ({ marketId: market, side, position }) => market === RAIN && side === 'bid' && position === 'long',
    )
    .toSorted((a, b) => b.price! - a.price!)[0]!;

/** Shares that all its best bids there still ask for. */
function bestLevel(world: World): number {
  const { price: best } = bestBid(world);
  return ordersAtVenue(world)
    .filter(
      ({ marketId: market, side, position, price }) =>
        market === RAIN && side === 'bid' && position === 'long' && price === best,
    )
    .reduce((sum, { shares, filled }) => sum + shares - filled, 0);
}

/** Somebody sells so many shares of the best bid to it, which nobody else stands before. */
function fillBestBid(world: World, shares: number): void {
  const { price } = bestBid(world);
  for (const account of [RIVAL, accountId(3)])
    world.execute({ by: 'others' }, { kind: 'cancel-all', account, eventId: null, marketId: null });
  world.place(RIVAL, { marketId: RAIN, side: 'bid', position: 'short', price: 10_000 - price!, shares });
}

const ordersInRain = (world: World): number[] =>
  ordersAtVenue(world).flatMap(({ id, marketId: market }) => (market === RAIN ? [id] : []));

/** Ids of the maker's working orders at the venue. */
const idsAtVenue = (world: World): number[] => ordersAtVenue(world).map(({ id }) => id);

const longIn = ({ view }: SimulatedBot): number =>
  view.markets.find((one) => one.marketId === String(RAIN))!.inventory.long;

/** Where no order is ever shown as filled or canceled. */
const endless: Seam = {
  ...UNCHANGED,
  wire: (wire) => ({
    call: async (call, sending) => {
      const outcome = await wire.call(call, sending);
      const isOver = call.query.some(([, value]) => value === 'filled' || value === 'canceled');
      if (!outcome.ok || !isOver) return outcome;
      return { ...outcome, value: { orders: [], total: 0, nextOffset: null } as never };
    },
  }),
};

/** Holds the first answer of an endpoint back. */
class Held {
  readonly #released: (() => void)[] = [];
  #wasHeld = false;

  constructor(private readonly endpoint: string) {}

  get isHeld(): boolean {
    return this.#released.length > 0;
  }

  release(): void {
    for (const released of this.#released.splice(0)) released();
  }

  readonly seam: Seam = {
    ...UNCHANGED,
    wire: (wire) => ({
      call: async (call, sending) => {
        const outcome = await wire.call(call, sending);
        if (call.endpoint !== this.endpoint || this.#wasHeld) return outcome;
        this.#wasHeld = true;
        await new Promise<void>((resolve) => this.#released.push(resolve));
        return outcome;
      },
    }),
  };
}

/** A world in which a bot quoted for a while and was killed; the traders have stopped. */
async function afterCrash(settings?: (settings: BotSettings) => BotSettings): Promise<World> {
  const world = new World({ seed: 3 });
  const bot = await world.start(settings === undefined ? {} : { settings });
  await world.run(10_000);
  bot.kill();
  world.venue.close();
  await world.run(100);
  expect(idsAtVenue(world)).not.toEqual([]);
  return world;
}

test('a first start names every order of others that it cancels', async () => {
  const world = World.quiet();
  const order = { marketId: RAIN, side: 'bid', position: 'long', shares: 100 } as const;
  for (const price of [1_000, 1_100, 1_200]) world.place(MAKER, { ...order, price });
  const byHand = idsAtVenue(world);
  const bot = await world.start();
  await world.runUntil('it quotes', () => bot.view.phase === 'running');
  const said = bot.view.notices.map(({ text }) => text).join('; ');
  expect(byHand).toHaveLength(3);
  for (const id of byHand) expect(said).toMatch(new RegExp(String.raw`\b${id}\b`));
});

describe('a bot that was killed', () => {
  test('finds its orders at the next start and cancels them before it quotes', async () => {
    const world = await afterCrash();
    const before = idsAtVenue(world);
    const bot = await world.start();
    await world.runUntil('it quotes', () => bot.view.phase === 'running');
    expect(idsAtVenue(world).filter((id) => before.includes(id))).toEqual([]);
    expect(bot.noticeCodes).toContain('order-found');
    await world.run(3_000);
    expectAgreement(world, bot);
  });

  test.each(['cancel', 'adopt'] as const)(
    'cancels what it has in a market that the configuration names no more, and nothing of others there: %s',
    async (startOrders) => {
      const world = await afterCrash();
      const inRain = (): number[] => ordersInRain(world);
      expect(inRain()).not.toEqual([]);
      const left = new Set(inRain());
      world.byHand({ marketId: 1_001, price: 1_000 });
      const byHand = inRain().filter((id) => !left.has(id));
      const bot = await world.start({ settings: (settings) => ({ ...withoutRain(settings), startOrders }) });
      await world.runUntil('it quotes', () => bot.view.phase === 'running');
      expect(inRain()).toEqual(byHand);
    },
  );

  test('takes cash that its orders in a market named no more had locked for no difference', async () => {
    const world = await afterCrash();
    const held = new Held('orders');
    const bot = await world.start({ settings: withoutRain, seam: held.seam });
    await world.run(1_000);
    held.release();
    await world.runUntil('it quotes', () => bot.view.phase === 'running');
    await world.run(90_000);
    expect(ordersInRain(world)).toEqual([]);
    expect(bot.view.counts.differences['cash'] ?? 0).toBe(0);
  });

  test('adopts them when told to, and leaves alone what still fits', async () => {
    const world = await afterCrash();
    const before = idsAtVenue(world);
    const bot = await world.start({ settings: adopting });
    await world.run(3_000);
    expect(bot.view.phase).toBe('running');
    expect(idsAtVenue(world).filter((id) => before.includes(id))).not.toEqual([]);
    expectAgreement(world, bot);
  });

  test('does not adopt what rests in a market that is paused, though others cannot be judged yet', async () => {
    const world = await afterCrash();
    const before = ordersAtVenue(world);
    world.execute({ by: 'others' }, { kind: 'set-market-status', marketId: RAIN, status: 'paused' });
    world.transport.detours.set('book', 3_000);
    const bot = await world.start({ settings: adopting });
    await world.run(1_000);
    expect(bot.view.phase).toBe('starting');
    expect(ordersAtVenue(world)).toEqual(before.filter((order) => order.marketId !== RAIN));
  });

  test('quotes once cancels have told of the last order that listings do not show', async () => {
    const world = await afterCrash();
    const orderId = ordersAtVenue(world)[0]!.id;
    world.execute({ by: 'hand' }, { kind: 'cancel-order', account: MAKER, orderId });
    const isAsked = ({ endpoint, body }: SeenRequest): boolean =>
      endpoint === 'batchCancel' && new RegExp(`\\b${orderId}\\b`).test(body);
    const bot = await world.start({ seam: endless });
    const isAskedFor = (times: number) => () => world.transport.seen.filter(isAsked).length === times;
    await world.runUntil('it is refused', isAskedFor(1));
    expect(bot.view.phase).toBe('starting');
    await world.runUntil('it is refused again', isAskedFor(2));
    world.transport.detours.set('orders', 20_000);
    await world.run(1_000);
    expect(bot.view.phase).toBe('running');
  });

  test('quotes with what came while its orders were listed, though listings do not show the order', async () => {
    const world = await afterCrash();
    // The whole level, which may be two orders: one that is partly filled is still listed.
    const shares = bestLevel(world);
    world.transport.detours.set('orders', 2_000);
    const bot = await world.start();
    await world.run(1_000);
    const before = longIn(bot);
    world.network.weather = { ...world.network.weather, frameLost: 1 };
    fillBestBid(world, shares);
    world.transport.detours.clear();
    await world.runUntil('it quotes', () => bot.view.phase === 'running');
    expect(longIn(bot)).toBe(before + shares);
  });

  test('believes the frames of a fill that came while holdings were read for the first time', async () => {
    const world = await afterCrash();
    const held = new Held('wagers');
    const bot = await world.start({ seam: held.seam, settings: adopting });
    await world.runUntil('they are read', () => held.isHeld);
    fillBestBid(world, 300);
    await world.run(200);
    held.release();
    await world.runUntil('it quotes', () => bot.view.phase === 'running');
    await world.run(5_000);
    expectAgreement(world, bot);
  });

  test('takes a fill back that was in the holdings it began with, and is told of by a listing afterwards', async () => {
    const world = await afterCrash();
    world.transport.detours.set('wagers', 2_000);
    const bot = await world.start({ settings: adopting });
    await world.run(1_000);
    const { weather } = world.network;
    world.network.weather = { ...weather, frameLost: 1 };
    fillBestBid(world, 300);
    await world.run(100);
    world.network.weather = weather;
    world.transport.detours.clear();
    await world.runUntil('it quotes', () => bot.view.phase === 'running');
    await world.run(20_000);
    expectAgreement(world, bot);
  });

  test('knows its own from others in shared markets by what the journal remembers', async () => {
    const world = await afterCrash(allShared);
    const before = idsAtVenue(world);
    const byHand = world.byHand({ marketId: 1_001, price: 1_000 });
    const bot = await world.start({ settings: allShared });
    await world.runUntil('it quotes', () => bot.view.phase === 'running', 120_000);
    expect(idsAtVenue(world).filter((id) => before.includes(id))).toEqual([]);
    expect(idsAtVenue(world)).toContain(byHand);
    bot.stop();
    await world.runUntil('ended', () => bot.end !== null);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(idsAtVenue(world)).toEqual([byHand]);
  });
});

describe('a market that was disabled when the bot started', () => {
  const inRain = (world: World): number => ordersAtVenue(world).filter((one) => one.marketId === RAIN).length;

  /** Shares are held there, and the first word of its being disabled comes after the first read of holdings. */
  async function startedWhileDisabled() {
    const { world, bot: first } = await quoting();
    world.place(accountId(3), { marketId: RAIN, side: 'bid', position: 'short', price: 9_900, shares: 500 });
    await world.run(2_000);
    first.kill();
    world.execute({ by: 'others' }, { kind: 'set-market-status', marketId: RAIN, disabled: true });
    world.transport.detours.set('event', 300);
    const bot = await world.start();
    await world.runUntil('it quotes elsewhere', () => bot.view.phase === 'running');
    return { world, bot };
  }

  test.each([0, 700])('is quoted with what is held there, enabled after %i ms', async (ms) => {
    const { world, bot } = await startedWhileDisabled();
    await world.run(ms);
    world.execute({ by: 'others' }, { kind: 'set-market-status', marketId: RAIN, disabled: false });
    await world.runUntil('it is quoted', () => inRain(world) > 0);
    expect(bot.view.markets.find((one) => one.marketId === String(RAIN))?.inventory).toMatchObject({
      long: 500,
    });
    await world.run(5_000);
    expectAgreement(world, bot);
  });
});

describe('a create whose answer nobody heard before the crash', () => {
  /** The request takes effect after so long, and the bot is killed while it is under way. */
  async function crashedWhileCreating(
    effectAfterMs: number,
    settings?: (settings: BotSettings) => BotSettings,
    clock?: (world: World) => Machine,
  ): Promise<World> {
    const world = World.quiet();
    const host = clock?.(world).host();
    const bot = await world.start({
      ...(settings !== undefined && { settings }),
      ...(host !== undefined && { host }),
    });
    world.transport.detours.set('batchCreate', effectAfterMs);
    await world.runUntil('a create left', () =>
      world.transport.seen.some(({ endpoint }) => endpoint === 'batchCreate'),
    );
    bot.kill();
    world.transport.detours.clear();
    return world;
  }

  test('is cancelled with its market where every order is ours', async () => {
    const world = await crashedWhileCreating(3_000);
    const bot = await world.start();
    await world.run(20_000);
    expect(bot.view.phase).toBe('running');
    expectAgreement(world, bot);
    bot.stop();
    await world.runUntil('ended', () => bot.end !== null);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(ordersAtVenue(world)).toEqual([]);
  });

  test('is cancelled in a market that the configuration names no more, as soon as it shows', async () => {
    const world = await crashedWhileCreating(3_000);
    const mine = world.byHand({ marketId: 1_001, price: 1_000 });
    const bot = await world.start({ settings: withoutRain });
    await world.runUntil('it shows', () => ordersInRain(world).length > 1);
    await world.run(10_000);
    expect(ordersInRain(world)).toEqual([mine]);
    expect(bot.view.phase).toBe('running');
  });

  test('is waited for in a shared market, recognised by its terms, and cancelled', async () => {
    const world = await crashedWhileCreating(3_000, allShared);
    const bot = await world.start({ settings: allShared });
    await world.run(2_000);
    expect(bot.view.phase).toBe('starting');
    await world.runUntil('it quotes', () => bot.view.phase === 'running', 120_000);
    await world.run(3_000);
    expectAgreement(world, bot);
  });

  test.each([
    ['ahead', 600_000],
    ['behind', -600_000],
  ])('is recognised there by a machine whose clock is ten minutes %s, too', async (_, aheadMs) => {
    const machine = (world: World): Machine => new Machine(world.clock, { aheadMs, driftPpm: 0 });
    const world = await crashedWhileCreating(3_000, allShared, machine);
    // No frame tells the next run of it: those do not say when an order was created.
    await world.run(4_000);
    expect(ordersAtVenue(world)).not.toEqual([]);
    const bot = await world.start({ settings: allShared, host: machine(world).host() });
    await world.runUntil('it quotes', () => bot.view.phase === 'running', 120_000);
    bot.stop();
    await world.runUntil('ended', () => bot.end !== null);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(ordersAtVenue(world)).toEqual([]);
  });
});
