import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../src/core/engine/engine.js';
import type { EngineOptions } from '../../../../src/core/engine/options.js';
import { marketId } from '../../../../src/domain/ids.js';
import type { Input } from '../../../../src/domain/inputs.js';
import { micros, shares } from '../../../../src/domain/units.js';
import { engineOptionsOf } from '../../../../src/runs/live/engine-options.js';
import { bundledVenueOf } from '../../../../src/runs/exchange/exchange.js';
import type { BotSettings } from '../../../../src/settings/index.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { expectAgreement, ordersAtVenue } from '../../../support/simulation/agreement.js';
import {
  ALL_QUOTES,
  bidInRain,
  haltsIn,
  type Limits,
  limited,
  quoting,
  type Scene,
} from '../../../support/simulation/scenes.js';
import { BEGINNING, MAKER, RIVAL, World } from '../../../support/simulation/world.js';

const only =
  (...names: readonly string[]) =>
  (settings: BotSettings): BotSettings => {
    const instances = settings.instances.filter(({ name }) => names.includes(name));
    const markets = instances.flatMap((one) => one.markets);
    const events = settings.events.filter((event) => event.markets.some(({ id }) => markets.includes(id)));
    return { ...settings, events, instances };
  };

const cupQuotes = (settings: BotSettings, ...markets: readonly string[]): BotSettings => ({
  ...settings,
  instances: settings.instances.map((one) =>
    one.name === 'cup' ? { ...one, markets: markets.map(marketId), named: markets.map(marketId) } : one,
  ),
});

const quoted = ({ world }: Scene, market: string): readonly number[] =>
  ordersAtVenue(world)
    .filter((order) => String(order.marketId) === market)
    .map(({ id }) => id);

const isBookOf = (input: Input, market: string): boolean =>
  input.kind === 'book' && input.marketId === market;

/** The engine of a tape: made of the same, given the same inputs. */
async function replayed({ world, bot }: Scene, first: BotSettings): Promise<string> {
  const address = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };
  const venue = bundledVenueOf(world.exchangeSettings, address);
  const make = (settings: BotSettings) =>
    engineOptionsOf({
      settings,
      source: world.source,
      venue,
      runId: bot.runId,
      random: seededRandom(1),
    });
  const engine = new Engine(await make(first), BEGINNING);
  for (const { instance } of (await make(world.botSettings)).instances) engine.offer(instance);
  for (const input of bot.inputs) engine.step(input);
  return engine.decisionHash;
}

const larger = (settings: BotSettings): BotSettings => ({
  ...settings,
  instances: settings.instances.map((one) => ({ ...one, params: { ...one.params, shares: 30 } })),
});

describe('a file that is read while a bot runs', () => {
  it('counts for later selections once it is taken over: neither a dry run nor a refused file does', async () => {
    const { world, bot } = await quoting();
    const before = bot.reloading.inUse;
    const next = bot.wanted(larger(world.botSettings));
    bot.onDisk = () => Promise.resolve(next);
    expect((await bot.reloading.take('file', 'test', true)).changes).toHaveLength(2);
    expect(bot.reloading.inUse).toBe(before);
    const slower = { ...world.botSettings.quoting, minRestMs: 300 };
    bot.onDisk = () => Promise.resolve(bot.wanted({ ...next.settings, quoting: slower }));
    expect((await bot.reloading.take('file', 'test')).refused).toHaveLength(1);
    expect(bot.reloading.inUse).toBe(before);
    bot.onDisk = () => Promise.resolve(next);
    expect((await bot.reloading.take('file', 'test')).isApplied).toBe(true);
    expect(bot.reloading.inUse.stated).toBe(next.stated);
  });

  it('waits for a selection under way, which would undo it, and for nothing that failed', async () => {
    const { world, bot } = await quoting();
    const { reloading } = bot;
    const next = bot.wanted(larger(world.botSettings));
    bot.onDisk = () => Promise.resolve(next);
    const failed = reloading.inTurn(() => Promise.reject(new Error('no space left')));
    let answered = (): void => undefined;
    const venue = new Promise<void>((resolve) => (answered = resolve));
    const selection = reloading.inTurn(async () => {
      const { stated } = reloading.inUse;
      await venue;
      return reloading.configure({ ...stated, stated, chosen: null }, 'the listing of the venue');
    });
    const saved = reloading.take('file', 'the saved file');
    answered();
    await expect(failed).rejects.toThrow('no space left');
    expect((await selection).changes).toEqual([]);
    expect((await saved).isApplied).toBe(true);
    expect(reloading.inUse.stated).toBe(next.stated);
  });
});

