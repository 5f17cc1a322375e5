/** The house that a seed builds: who owns which market, what is quoted how and within what limits, who else trades. */
import * as ids from '../../../../src/domain/ids.js';
import type { EngineOptions } from '../../../../src/core/engine/options.js';
import type { MarketOwnership } from '../../../../src/domain/vocabulary.js';
import type { BotSettings, ExchangeSettings, ParticipantSettings } from '../../../../src/settings/index.js';
import { readExchangeEvent } from '../../../../src/settings/exchange-problems.js';
import type { Money, Shares } from '../../../../src/domain/units.js';
import type { Company } from './company.js';
import { CUP, DRAWN_MARKETS, type Market, OUTSIDE } from './markets.js';
import { paidIn, paying } from './purse.js';
import type { Draws } from './draws.js';

type InstanceSettings = BotSettings['instances'][number];
type EventSettings = BotSettings['events'][number];

export interface House {
  readonly exchange: (settings: ExchangeSettings) => ExchangeSettings;
  /** What traders take the exchange for. */
  readonly opinion: (settings: ExchangeSettings) => ExchangeSettings;
  readonly bot: (settings: BotSettings) => BotSettings;
  /** Last changes to what the engine is made of. */
  readonly engine: (options: EngineOptions) => EngineOptions;
  /** Events in which not every order of the account has to be the bot's. */
  readonly shared: ReadonlySet<number>;
  /** Quoted markets of those. */
  readonly sharedMarkets: readonly Market[];
  readonly company: Company;
}

const SHARE = 100;
const MONEY = 1_000_000;

export interface HouseDraws {
  readonly house: Draws;
  /** Of what guards allow, apart so that other houses stay what they are. */
  readonly guards: Draws;
  readonly company: Company;
}

/** A person who trades by hand needs a market that is shared: where none is drawn, it is the cup. */
export function houseOf({ house: draws, guards, company }: HouseDraws): House {
  const ownership = new Map(
    DRAWN_MARKETS.map(({ event }) => [event, draws.chance(0.7) ? 'exclusive' : 'shared'] as const),
  );
  if (company.hasPerson && ![...ownership.values()].includes('shared')) ownership.set(CUP, 'shared');
  const [exchange, bot, wary] = [exchangeOf(draws), botOf(draws, ownership), waryOf(guards)];
  const shared = new Set([...ownership].flatMap(([event, kind]) => (kind === 'shared' ? [event] : [])));
  return {
    exchange: (settings) => paidIn(exchange(settings), company),
    opinion: (settings) => settings,
    bot: (settings) => paying(wary(bot(settings)), company),
    engine: (options) => options,
    shared,
    sharedMarkets: DRAWN_MARKETS.flatMap(({ event, quoted }) => (shared.has(event) ? quoted : [])),
    company,
  };
}

function exchangeOf(draws: Draws): House['exchange'] {
  const processingDelayMs = draws.oneOf([0, 0, 0, 250]);
  const bookCacheMs = draws.oneOf([0, 1_000, 2_000]);
  const nested = draws.oneOf(['python', 'json', 'omit'] as const);
  const [taker, maker] = draws.oneOf([
    [0, 0],
    [0, 0],
    [0.001, 0],
    [0.002, -0.0005],
  ] as const);
  const perMinute = draws.oneOf([2_000, 2_000, 600]);
  const ratePerS = draws.between(0.3, 1.2);
  const others = draws.oneOf<readonly ParticipantSettings[]>([[], [], [INFORMED], [LMSR]]);
  return (settings) =>
    ({
      ...settings,
      processingDelayMs,
      bookCacheMs,
      signing: { nested },
      fees: { ...settings.fees, play_money: { taker: taker * MONEY, maker: maker * MONEY } },
      rateLimit: { perMinute, perDay: 1_000_000 },
      events: [...settings.events, outside()],
      participants: [...settings.participants.map((one) => paced(one, ratePerS)), ...others],
    }) as ExchangeSettings;
}

const paced = (participant: ParticipantSettings, ratePerS: number): ParticipantSettings =>
  participant.kind === 'noise' ? { ...participant, ratePerS } : participant;

