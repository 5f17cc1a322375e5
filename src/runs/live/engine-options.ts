import { eventId, type EventId, marketId, type MarketId } from '../../domain/ids.js';
import type { EventDescription, TradingTerms } from '../../domain/market.js';
import type {
  EngineOptions,
  QuotingInstance,
  QuotingPolicy,
  StatedClose,
} from '../../core/engine/options.js';
import { type BudgetLimits, sustainedPerMinute } from '../../core/execution/sending/budget.js';
import type { ResolutionMode } from '../../domain/vocabulary.js';
import { callsOfAccount } from '../../core/execution/sending/request-cost.js';
import { FIXED_MIRROR_SETTINGS, type MirrorSettings } from '../../core/mirror/settings.js';
import type { Random } from '../../core/ports/random.js';
import { NO_RISK_STATE, NO_WINDOWS } from '../../core/risk/index.js';
import {
  type BotSettings,
  firstTickOf,
  SettingsError,
  type SettingsSource,
  type VenueRules,
} from '../../settings/index.js';
import { checkInstances } from '../strategies/instances.js';
import { requestNeedsOf, unsupportedBy } from './setting-checks.js';
import { ordersOf, outsideProblems } from './stop-checks.js';
import type { VenueProfile } from '../../venues/port.js';
import { FUTUUR } from '../../venues/futuur/protocol/profile.js';

/** How the desk spends requests and how long it tries; see the rooms for what each means. */
const DESK = {
  scheduler: {
    quoteLifetimeMs: 2_000,
    otherLifetimeMs: 10_000,
    firstPauseMs: 250,
    lastPauseMs: 15_000,
    throttledMs: 1_000,
  },
  settlement: { replayMaxAgeMs: 5_000, firstTryMs: 250, lastTryMs: 5_000 },
  withdrawal: { roundMs: 500, giveUpMs: 20_000, longestWaitMs: 60_000 },
} as const;

/** Part of the minute's allowance that may leave at once, and what quotes leave of it for reads. */
const BURST = 0.25;
const READ_RESERVE = 25;
/** What two machines' clocks may differ by on top of the venue's window. */
const CLOCK_DIFFERENCE_MS = 5_000;
const GRACE_MS = 1_000;

export interface EngineInputs {
  readonly settings: BotSettings;
  readonly venue: VenueRules;
  readonly source: SettingsSource;
  /** Left out: Futuur. */
  readonly profile?: VenueProfile;
  readonly runId: string;
  readonly random: Random;
  /** Recorded markets: nobody guards or takes over what is traded there. */
  readonly isOffline?: true;
  /** When betting on recorded events closed, as their recordings say. */
  readonly recordedCloses?: ReadonlyMap<EventId, StatedClose>;
}

/**
 * Turns settings into what an engine is made of, as for a first run; loads the strategies.
 * @throws SettingsError for parameters that a strategy does not accept, for what the venue cannot do, and for more upkeep
 *   than requests allow, orders included and the withdrawal of all of them
 * @throws UsageError for a strategy that cannot be found
 */
export async function engineOptionsOf(inputs: EngineInputs): Promise<EngineOptions> {
  const options = await uncheckedOptionsOf(inputs);
  const { source, settings } = inputs;
  const unsupported = unsupportedBy(options);
  if (unsupported !== null)
    throw new SettingsError(source.file, [source.problem(['quoting', 'expiryMs'], unsupported)]);
  const problems = [
    ...requestNeedsOf(options, settings).problems,
    ...(inputs.isOffline === true ? [] : outsideProblems(options, settings)),
  ];
  if (problems.length === 0) return options;
  throw new SettingsError(
    source.file,
    problems.map(({ path, message }) => source.problem(path, message)),
  );
}

