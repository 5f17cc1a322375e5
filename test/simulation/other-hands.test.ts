/** A person trades by hand with the account of the bot, in markets that are shared. */
import { expect, test } from 'vitest';
import { money } from '../../src/domain/units.js';
import type { OrderView } from '../../src/exchange/contract.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { allShared, limited, quoting, RAIN_YES, type Scene } from '../support/simulation/scenes.js';
import { MAKER, RIVAL } from '../support/simulation/world.js';

const bidsOf = ({ bot }: Scene): readonly number[] =>
  bot.view.markets[0]!.quotes.filter(({ side }) => side === 'bid').map(({ price }) => price);

test('for real money, which is another book than that of play money: the bot quotes and counts as if alone', async () => {
  const scene = await quoting({ settings: allShared });
  const { world, bot } = scene;
  for (const account of [MAKER, RIVAL])
    world.execute({ by: 'hand' }, { kind: 'deposit', account, currency: 'USDC', amount: money(1_000e6) });
  const before = bot.view.counts.requests['read-holdings'];
  // An ask at 0.30 of the book for real money, far below our bids.
  const order = { marketId: 1_001, side: 'bid', currency: 'USDC', shares: 1_000 } as const;
  const byHand = world.place(MAKER, { ...order, position: 'short', price: 7_000 });
  await world.run(1_000);
  bot.loop.outside({ kind: 'fair-value', marketId: RAIN_YES, p: 0.55, confidence: 1, at: world.now });
  await world.run(5_000);
  expect(bidsOf(scene)).toEqual([5_200, 5_300]);
  world.place(RIVAL, { ...order, position: 'long', price: 3_000, shares: 400 });
  await world.run(10_000);
  expect(bidsOf(scene)).toEqual([5_200, 5_300]);
  expect(bot.view.counts).toMatchObject({ fills: 0, differences: {} });
  expect(bot.view.counts.requests['read-holdings']).toBe(before);
  expect(world.venue.exchange.order(MAKER, byHand)).toMatchObject({ status: 'partial_filled', filled: 400 });
  world.execute({ by: 'hand' }, { kind: 'cancel-order', account: MAKER, orderId: byHand });
  await world.run(1_000);
  expectAgreement(world, bot);
});

test('an order that a person places while one of the bot waits to be asked for counts before it leaves', async () => {
  const tight = limited((limits) => ({ ...limits, maxEventLoss: money(12e6) }));
  const scene = await quoting({ settings: (settings) => tight(allShared(settings)) });
  const { world, bot } = scene;
  const bids = () =>
    ordersAtVenue(world).filter(({ marketId: id, position }) => id === 2_001 && position === 'long');
  const cancelBid = (): void => {
    const orderId = bids()[0]!.id;
    world.execute({ by: 'hand' }, { kind: 'cancel-order', account: MAKER, orderId });
  };
  await world.run(5_000);
  cancelBid();
  await world.run(500);
  expect(bids()).toHaveLength(1);
  const [{ shares: wanted }] = bids() as [OrderView];
  // The same again within a second would be refused as a copy: it waits.
  cancelBid();
  await world.run(100);
  world.place(MAKER, { marketId: 2_002, side: 'bid', position: 'long', price: 3_500, shares: 2_000 });
  await world.run(5_000);
  // Seven of the twelve are the person's.
  const [{ shares: left, price }] = bids() as [OrderView];
  expect(left).toBeLessThan(wanted);
  expect(left * price!).toBeLessThanOrEqual(5e6);
  expect(bot.view.counts.refusals['event-loss']).toBeGreaterThan(0);
});
