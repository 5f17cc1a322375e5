/** Cash that orders of a person lock when a bot starts: its first balance may be read before anybody has told of them. */
import { expect, test } from 'vitest';
import { marketId } from '../../src/exchange/contract/ids.js';
import type { BotSettings } from '../../src/settings/index.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import { allShared } from '../support/simulation/scenes.js';
import { type Seam, UNCHANGED } from '../support/simulation/seam.js';
import { MAKER, World } from '../support/simulation/world.js';

const RAIN = marketId(1_001);
const BY_HAND = { marketId: RAIN, side: 'bid', position: 'long', price: 3_000, shares: 10_000 } as const;
const asConfigured = (settings: BotSettings): BotSettings => settings;

/** The first answer of an endpoint comes a second late. */
function late({ network }: World, endpoint: string): Seam {
  let isFirst = true;
  return {
    ...UNCHANGED,
    wire: (wire) => ({
      call: async (call, sending) => {
        const outcome = await wire.call(call, sending);
        if (call.endpoint !== endpoint || !isFirst) return outcome;
        isFirst = false;
        await new Promise<void>((resolve) => network.after(1_000, resolve));
        return outcome;
      },
    }),
  };
}

test.each([
  ['the bot cancels', 'orders', asConfigured],
  ['the bot cancels', 'balances', asConfigured],
  ['the bot leaves alone', 'orders', allShared],
  ['the bot leaves alone', 'balances', allShared],
] as const)(
  'of an order that %s is no money that came otherwise; late: %s',
  async (_what, slow, settings) => {
    const world = World.quiet();
    const byHand = world.place(MAKER, BY_HAND);
    const bot = await world.start({ settings, seam: late(world, slow) });
    await world.runUntil('it quotes', () => bot.view.phase === 'running', 60_000);
    await world.run(200_000);
    expect(ordersAtVenue(world).some(({ id }) => id === byHand)).toBe(settings === allShared);
    expect(bot.view.counts.differences).toEqual({});
    if (settings === allShared)
      world.execute({ by: 'hand' }, { kind: 'cancel-order', account: MAKER, orderId: byHand as never });
    await world.run(100_000);
    expect(bot.view.counts.differences).toEqual({});
  },
);