async function uncheckedOptionsOf(inputs: EngineInputs): Promise<EngineOptions> {
  const { settings, venue } = inputs;
  const instances = await checkInstances(settings, inputs.source, tickUnitsOf(settings));
  const accountMs = accountMsOf(inputs, instances);
  return {
    runId: inputs.runId,
    venue: profileOf(inputs),
    terms: termsOf(settings, venue),
    events: eventsOf(settings),
    ownership: new Map(
      settings.events.flatMap((event) =>
        event.markets.map((market) => [marketId(market.id), market.ownership] as const),
      ),
    ),
    instances,
    quoting: quotingOf(settings),
    learnedGrids: settings.events.flatMap(({ markets }) =>
      markets.flatMap(({ id, tickSize }) => (tickSize === 'auto' ? [marketId(id)] : [])),
    ),
    winners: winnersOf(settings),
    closings: new Map([...closingsOf(settings), ...(inputs.recordedCloses ?? [])]),
    informationWindows: new Map(
      settings.events.map(({ id, informationWindows }) => [eventId(id), informationWindows] as const),
    ),
    fairSources: fairSourcesOf(settings),
    categories: new Map(
      settings.events.flatMap(({ id, category }) => (category === null ? [] : [[eventId(id), category]])),
    ),
    underlyings: new Map(
      settings.events.flatMap(({ id, underlying }) =>
        underlying === null ? [] : [[eventId(id), underlying]],
      ),
    ),
    startOrders: settings.startOrders,
    recovered: [],
    riskState: NO_RISK_STATE,
    windows: NO_WINDOWS,
    ended: [],
    mirror: mirrorOf(settings, venue, accountMs),
    budget: budgetOf(settings, venue),
    ...accountPartsOf(settings),
    spending: null,
    callsBefore: 1,
    venueAhead: 0,
    clockWindowMs: clockWindowMsOf(venue),
    random: inputs.random,
    ...DESK,
    settlement: settlementOf(accountMs),
  };
}

/** Sources of fair values by market; each names a market once. */
const fairSourcesOf = ({ fairValues }: BotSettings): EngineOptions['fairSources'] =>
  new Map(
    fairValues.flatMap(({ name, maxAgeMs, whenStale, markets, signalsOnly }) =>
      (signalsOnly ? [] : markets).map(
        (one) => [one.id, { name, maxAgeMs: one.maxAgeMs ?? maxAgeMs, whenStale }] as const,
      ),
    ),
  );

function profileOf({ profile = FUTUUR, settings }: EngineInputs): VenueProfile {
  if (settings.mode === 'paper') return { ...profile, isPaper: true };
  const { accountParts } = accountPartsOf(settings);
  if (accountParts === undefined) return profile;
  // A listing is of the whole account: the orders of the other shards stand on its pages, too.
  const { calls } = profile;
  return { ...profile, calls: { ...calls, ordersAPage: calls.ordersAPage / accountParts } };
}

function budgetOf(settings: BotSettings, venue: VenueRules): BudgetLimits {
  const { perMinute, perDay } = allowanceOf(settings, venue);
  const bookShare = settings.reconciliation.booksShare;
  return { perMinute, perDay, burst: BURST, readReserve: READ_RESERVE, bookShare };
}

/** A paper account is never shared: each shard has its own. */
const accountPartsOf = ({ isShard, sharding, mode }: BotSettings): Pick<EngineOptions, 'accountParts'> =>
  isShard && sharding !== null && mode !== 'paper' ? { accountParts: sharding.of } : {};

function settlementOf(accountMs: number): EngineOptions['settlement'] {
  const { replayMaxAgeMs, firstTryMs, lastTryMs } = DESK.settlement;
  return { replayMaxAgeMs, firstTryMs, lastTryMs, routineListMs: accountMs };
}

/** The quoting policy of a file, in the names of the engine. */
function quotingOf({ quoting }: BotSettings): QuotingPolicy {
  const { widenMs, widenTicks, shrinkMs, shrinkTo, reduceOnlyMs, atEventStart, whenLive } = quoting.preClose;
  const outMs = quoting.preCloseMs;
  return {
    toleranceTicks: quoting.toleranceTicks,
    toleranceShares: quoting.toleranceShares,
    refillShare: quoting.refillShare,
    minRestMs: quoting.minRestMs,
    preClose: { widenMs, widenTicks, shrinkMs, shrinkTo, reduceOnlyMs, outMs, atEventStart, whenLive },
    expiryMs: quoting.expiryMs,
    requoteEveryMs: quoting.requoteEveryMs,
    heldFirst: quoting.heldFirst,
    graceMs: GRACE_MS,
  };
}

/** A signed request cannot take effect later than its timestamp plus this, whatever the clocks say. */
export const clockWindowMsOf = ({ clockWindowS }: Pick<VenueRules, 'clockWindowS'>): number =>
  clockWindowS * 1_000 + CLOCK_DIFFERENCE_MS;

/** The venue's allowance less what a guard without a key of its own may spend; a leased shard has no guard. */
export function allowanceOf(
  { guard, sharding }: Pick<BotSettings, 'guard'> & Partial<Pick<BotSettings, 'sharding'>>,
  { rateLimit }: VenueRules,
) {
  if (guard.publicKey !== null || (sharding?.lease ?? null) !== null) return rateLimit;
  return {
    perMinute: Math.max(1, rateLimit.perMinute - guard.requestsPerMinute),
    perDay: Math.max(1, rateLimit.perDay - guard.requestsPerDay),
  };
}

