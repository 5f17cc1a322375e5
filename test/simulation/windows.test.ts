/** What counts in the windows of guards counts over a restart, too. */
import { describe, expect, test } from 'vitest';
import { shares } from '../../src/domain/units.js';
import type { EngineObserver } from '../../src/core/engine/observing/observer.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import { WindowMemory } from '../../src/core/risk/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import {
  ALL_QUOTES,
  bidInRain,
  haltsIn,
  type Limits,
  limited,
  ordersInRain,
  quoting,
  RAIN_YES,
  type Scene,
} from '../support/simulation/scenes.js';
import { type BotChanges, RIVAL } from '../support/simulation/world.js';

const quotesAgain = (scene: Scene): Promise<void> =>
  scene.world.runUntil('it quotes again', () => bidInRain(scene) === 20);
/** Somebody sells so many shares into our bids. */
const hit = ({ world }: Scene, whole: number): void =>
  void world.place(RIVAL, {
    marketId: 1_001,
    side: 'bid',
    position: 'short',
    price: 5_900,
    shares: whole * 100,
  });
/** The best foreign ask comes down to this. */
const fall = ({ world }: Scene, ask: number): void => {
  const position = 'short' as const;
  world.place(RIVAL, { marketId: 1_001, side: 'bid', position, price: 10_000 - ask, shares: 2_000 });
};

describe('a bot that is killed in the middle of a run of fills', () => {
  /** Kills it and starts the next at once, which has what a file keeps of the windows. */
  async function killed({ world, bot }: Scene, memory: WindowMemory, changes: BotChanges): Promise<Scene> {
    bot.kill();
    const kept = { ...memory.windows(world.now), sent: world.journal.sent };
    const windows = JSON.parse(JSON.stringify(kept)) as EngineOptions['windows'];
    const engine = (options: EngineOptions): EngineOptions => ({
      ...(changes.engine?.(options) ?? options),
      windows,
    });
    const again = await world.start({ ...changes, observer: observing(memory), engine });
    return { world, bot: again };
  }
  const observing = (memory: WindowMemory): EngineObserver => ({ counted: (news) => memory.note(news) });
  const begun = (memory: WindowMemory, changes: BotChanges): Promise<Scene> =>
    quoting({ ...changes, observer: observing(memory) });
  const breaker = limited((limits) => ({
    ...limits,
    fillBreaker: { ...limits.fillBreaker, windowMs: 60_000, maxShares: shares(12_00) },
  }));

  test('counts on: the next fill trips the breaker as it would have without the kill', async () => {
    const memory = new WindowMemory(60_000);
    const first = await begun(memory, { settings: breaker });
    hit(first, 6);
    await first.world.run(1_000);
    const second = await killed(first, memory, { settings: breaker });
    await quotesAgain(second);
    hit(second, 6);
    await second.world.run(1_000);
    expect(haltsIn(second.bot.view)[1_001]).toBeNull();
    const third = await killed(second, memory, { settings: breaker });
    await quotesAgain(third);
    hit(third, 1);
    await third.world.run(1_000);
    expect([haltsIn(third.bot.view)[1_001], ordersInRain(third)]).toEqual(['fill-breaker', []]);
    expect(third.bot.notices.map(({ text }) => text)).toContain(
      'quotes withdrawn: 13 shares filled one way within 60 s in one market, limit 12',
    );
    expectAgreement(third.world, third.bot);
  });

  test('stays stopped though it died before the cool-down was written down', async () => {
    const memory = new WindowMemory(60_000);
    const first = await begun(memory, { settings: breaker });
    hit(first, 13);
    await first.world.runUntil('the breaker trips', () => haltsIn(first.bot.view)[1_001] === 'fill-breaker');
    const second = await killed(first, memory, { settings: breaker });
    expect(second.bot.engine.riskState.coolDowns).toMatchObject([{ scope: 'market', marketId: RAIN_YES }]);
    await second.world.run(10_000);
    expect([haltsIn(second.bot.view)[1_001], ordersInRain(second)]).toEqual(['fill-breaker', []]);
    expect(second.bot.noticeCodes).not.toContain('fill-breaker');
  });

  test('counts what was filled before it once, though the venue tells of it again', async () => {
    const adopt = (options: EngineOptions): EngineOptions => ({ ...options, startOrders: 'adopt' });
    const memory = new WindowMemory(60_000);
    const first = await begun(memory, { settings: breaker, engine: adopt });
    hit(first, 7);
    await first.world.run(100);
    const second = await killed(first, memory, { settings: breaker, engine: adopt });
    await quotesAgain(second);
    expect(memory.windows(second.world.now).fills.map(({ shares: filled }) => filled)).toEqual([700]);
    expect(haltsIn(second.bot.view)[1_001]).toBeNull();
    hit(second, 5);
    await second.world.run(1_000);
    expect(haltsIn(second.bot.view)[1_001]).toBeNull();
    hit(second, 1);
    await second.world.run(1_000);
    expect(haltsIn(second.bot.view)[1_001]).toBe('fill-breaker');
  });

  test('keeps the order of a fill, whose price may be told better only then', async () => {
    const memory = new WindowMemory(60_000);
    const first = await begun(memory, { settings: breaker });
    hit(first, 1);
    await first.world.run(100);
    const ours = first.bot.view.recentFills;
    const fills = memory.windows(first.world.now).fills;
    expect([ours.length, fills.map(({ orderId }) => typeof orderId)]).toEqual([1, ['string']]);
  });

  test('forgets it when a person resumes', async () => {
    const memory = new WindowMemory(60_000);
    const first = await begun(memory, { settings: breaker });
    hit(first, 12);
    await first.world.run(1_000);
    first.bot.loop.command({ kind: 'command', command: 'resume' });
    const second = await killed(first, memory, { settings: breaker });
    await quotesAgain(second);
    hit(second, 2);
    await second.world.run(1_000);
    expect(haltsIn(second.bot.view)[1_001]).toBeNull();
  });

  test('judges the last fills together, those that came due while it was gone among them', async () => {
    const settings = limited((limits) => ({
      ...limits,
      maxPositionShares: shares(1_000_00),
      markOut: { ...limits.markOut, fills: 3, horizonMs: 3_000, maxLoss: 50 as Limits['priceCollar'] },
    }));
    const memory = new WindowMemory(60_000);
    const first = await begun(memory, { settings });
    hit(first, 1);
    await first.world.run(4_000);
    hit(first, 1);
    await first.world.run(1_000);
    const second = await killed(first, memory, { settings });
    fall(second, 4_900);
    await second.world.run(10_000);
    expect(memory.windows(second.world.now).markOuts).toMatchObject([{ marketId: RAIN_YES, fills: 2 }]);
    hit(second, 1);
    await second.world.run(200);
    fall(second, 4_300);
    await second.world.run(5_000);
    expect(second.bot.noticeCodes).toContain('mark-out-reduced');
  });

  test('has sent what it sent within the minute, whichever run it was', async () => {
    const settings = limited((limits) => ({ ...limits, ordersPerMinute: ALL_QUOTES + 2 }));
    const memory = new WindowMemory(60_000);
    const first = await begun(memory, { settings });
    const second = await killed(first, memory, { settings });
    await second.world.run(20_000);
    const { length } = ordersAtVenue(second.world);
    expect(length).toBeLessThan(ALL_QUOTES);
    await second.world.run(45_000);
    expect(ordersAtVenue(second.world).length).toBeGreaterThan(length);
  });
});
