/** Promises that no canary breaks: the auditor finds a bot that breaks them, and has nothing to say of one that does not. */
import { describe, expect, test } from 'vitest';
import { eventId, marketId } from '../../src/exchange/contract/ids.js';
import type { Micros } from '../../src/domain/units.js';
import type { Engine } from '../../src/core/engine/engine.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import { Auditor } from '../support/simulation/auditor/auditor.js';
import { charterOf } from '../support/simulation/scenario/charter.js';
import type { Story } from '../support/simulation/scenario/happening.js';
import { turningAway } from '../support/simulation/scenario/misbehaviour.js';
import { ALL_QUOTES } from '../support/simulation/scenes.js';
import { type Seam, UNCHANGED } from '../support/simulation/seam.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import { BEGINNING, RIVAL, World } from '../support/simulation/world.js';
import type { BotSettings } from '../../src/settings/index.js';

const HOUR_MS = 3_600_000;
const YES = marketId(1_001);
const RAIN = 100;
const UNEVENTFUL: Story = {
  clock: { aheadMs: 0, driftPpm: 0 },
  happenings: [],
  troubleMs: 0,
  turnedAwayMs: 0,
  quietMs: 0,
};

/** A bot that quotes while an auditor reads along. */
async function audited(change: (engine: Engine) => void, seam: Partial<Seam> = {}) {
  const world = World.quiet();
  const settings = withNews(world.botSettings);
  const charter = charterOf(settings, world.exchangeSettings, UNEVENTFUL);
  const auditor = new Auditor({ charter, exchange: () => world.venue.exchange, statement: () => null });
  world.record.listen(auditor.note);
  const bot = await world.start({
    settings: () => settings,
    seam: { ...UNCHANGED, engine: change, ...seam },
  });
  await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
  return { world, bot, rules: () => [...new Set(auditor.findings.map(({ rule }) => rule))] };
}

const NEWS_AFTER_MS = 30_000;

/** Of its first market nothing but news is to be expected from some time on. */
const withNews = (settings: BotSettings): BotSettings => ({
  ...settings,
  events: settings.events.map((event) =>
    event.id === String(RAIN) ? { ...event, informationWindows: [window] } : event,
  ),
});
const window = {
  from: (BEGINNING + NEWS_AFTER_MS * 1_000) as Micros,
  to: (BEGINNING + 10 * HOUR_MS * 1_000) as Micros,
};

/** The fair value of the first market moves every second. */
async function stirred(world: World, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const price = 4_100 + 100 * (second % 5);
    const order = { marketId: YES, side: 'bid', position: 'long', price, shares: 50_000 } as const;
    const id = world.place(RIVAL, order);
    await world.run(1_000);
    world.venue.execute({ kind: 'cancel-order', account: RIVAL, orderId: id });
  }
}

const unchanged = (): void => undefined;

const openForEver = (engine: Engine): void => {
  engine['parts'].mirror.tradability = () => ({ state: 'tradable', reason: null }) as never;
};

describe.each([
  ['paused', { status: 'paused' }, 'stood-in-a-closed-market'],
  // What is held there has to be read anew, and then it is quoted again.
  ['disabled', { disabled: true }, 'quoted-a-closed-market'],
] as const)('quotes in a market that is %s', (_what, state, rule) => {
  test.each([
    ['cancelled at once are no finding', unchanged, []],
    ['kept up are one', openForEver, [rule]],
  ])('%s', async (_which, change, found) => {
    const { world, rules } = await audited(change);
    world.venue.execute({ kind: 'set-market-status', marketId: YES, ...state });
    await world.run(60_000);
    expect(rules()).toEqual(found);
  });
});

describe('quotes in a market in which betting has ended', () => {
  const blindToDates = (engine: Engine): void => {
    openForEver(engine);
    engine['parts'].mirror.betEnd = () => null;
  };

  test.each([
    ['that are asked for no more are no finding', unchanged, []],
    ['and that are asked for again are one', blindToDates, ['quoted-after-the-end']],
  ])('%s', async (_which, change, found) => {
    const { world, rules } = await audited(change);
    const betEnd = (world.now + 10_000_000) as Micros;
    world.venue.execute({ kind: 'set-market-status', marketId: YES, betEnd });
    await world.run(60_000);
    expect(rules()).toEqual(found);
  });
});