function termsOf(settings: BotSettings, venue: VenueRules): TradingTerms {
  const fees = venue.fees[settings.currencyMode];
  return {
    currency: settings.currency,
    mode: settings.currencyMode,
    takerFee: fees.taker,
    makerFee: fees.maker,
    minAmount: venue.minAmount,
    maxAmount: venue.maxAmount,
  };
}

/** Reads of books go round all quoted markets, within their share of the requests and no faster than configured. */
function roundMsOf({ reconciliation, instances }: BotSettings, budget: BudgetLimits): number {
  const markets = instances.reduce((sum, one) => sum + one.markets.length, 0);
  const perMinute = budget.bookShare * sustainedPerMinute(budget);
  const roundMs = perMinute > 0 ? Math.ceil((markets * 60_000) / perMinute) : NEVER_MS;
  return Math.max(reconciliation.booksEveryMs, Math.min(roundMs, NEVER_MS));
}

/** Longer than any run: no book is compared. */
const NEVER_MS = 1e12;

/** Orders, holdings and balances are read within their share of the requests, and no more often than configured. */
function accountMsOf(inputs: EngineInputs, instances: readonly QuotingInstance[]): number {
  const { settings, venue } = inputs;
  const { calls } = profileOf(inputs);
  const perMinute = ACCOUNT_SHARE * sustainedPerMinute(budgetOf(settings, venue));
  const orders = instances.reduce((sum, instance) => sum + ordersOf(instance), 0);
  const roundMs = Math.ceil((60_000 * callsOfAccount(orders, calls)) / perMinute);
  return Math.max(settings.reconciliation.accountEveryMs, Math.min(roundMs, ACCOUNT_MOST_MS));
}

/** Most that reads of the account take of the requests, and the longest time between two of them that follows from it. */
const ACCOUNT_SHARE = 0.5;
const ACCOUNT_MOST_MS = 600_000;

function mirrorOf(settings: BotSettings, venue: VenueRules, accountMs: number): MirrorSettings {
  return {
    ...FIXED_MIRROR_SETTINGS,
    mode: settings.currencyMode,
    bookCacheMs: venue.bookCacheMs,
    witnessEveryMs: roundMsOf(settings, budgetOf(settings, venue)),
    holdingsEveryMs: accountMs,
    balancesEveryMs: accountMs,
  };
}

/** Events as configured. The venue's word replaces statuses and dates; ticks are configuration's alone. */
function eventsOf(settings: BotSettings): readonly EventDescription[] {
  return settings.events.map((event) => ({
    id: eventId(event.id),
    title: event.title ?? `Event ${event.id}`,
    slug: '',
    status: 'open',
    resolutionMode: configuredMode(event),
    isLive: false,
    betStart: null,
    betEnd: event.closes,
    eventStart: null,
    eventEnd: null,
    markets: event.markets.map((market) => ({
      id: marketId(market.id),
      eventId: eventId(event.id),
      title: market.title ?? `Market ${market.id}`,
      tickUnits: firstTickOf(market.tickSize),
      status: 'active',
      disabled: false,
      betStart: null,
      betEnd: null,
      resolution: null,
      longLabel: 'Yes',
      shortLabel: 'No',
    })),
  }));
}

const winnersOf = ({ events }: BotSettings): EngineOptions['winners'] =>
  new Map(
    events.flatMap(({ id, exhaustive, winners }) =>
      exhaustive || winners !== null ? [[id, winners ?? 1] as const] : [],
    ),
  );

const closingsOf = ({ events }: BotSettings): EngineOptions['closings'] =>
  new Map(
    events.flatMap(({ id, closes }) =>
      closes === null ? [] : [[id, { at: closes, from: 'file' }] as const],
    ),
  );

/**
 * What excludes what, as configured: what one of the outcomes is sure to win excludes the others, too, and several winners
 * exclude nothing. null: as the venue says.
 */
export const configuredMode = ({
  resolutionMode,
  exhaustive,
  winners,
}: Pick<BotSettings['events'][number], 'resolutionMode' | 'exhaustive' | 'winners'>): ResolutionMode | null =>
  resolutionMode ?? (exhaustive ? 'exclusive' : winners === null ? null : 'non_exclusive');

/** Price units per tick that a market begins with. */
export function tickUnitsOf(settings: BotSettings): (market: MarketId) => number {
  const ticks = new Map(
    settings.events.flatMap((event) => event.markets.map((market) => [market.id, market.tickSize] as const)),
  );
  return (market) => firstTickOf(ticks.get(market) ?? 'auto');
}