describe('a bot takes over other settings', () => {
  it('lets an instance and its event join: the event is read, then quoted, and other quotes stand', async () => {
    const world = World.quiet();
    const first = only('rain')(world.botSettings);
    const bot = await world.start({ settings: only('rain') });
    const scene = { world, bot };
    await world.runUntil('rain is quoted', () => quoted(scene, '1001').length === 4);
    const standing = quoted(scene, '1001');
    const answer = await bot.configure(world.botSettings);
    expect(answer).toEqual({
      problem: null,
      changes: ['instance cup joins with markets 2001, 2002'],
      refused: [],
      isApplied: true,
    });
    await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
    const reads = bot.inputs.flatMap(({ input }) =>
      input.kind === 'answer' && input.outcome.ok && input.outcome.body.kind === 'read-event'
        ? [input.outcome.body.event.id]
        : [],
    );
    expect(reads).toContain('200');
    expect(quoted(scene, '1001')).toEqual(standing);
    expectAgreement(world, bot);
    expect(await replayed(scene, first)).toBe(bot.engine.decisionHash);
  });

  it('withdraws what leaves, keeps its shares in the books, and quotes it again when it comes back', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    const [bid] = ordersAtVenue(world).filter(
      ({ marketId: id, position, side }) => id === 2_001 && side === 'bid' && position === 'long',
    );
    world.place(RIVAL, {
      marketId: 2_001,
      side: 'bid',
      position: 'short',
      price: 10_000 - bid!.price!,
      shares: bid!.shares,
    });
    const held = () => bot.view.markets.find(({ marketId: id }) => id === '2001')!.inventory.long;
    await world.runUntil('shares are held', () => held() > 0);
    const before = held();
    const rain = quoted(scene, '1001');
    expect(await bot.configure(cupQuotes(world.botSettings, '2002'))).toMatchObject({
      changes: ['cup.markets: 2001 leave'],
      isApplied: true,
    });
    await world.runUntil('its quotes are gone', () => quoted(scene, '2001').length === 0);
    await world.run(20_000);
    expect(quoted(scene, '2001')).toEqual([]);
    expect(held()).toBe(before);
    expect(quoted(scene, '1001')).toEqual(rain);
    expectAgreement(world, bot);
    await bot.configure(cupQuotes(world.botSettings, '2001', '2002'));
    await world.runUntil('it is quoted again', () => quoted(scene, '2001').length > 0);
    expectAgreement(world, bot);
    expect(await replayed(scene, world.botSettings)).toBe(bot.engine.decisionHash);
  });

  it('refuses an event that comes back with other terms than it had when it left', async () => {
    const { world, bot } = await quoting();
    const settings = world.botSettings;
    const changed = {
      ...settings,
      events: settings.events.map((event) =>
        event.id === '200'
          ? {
              ...event,
              exhaustive: false,
              resolutionMode: 'non_exclusive' as const,
              markets: event.markets.map((market) => ({ ...market, tickSize: 500 })),
            }
          : event,
      ),
    };
    expect(await bot.configure(only('rain')(settings))).toMatchObject({ isApplied: true });
    await world.run(20_000);
    const answer = await bot.configure(changed);
    expect(answer.isApplied).toBe(false);
    expect(answer.refused.join('; ')).toContain(
      'events.200.resolutionMode: exclusive -> non_exclusive: read at the start only',
    );
    expect(answer.refused.join('; ')).toContain('events.200.markets.2001.tickSize: 0.01 -> 0.05');
    expect(await bot.configure(settings)).toMatchObject({ isApplied: true });
  });

  it('hears of an event that left until it is flat, of it alone, and again once it comes back', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    const [bid] = ordersAtVenue(world).filter(
      ({ marketId: id, position, side }) => id === 2_001 && side === 'bid' && position === 'long',
    );
    const price = 10_000 - bid!.price!;
    world.place(RIVAL, { marketId: 2_001, side: 'bid', position: 'short', price, shares: bid!.shares });
    const held = () => bot.view.markets.find(({ marketId: id }) => id === '2001')!.inventory.long;
    await world.runUntil('shares are held', () => held() > 0);
    await bot.configure(only('rain')(world.botSettings));
    await world.runUntil('its quotes are gone', () => quoted(scene, '2001').length === 0);
    const looked = async (): Promise<readonly string[]> => {
      await world.run(11_000);
      bot.listening.beat();
      await world.run(1_000);
      return [...bot.line.joined].filter((channel) => channel.startsWith('event-')).toSorted();
    };
    expect(await looked()).toEqual(['event-100', 'event-200']);
    world.place(RIVAL, {
      marketId: 2_001,
      side: 'bid',
      position: 'long',
      price: bid!.price!,
      shares: held(),
    });
    world.place(MAKER, {
      marketId: 2_001,
      side: 'ask',
      position: 'long',
      price: bid!.price!,
      shares: held(),
    });
    await world.runUntil('the shares are sold', () => held() === 0);
    expect(await looked()).toEqual(['event-100']);
    const books = (): number => bot.inputs.filter(({ input }) => isBookOf(input, '2001')).length;
    const before = books();
    world.place(RIVAL, { marketId: 2_001, side: 'bid', position: 'long', price: 100, shares: 500 });
    await world.run(1_000);
    expect(books()).toBe(before);
    await bot.configure(world.botSettings);
    expect(haltsIn(bot.view)[2_001]).not.toBeNull();
    await world.runUntil('it is quoted again', () => quoted(scene, '2001').length > 0);
    expectAgreement(world, bot);
    expect(await replayed(scene, world.botSettings)).toBe(bot.engine.decisionHash);
  });

  it.each(['mark-out', 'fill-breaker'] as const)(
    'frees no market that %s stopped when its instance has another name',
    async (halt) => {
      const settings = limited((limits) => ({
        ...limits,
        markOut: { ...limits.markOut, maxLoss: 50 as Limits['priceCollar'] },
        fillBreaker: { ...limits.fillBreaker, maxShares: shares(1_000), coolDownMs: 60_000 },
      }));
      const world = World.quiet();
      const rain = marketId(1_001);
      const until = micros(BEGINNING + 50_000_000);
      const stopped =
        halt === 'mark-out'
          ? { markOuts: [{ marketId: rain, level: 'stopped' as const }] }
          : { coolDowns: [{ scope: 'market' as const, marketId: rain, until }] };
      const engine = (options: EngineOptions): EngineOptions => ({
        ...options,
        riskState: { ...options.riskState, ...stopped },
      });
      const bot = await world.start({ settings, engine });
      const scene = { world, bot };
      await world.runUntil('the cup is quoted', () => quoted(scene, '2001').length > 0);
      expect(haltsIn(bot.view)[1_001]).toBe(halt);
      const before = settings(world.botSettings);
      const instances = before.instances.map((one) =>
        one.name === 'rain' ? { ...one, name: 'drizzle' } : one,
      );
      expect(await bot.configure({ ...before, instances })).toMatchObject({ isApplied: true });
      await world.run(5_000);
      expect([haltsIn(bot.view)[1_001], quoted(scene, '1001')]).toEqual([halt, []]);
      expect(bot.engine.riskState).toMatchObject(stopped);
      bot.loop.command({ kind: 'command', command: 'resume' });
      await world.runUntil('it is quoted again', () => quoted(scene, '1001').length > 0);
    },
  );

  it('goes on without an instance for which the venue has no market, until it has one again', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    expect(await bot.configure(cupQuotes(world.botSettings))).toMatchObject({ isApplied: true });
    await world.runUntil('its quotes are gone', () => quoted(scene, '2001').length === 0);
    expect(quoted(scene, '1001')).toHaveLength(4);
    expect(await bot.configure(cupQuotes(world.botSettings, '2001'))).toMatchObject({ isApplied: true });
    await world.runUntil('it is quoted again', () => quoted(scene, '2001').length > 0);
    expectAgreement(world, bot);
    expect(await replayed(scene, world.botSettings)).toBe(bot.engine.decisionHash);
  });

  it('takes over limits and parameters, and says what takes a restart without changing anything', async () => {
    const { world, bot } = await quoting();
    const changed = (settings: BotSettings): BotSettings => ({
      ...settings,
      instances: settings.instances.map((one) =>
        one.name === 'rain'
          ? {
              ...one,
              params: { ...one.params, shares: 30 },
              limits: { ...one.limits, maxPositionShares: shares(2_500) },
            }
          : one,
      ),
    });
    const refused = await bot.configure({
      ...changed(world.botSettings),
      quoting: { ...world.botSettings.quoting, minRestMs: 300 },
    });
    expect(refused).toMatchObject({
      refused: [expect.stringMatching(/^quoting\.minRestMs: 200 -> .*restart/)],
      isApplied: false,
    });
    await world.run(2_000);
    expect(bidInRain({ world, bot })).toBe(20);
    expect(await bot.configure(changed(world.botSettings))).toMatchObject({ isApplied: true });
    await world.runUntil('quotes grow to the limit', () => bidInRain({ world, bot }) === 25);
    expectAgreement(world, bot);
  });
});