describe('an hour in which every request is turned away', () => {
  const indifferent = (engine: Engine): void => {
    engine['parts'].alarms.review = unchanged;
  };

  test.each([
    ['and a person is told is no finding', unchanged, []],
    ['and nobody is told is one', indifferent, ['silent-about-429']],
  ])('%s', async (_what, change, found) => {
    const { world, rules } = await audited(change);
    world.venue.faults.replace({ seed: 1, rules: turningAway(HOUR_MS) });
    await world.run(60_000);
    world.venue.faults.replace({ seed: 1, rules: [] });
    await world.run(HOUR_MS);
    expect(rules()).toEqual(found);
  });
});

describe('quotes in a market in which news may come', () => {
  const uninformed: Seam['options'] = (options) => ({ ...options, informationWindows: new Map() });

  test.each([
    ['that are asked for no more are no finding', UNCHANGED.options, []],
    ['and that are asked for all the same are one', uninformed, ['quoted-at-news']],
  ])('%s', async (_which, options, found) => {
    const { world, rules } = await audited(unchanged, { options });
    await world.run(NEWS_AFTER_MS);
    await stirred(world, 20);
    expect(rules()).toEqual(found);
  });
});

describe('quotes in an event that is being played', () => {
  const heedless: Seam['options'] = ({ quoting, ...options }) => ({
    ...options,
    quoting: { ...quoting, preClose: { ...quoting.preClose, whenLive: false } },
  });

  test.each([
    ['that are asked for no more are no finding', UNCHANGED.options, []],
    ['and that are asked for all the same are one', heedless, ['quoted-while-live']],
  ])('%s', async (_which, options, found) => {
    const { world, rules } = await audited(unchanged, { options });
    world.venue.execute({ kind: 'set-live', eventId: eventId(RAIN), isLive: true, extraData: null });
    await world.run(100);
    await stirred(world, 20);
    expect(rules()).toEqual(found);
  });
});

describe('orders that leave after the kill switch was pulled', () => {
  const headless = (engine: Engine): void => {
    engine['parts'].killSwitch.latch = () => false;
  };

  test.each([
    ['by a bot that heeds it: none', unchanged, []],
    ['by one that does not are a finding', headless, ['quoted-though-killed']],
  ])('%s', async (_which, change, found) => {
    const { world, bot, rules } = await audited(change);
    world.record.note({ kind: 'kill-switch', isOn: true });
    bot.loop.command({ kind: 'command', command: 'kill', reason: 'the test' });
    await stirred(world, 20);
    expect(rules()).toEqual(found);
  });
});

describe('orders that leave while the journal has no room', () => {
  test.each([
    ['by a bot that writes them down: none', true, []],
    ['by one that thinks there is room are a finding', false, ['left-unwritten']],
  ])('%s', async (_which, isFull, found) => {
    const { world, rules } = await audited(unchanged);
    world.record.note({ kind: 'disk', isFull: true });
    world.journal.isFull = isFull;
    await stirred(world, 20);
    expect(rules()).toEqual(found);
  });
});

describe('a fence of a guard', () => {
  const heeding = (bot: SimulatedBot): void =>
    bot.loop.command({ kind: 'command', command: 'kill', reason: 'a guard raised its fence' });

  test.each([
    ['that the bot heeds is no finding', heeding, []],
    ['behind which it quotes is one', unchanged, ['behind-the-fence']],
  ])('%s', async (_which, heed, found) => {
    const { world, bot, rules } = await audited(unchanged);
    world.record.note({ kind: 'fence', isUp: true });
    heed(bot);
    await stirred(world, 20);
    expect(rules()).toEqual(found);
  });

  test.each([
    ['once nothing stands is no finding', heeding, []],
    ['while quotes stand is one', unchanged, ['behind-the-fence']],
  ])('proved to have nothing behind it %s', async (_which, heed, found) => {
    const { world, bot, rules } = await audited(unchanged);
    heed(bot);
    await world.run(1_000);
    world.record.note({ kind: 'guard-proved', leavesDoubt: false });
    expect(rules()).toEqual(found);
  });
});
