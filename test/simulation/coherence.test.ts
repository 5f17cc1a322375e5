/** Own quotes on outcomes of which at most one wins, however a strategy's wishes move. */
import { describe, expect, test } from 'vitest';
import { marketId } from '../../src/domain/ids.js';
import { complement, type PriceUnits } from '../../src/domain/units.js';
import { bookSide } from '../../src/domain/vocabulary.js';
import type { OrderView } from '../../src/exchange/contract.js';
import type { BudgetLimits } from '../../src/core/execution/sending/budget.js';
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';
import type { BotSettings } from '../../src/settings/index.js';
import { defineStrategy, type Quote, quoteAt } from '../../src/core/strategy/sdk.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { limited, quotedBy } from '../support/simulation/scenes.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import { RIVAL, World } from '../support/simulation/world.js';

const CUP = 200;
const [ASHFORD, BRACKLEY] = [2_001, 2_002];

/** Prices of ten shares each, by market. */
interface Wishes {
  readonly bids: Record<number, number>;
  readonly asks: Record<number, number>;
}

interface Cup {
  readonly world: World;
  readonly bot: SimulatedBot;
  /** Wants a market's quotes elsewhere; whatever is left out stays. */
  readonly want: (market: number, wish: { readonly bid?: number; readonly ask?: number }) => void;
  readonly bids: () => readonly number[];
  readonly asks: () => readonly number[];
  /** Requests that create, change or cancel orders. */
  readonly requests: () => number;
}

const wide = limited((limits) => ({ ...limits, priceCollar: 10_000 as PriceUnits }));
const onlyCup = (settings: BotSettings): BotSettings =>
  wide({ ...settings, instances: settings.instances.filter(({ name }) => name === 'cup') });

/**
 * The cup alone, in a quiet world, quoted exactly as is wanted.
 * @param budget what of the requests' allowances is otherwise
 */
async function cup(
  change: (settings: BotSettings) => BotSettings = (same) => same,
  budget: Partial<BudgetLimits> = {},
): Promise<Cup> {
  const wishes: Wishes = { bids: {}, asks: {} };
  const obedient = defineStrategy({
    name: 'obedient',
    params: {},
    quote: ({ market }) => ({
      bids: quotes(wishes.bids[Number(market.id)]),
      asks: quotes(wishes.asks[Number(market.id)]),
    }),
  });
  const world = World.quiet();
  const bot = await world.start({
    settings: (settings) => change(onlyCup(settings)),
    engine: (options) => {
      const quoted = quotedBy('cup', obedient)(options);
      return { ...quoted, budget: { ...quoted.budget, ...budget } };
    },
  });
  await world.run(5_000);
  const pricesOf = (side: string) => (): readonly number[] =>
    ordersAtVenue(world)
      .filter((order) => bookSide(order.side, order.position) === side)
      .map(longPriceOf)
      .toSorted((one, other) => one - other);
  return {
    world,
    bot,
    want: (market, { bid, ask }) => {
      if (bid !== undefined) wishes.bids[market] = bid;
      if (ask !== undefined) wishes.asks[market] = ask;
      const said = { kind: 'fair-value', marketId: marketId(market), p: 0.5, confidence: 1 } as const;
      bot.loop.outside({ ...said, at: world.now });
    },
    bids: pricesOf('bid'),
    asks: pricesOf('ask'),
    requests: () => {
      const { requests: sent } = bot.view.counts;
      return ORDERING.reduce((sum, kind) => sum + (sent[kind] ?? 0), 0);
    },
  };
}

/** Three quotes at once, and one a second. */
const FEW_REQUESTS = { perMinute: 65, burst: 5 / 65, readReserve: 1 };
const ORDERING = ['create-orders', 'replace-orders', 'cancel-orders'] as const;

const quotes = (price: number | undefined): readonly Quote[] =>
  price === undefined || price === 0 ? [] : [quoteAt(price / 10_000, 10, { wish: price / 10_000 })];

const longPriceOf = ({ position, price }: OrderView): number =>
  position === 'long' ? price! : complement(price as PriceUnits);

const sum = (prices: readonly number[]): number => prices.reduce((all, one) => all + one, 0);

