/** Beginnings that several simulations share. */
import { marketId } from '../../../src/domain/ids.js';
import type { EngineOptions, QuotingInstance } from '../../../src/core/engine/options.js';
import type { EngineView } from '../../../src/core/engine/observing/view.js';
import type { BotSettings } from '../../../src/settings/index.js';
import { StrategyInstance } from '../../../src/core/strategy/instance.js';
import { asStrategy } from '../../../src/core/strategy/registry.js';
import { ordersAtVenue } from './agreement.js';
import type { SimulatedBot } from './simulated-bot.js';
import { type BotChanges, World, type WorldOptions } from './world.js';

export interface Scene {
  readonly world: World;
  readonly bot: SimulatedBot;
}

/** Levels that the bots of the house keep in a quiet world: two a side of one market, one a side of two. */
export const ALL_QUOTES = 8;

/** A quiet world and a bot that quotes all its markets. */
export async function quoting(changes: BotChanges = {}, options: WorldOptions = {}): Promise<Scene> {
  const world = World.quiet(options);
  const bot = await world.start(changes);
  await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
  return { world, bot };
}

export type Limits = BotSettings['instances'][number]['limits'];

/** Other limits for every instance. */
export const limited =
  (change: (limits: Limits) => Limits) =>
  (settings: BotSettings): BotSettings => ({
    ...settings,
    instances: settings.instances.map((one) => ({ ...one, limits: change(one.limits) })),
  });

/** The account trades in every market by other hands, too. */
export const allShared = (settings: BotSettings): BotSettings => ({
  ...settings,
  events: settings.events.map((event) => ({
    ...event,
    markets: event.markets.map((market) => ({ ...market, ownership: 'shared' as const })),
  })),
});

/** The market in which every bot of the house keeps two levels a side, ten shares each. */
export const RAIN_YES = marketId(1_001);

export const ordersInRain = ({ world }: Scene) =>
  ordersAtVenue(world).filter(({ marketId: id }) => String(id) === RAIN_YES);

/** Whole shares on the bid side of the book there: 20 where nothing keeps the strategy from what it wants. */
export const bidInRain = ({ bot }: Scene): number =>
  bot.view.markets
    .find(({ marketId: id }) => id === RAIN_YES)!
    .quotes.reduce((sum, quote) => (quote.side === 'bid' ? sum + quote.shares / 100 : sum), 0);

export const quotesIn = (view: EngineView): number =>
  view.markets.reduce((count, { quotes }) => count + quotes.length, 0);

/** Lets another strategy quote the markets of an instance of the house. @param strategy as its module would export it */
export const quotedBy =
  (name: string, strategy: unknown) =>
  (options: EngineOptions): EngineOptions => ({
    ...options,
    instances: options.instances.map((owner) =>
      owner.instance.name === name ? { ...owner, instance: replaced(owner, strategy, options) } : owner,
    ),
  });

function replaced({ instance, markets }: QuotingInstance, loaded: unknown, { events }: EngineOptions) {
  const known = events.flatMap((event) => event.markets);
  const ticks = markets.map((id) => [id, known.find((market) => market.id === id)!.tickUnits] as const);
  const strategy = asStrategy(loaded, 'simulation');
  return new StrategyInstance({ name: instance.name, strategy, parameters: {}, tickUnits: new Map(ticks) });
}

/** Why each quoted market is not quoted, by market; null where it is. */
export const haltsIn = (view: EngineView): Record<string, string | null> =>
  Object.fromEntries(
    view.markets
      .filter(({ instance }) => instance !== null)
      .map(({ marketId, halted }) => [marketId, halted]),
  );