const INFORMED = {
  kind: 'informed',
  account: 3,
  markets: [1_001],
  ratePerS: 0.3,
  sizeMin: 2 * SHARE,
  sizeMax: 15 * SHARE,
  probability: 0.6,
} as ParticipantSettings;

const LMSR = { kind: 'lmsr', account: 2, markets: [2_001, 2_002], b: 60 } as ParticipantSettings;

/** An event of which the bot is told nothing: what the account does there is no business of its. */
function outside(): ExchangeSettings['events'][number] {
  const reading = readExchangeEvent({
    id: OUTSIDE.event,
    title: 'Somewhere else?',
    markets: [{ id: OUTSIDE.market, title: 'Elsewhere' }],
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.fields));
  return reading.value;
}

function botOf(draws: Draws, ownership: ReadonlyMap<number, MarketOwnership>): House['bot'] {
  const quoting = {
    toleranceTicks: draws.oneOf([0, 0, 1]),
    toleranceShares: draws.oneOf([0, 0, SHARE]),
    minRestMs: draws.oneOf([0, 200, 1_000]),
    heldFirst: draws.chance(0.7),
  };
  const startOrders = draws.oneOf(['cancel', 'adopt'] as const);
  const instances = [instanceOf(draws, [1_001]), instanceOf(draws, [2_001, 2_002])] as const;
  return (settings) => ({
    ...settings,
    startOrders,
    quoting: { ...settings.quoting, ...quoting } as BotSettings['quoting'],
    events: settings.events.map((event) => owned(event, ownership)),
    instances: settings.instances.map((instance, index) => instances[index]!(instance)),
  });
}

const owned = (event: EventSettings, ownership: ReadonlyMap<number, MarketOwnership>): EventSettings => ({
  ...event,
  markets: event.markets.map((market) => ({
    ...market,
    ownership: ownership.get(Number(event.id)) ?? market.ownership,
  })),
});

function instanceOf(
  draws: Draws,
  markets: readonly Market[],
): (instance: InstanceSettings) => InstanceSettings {
  const shares = draws.whole(4, 20);
  const halfSpread = draws.oneOf(['0.01', '0.02', '0.03']);
  const levels = draws.whole(1, 3);
  const limits = limitsOf(draws);
  const quoter = draws.chance(0.6)
    ? {
        strategy: 'fixed-spread',
        params: { halfSpread, shares, levels, levelGap: '0.01', maxInventory: 100 },
      }
    : { strategy: 'inventory-skew', params: { halfSpread, shares, range: 80, priceSkew: '0.03' } };
  return (instance) => ({
    ...instance,
    ...quoter,
    markets: [...markets].map((id) => ids.marketId(id)),
    limits: { ...instance.limits, ...limits },
  });
}

/** Often so tight that they, and not the strategy, decide what stands. */
function limitsOf(
  draws: Draws,
): Pick<InstanceSettings['limits'], 'maxPositionShares' | 'maxEventLoss' | 'maxLocked'> {
  return {
    maxPositionShares: (draws.oneOf([25, 40, 80, 200]) * SHARE) as Shares,
    maxEventLoss: (draws.oneOf([12, 25, 60, 300]) * MONEY) as Money,
    maxLocked: draws.chance(0.2) ? ((40 * MONEY) as Money) : null,
  };
}

/** Now and then guards that have something to count: few orders a minute, or few shares one way. */
function waryOf(draws: Draws): (settings: BotSettings) => BotSettings {
  const ordersPerMinute = draws.chance(0.05) ? draws.oneOf([20, 60]) : null;
  const maxShares = draws.chance(0.05) ? ((draws.oneOf([15, 40]) * SHARE) as Shares) : null;
  return (settings) => ({
    ...settings,
    instances: settings.instances.map((instance) => ({ ...instance, limits: wary(instance.limits) })),
  });

  function wary({ fillBreaker, ...limits }: InstanceSettings['limits']): InstanceSettings['limits'] {
    return {
      ...limits,
      ordersPerMinute: ordersPerMinute ?? limits.ordersPerMinute,
      fillBreaker: maxShares === null ? fillBreaker : { ...fillBreaker, windowMs: 60_000, maxShares },
    };
  }
}