describe('bids on outcomes that exclude each other', () => {
  test('never add up to one: the one that would is refused, and stands as soon as another has stepped back', async () => {
    const { world, bot, want, bids, requests } = await cup();
    want(ASHFORD, { bid: 5_500 });
    want(BRACKLEY, { bid: 4_000 });
    await world.run(2_000);
    expect(bids()).toEqual([4_000, 5_500]);
    want(BRACKLEY, { bid: 4_500 });
    await world.run(2_000);
    expect(bids()).toEqual([5_500]);
    expect(bot.view.markets.map(({ refusedBy }) => refusedBy)).toContain('coherent-quotes');
    const before = requests();
    await world.run(60_000);
    expect(requests()).toBe(before);
    want(ASHFORD, { bid: 5_400 });
    await world.run(2_000);
    expect(bids()).toEqual([4_500, 5_400]);
    expect(bot.view.markets.map(({ refusedBy }) => refusedBy)).not.toContain('coherent-quotes');
    expectAgreement(world, bot);
  });

  test('may add up to anything where they do not exclude each other, or that is allowed', async () => {
    const apart = (settings: BotSettings): BotSettings => ({
      ...settings,
      events: settings.events.map((event) => ({ ...event, resolutionMode: 'non_exclusive' as const })),
    });
    for (const change of [apart, limited((limits) => ({ ...limits, coherentQuotes: false }))]) {
      const { world, want, bids } = await cup(change);
      want(ASHFORD, { bid: 5_500 });
      want(BRACKLEY, { bid: 5_500 });
      await world.run(2_000);
      expect(bids()).toEqual([5_500, 5_500]);
    }
  });

  test('are compared by the word of the venue, where the configuration says nothing', async () => {
    const { world, want, bids } = await cup((settings) => ({
      ...settings,
      events: settings.events.map((event) => ({ ...event, resolutionMode: null })),
    }));
    want(ASHFORD, { bid: 5_500 });
    want(BRACKLEY, { bid: 5_500 });
    await world.run(2_000);
    expect(bids()).toEqual([5_500]);
  });

  test('let a short position be sold at any price', async () => {
    const { world, bot, want, bids } = await cup();
    want(ASHFORD, { ask: 5_500 });
    want(BRACKLEY, { bid: 5_000 });
    await world.run(2_000);
    world.place(RIVAL, { marketId: ASHFORD, side: 'bid', position: 'long', price: 5_500, shares: 1_000 });
    await world.run(2_000);
    want(ASHFORD, { bid: 5_400, ask: 0 });
    await world.run(2_000);
    expect(bids()).toEqual([5_000, 5_400]);
    want(ASHFORD, { bid: 5_500 });
    await world.run(2_000);
    expect(bids()).toEqual([5_000, 5_500]);
    expect(bot.view.counts.refusals).toEqual({});
    expectAgreement(world, bot);
  });

  test('let an exit pass a bid that waits for its turn, which is judged again beside it', async () => {
    const { world, bot, want, bids } = await cup(undefined, FEW_REQUESTS);
    want(ASHFORD, { ask: 5_500 });
    await world.run(20_000);
    world.place(RIVAL, { marketId: ASHFORD, side: 'bid', position: 'long', price: 5_500, shares: 1_000 });
    await world.run(20_000);
    want(ASHFORD, { ask: 0 });
    for (let move = 0; move < 8; move += 1) {
      want(BRACKLEY, { bid: 3_000 + 100 * move });
      await world.run(300);
    }
    expect(bids()).not.toContain(3_700);
    want(BRACKLEY, { bid: 5_000 });
    await world.run(50);
    want(ASHFORD, { bid: 5_500 });
    for (let step = 0; step < 100; step += 1) {
      await world.run(50);
      expect(sum(bids())).toBeLessThan(10_000);
    }
    expect(bids()).toEqual([5_500]);
    expect(bot.view.markets.map(({ refusedBy }) => refusedBy)).toContain('coherent-quotes');
    expectAgreement(world, bot);
  });

  test('stay coherent at every moment while wishes move, and all stand again once those are', async () => {
    const { world, bot, want, bids, requests } = await cup();
    const random = seededRandom(7);
    const MOVES = 120;
    let most = 0;
    for (let move = 0; move < MOVES; move += 1) {
      want(random.uniform() < 0.5 ? ASHFORD : BRACKLEY, { bid: 4_200 + 100 * random.below(16) });
      for (let step = 0; step < 4; step += 1) {
        await world.run(50);
        expect(sum(bids())).toBeLessThan(10_000);
        most = Math.max(most, sum(bids()));
      }
    }
    expect(most).toBe(9_900);
    expect(bot.view.counts.refusals['coherent-quotes']).toBeGreaterThan(10);
    // One for what moves, and at most a withdrawal and a new order of the one that it meets.
    expect(requests()).toBeLessThan(3 * MOVES);
    want(ASHFORD, { bid: 5_100 });
    want(BRACKLEY, { bid: 4_800 });
    await world.run(3_000);
    expect(bids()).toEqual([4_800, 5_100]);
    expectAgreement(world, bot);
  });
});

describe('asks on outcomes of which one is sure to win', () => {
  const among =
    (exhaustive: boolean) =>
    (settings: BotSettings): BotSettings => ({
      ...settings,
      events: settings.events.map((event) =>
        event.id === String(CUP)
          ? {
              ...event,
              exhaustive,
              markets: event.markets.filter(({ id }) => id === String(ASHFORD) || id === String(BRACKLEY)),
            }
          : event,
      ),
    });

  test.each([
    ['never add up to one or less', true, [5_000]],
    ['may where perhaps none of them wins', false, [5_000, 5_000]],
  ] as const)('%s', async (_what, isExhaustive, standing) => {
    const { world, want, asks } = await cup(among(isExhaustive));
    want(ASHFORD, { ask: 5_000 });
    await world.run(1_000);
    want(BRACKLEY, { ask: 5_000 });
    await world.run(2_000);
    expect(asks()).toEqual(standing);
    want(BRACKLEY, { ask: 5_100 });
    await world.run(2_000);
    expect(asks()).toEqual([5_000, 5_100]);
  });
});
