/** What else a house may be like: a strategy that wants anything, finer grids, scarce cash, quotes that expire, news. */
import type { Micros, Money, PriceUnits } from '../../../../src/domain/units.js';
import type { QuotingInstance } from '../../../../src/core/engine/options.js';
import type { BotSettings, ExchangeSettings } from '../../../../src/settings/index.js';
import { asStrategy } from '../../../../src/core/strategy/registry.js';
import { StrategyInstance } from '../../../../src/core/strategy/instance.js';
import restless from '../../strategies/restless.js';
import { BEGINNING, MAKER } from '../world.js';
import type { Draws } from './draws.js';
import type { House } from './house.js';

type EventSettings = BotSettings['events'][number];
type QuotingSettings = BotSettings['quoting'];

const MONEY = 1_000_000;
const SECOND = 1_000_000;

export function withHabits(house: House, draws: Draws): House {
  const tickSize = draws.oneOf([100, 100, 50, 10]) as PriceUnits;
  const [terms, purse] = [termsOf(draws, tickSize), purseOf(draws)];
  const [moods, policy, news] = [moodsOf(draws, tickSize), policyOf(draws), newsOf(draws)];
  return {
    ...house,
    exchange: (settings) => terms.exchange(house.exchange(purse(settings))),
    bot: (settings) => {
      const drawn = terms.bot(house.bot(settings));
      return { ...drawn, quoting: policy(drawn.quoting), events: drawn.events.map(news) };
    },
    engine: (options) => ({
      ...options,
      instances: options.instances.map((instance, index) => moods[index]!(instance)),
    }),
  };
}

/** One grid and one least amount everywhere: a venue states neither of them by market. */
function termsOf(draws: Draws, tickSize: PriceUnits): Pick<House, 'exchange' | 'bot'> {
  const minAmount = draws.oneOf([0.01, 0.01, 0.5, 1]) * MONEY;
  const onGrid = <Event extends { readonly markets: readonly object[] }>(event: Event): Event => ({
    ...event,
    markets: event.markets.map((market) => ({ ...market, tickSize })),
  });
  return {
    exchange: (settings) => ({
      ...settings,
      events: settings.events.map((event) => ({ ...onGrid(event), minAmount: minAmount as Money })),
    }),
    bot: (settings) => ({ ...settings, events: settings.events.map(onGrid) }),
  };
}

/** Sometimes so little that not all can be quoted at once. */
function purseOf(draws: Draws): (settings: ExchangeSettings) => ExchangeSettings {
  const cash = draws.chance(0.35) ? draws.oneOf([15, 40, 120]) * MONEY : null;
  return (settings) => ({
    ...settings,
    accounts: settings.accounts.map((account) =>
      cash === null || account.id !== MAKER ? account : { ...account, balances: { OOM: cash as Money } },
    ),
  });
}

type Mood = (quoting: QuotingInstance) => QuotingInstance;

const moodsOf = (draws: Draws, tickSize: PriceUnits): readonly Mood[] => [
  moodOf(draws, tickSize),
  moodOf(draws, tickSize),
];

/** Not named in the settings, for a strategy is loaded there as a user's is, from what was built. */
function moodOf(draws: Draws, tickSize: PriceUnits): Mood {
  const isRestless = draws.chance(0.5);
  const shares = draws.oneOf([2, 8, 20]);
  const skew = draws.oneOf([0, 0.02, 0.08]);
  const patienceMs = draws.oneOf([800, 4_000, 15_000]);
  return (quoting) => {
    if (!isRestless) return quoting;
    const { name } = quoting.instance;
    const strategy = asStrategy(restless, 'restless.ts');
    const tickUnits = new Map(quoting.markets.map((market) => [market, tickSize] as const));
    const parameters = { shares, skew, patienceMs };
    return { ...quoting, instance: new StrategyInstance({ name, strategy, parameters, tickUnits }) };
  };
}

/** How a market is left before it closes, and how long the venue keeps a quote that nobody renews. */
function policyOf(draws: Draws): (quoting: QuotingSettings) => QuotingSettings {
  const expiryMs = draws.chance(0.35) ? draws.oneOf([120_000, 150_000]) : null;
  const preCloseMs = draws.oneOf([0, 2_000, 2_000, 8_000]);
  const [reduceOnlyMs, shrinkMs, widenMs] = [4_000, 4_000, 4_000].map((ms) =>
    draws.chance(0.4) ? preCloseMs + draws.whole(0, ms) : 0,
  ) as [number, number, number];
  const widenTicks = draws.whole(1, 3);
  return (quoting) => ({
    ...quoting,
    expiryMs,
    preCloseMs,
    preClose: { ...quoting.preClose, reduceOnlyMs, shrinkMs, widenMs, widenTicks },
  });
}

/** Times in which news of an event may come. */
function newsOf(draws: Draws): (event: EventSettings) => EventSettings {
  const windows = [windowOf(draws), windowOf(draws)];
  return (event) => {
    const window = windows[Number(event.id) % windows.length] ?? null;
    return window === null ? event : { ...event, informationWindows: [window] };
  };
}

function windowOf(draws: Draws): EventSettings['informationWindows'][number] | null {
  const from = BEGINNING + draws.whole(2, 80) * SECOND;
  const to = from + draws.whole(2, 20) * SECOND;
  return draws.chance(0.25) ? { from: from as Micros, to: to as Micros } : null;
}
