/** A bad day: a sweep, an early start, a resolution that is taken back, and an event that is void. */
import { eventId, marketId } from '../../src/exchange/contract/ids.js';
import type { Micros } from '../../src/domain/units.js';
import { currencyUnits } from '../../src/domain/units.js';
import { expectAgreement, ordersAtVenue } from '../../test/support/simulation/agreement.js';
import { haltsIn, ordersInRain, quoting } from '../../test/support/simulation/scenes.js';
import { RIVAL } from '../../test/support/simulation/world.js';

const RAIN = eventId(100);
const YES = marketId(1_001);
const [CUP, ASHFORD] = [eventId(200), marketId(2_001)];

export async function badDay(say: (line: string) => void) {
  const scene = await quoting();
  const { world, bot } = scene;
  const profit = (): string => currencyUnits(bot.view.profit).toFixed(2);
  const halt = (market: number): string | null | undefined => haltsIn(bot.view)[market];

  for (let at = 0; at < 4; at += 1) {
    world.tryPlace(RIVAL, { marketId: YES, side: 'bid', position: 'short', price: 5_300, shares: 1_500 });
    await world.run(500);
  }
  await world.run(2_000);
  const { long } = bot.view.markets[0]!.inventory;
  const swept = long / 100;
  say(`Somebody sells and sells: the bot holds ${swept} shares, profit ${profit()}.`);

  world.venue.execute({
    kind: 'set-market-status',
    marketId: YES,
    betEnd: (world.now + 1_000_000) as Micros,
  });
  await world.run(3_000);
  const early = halt(1_001);
  say(
    `The match begins early. The bot has left the market (${early}), ${ordersInRain(scene).length} orders stand.`,
  );

  world.venue.execute({
    kind: 'resolve-event',
    eventId: RAIN,
    resolutions: [{ marketId: YES, resolution: 'short' }],
  });
  await world.run(5_000);
  const lost = bot.view.profit;
  say(`It resolves against the bot: profit ${profit()}.`);

  world.venue.execute({ kind: 'reverse-event', eventId: RAIN });
  world.venue.execute({ kind: 'set-event-status', eventId: RAIN, status: 'open' });
  world.venue.execute({ kind: 'set-market-status', marketId: YES, status: 'active', betEnd: null });
  await world.run(70_000);
  const reversed = halt(1_001);
  say(`The venue takes it back: profit ${profit()}. The bot stays out until a person resumes (${reversed}).`);

  world.venue.execute({ kind: 'set-event-status', eventId: CUP, status: 'cancelled' });
  await world.run(70_000);
  const cancelled = halt(Number(ASHFORD));
  say(`The other event is void: every cash flow is undone (${cancelled}).`);

  bot.stop();
  await world.runUntil('the bot has ended', () => bot.end !== null, 120_000);
  expectAgreement(world, bot);
  const { outcome } = bot.end!;
  say(`The day ends ${outcome}. Both sides agree on holdings and cash; profit ${profit()}.`);
  return { swept, early, lost, reversed, cancelled, outcome, remaining: ordersAtVenue(world).length };
}
