/** Beginnings that several simulations share. */
import type { EngineView } from '../../../src/engine/view.js';
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

export const quotesIn = (view: EngineView): number =>
  view.markets.reduce((count, { quotes }) => count + quotes.length, 0);
