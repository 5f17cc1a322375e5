/** Whether what a configuration asks for fits the requests it may make, with the arithmetic for people. */
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import { perDayFor, sustainedBy, sustainedPerMinute } from '../../core/execution/sending/budget.js';
import { ORDERS_PER_LEVEL } from '../../core/execution/planning/legs.js';
import {
  callsToWithdraw,
  type Demand,
  demandOf,
  describeNeeds,
  movesOf,
  type Need,
  tenths,
  totalOf,
} from '../../core/execution/sending/request-cost.js';
import { EXPIRY_LEAST_MS, renewalEveryMs } from '../../core/execution/planning/expiry.js';
import { unnoticedMsOf } from '../../core/mirror/settings.js';
import type { ParameterUnit } from '../../core/strategy/parameters.js';
import { depthOf } from '../../core/strategy/registry.js';
import { MONEY_ONE, PRICE_ONE, SHARE_ONE } from '../../domain/units.js';
import { PACE } from '../../venues/futuur/realtime/supervisor.js';
import { describeProblem, type SettingsSource } from '../../settings/index.js';

/** What of the options decides about requests. */
type Requesting = Pick<
  EngineOptions,
  'venue' | 'budget' | 'instances' | 'mirror' | 'quoting' | 'settlement' | 'withdrawal' | 'clockWindowMs'
>;

const MINUTE_MS = 60_000;

/** What there is to say about the requests of a configuration. */
export interface RequestNeeds {
  /** Why the configuration cannot run; null when it can. */
  readonly problem: string | null;
  /** The arithmetic, line by line. */
  readonly lines: readonly string[];
}

/** The arithmetic of a configuration: reads of books, renewals and moves against the allowance of minute and day. */
export function requestNeedsOf(options: Requesting): RequestNeeds {
  const demand = demandIn(options);
  const lines = [
    `requests while no market moves: ${describeNeeds(demand.silent)}`,
    `requests while all markets move: ${describeNeeds(demand.busy)}${movesLine(demand, options)}`,
    `requests allowed: ${describeSupply(options)}`,
    booksLine(options),
    expiryLine(options),
    ...options.instances.map((instance) => paceLine(instance, options)),
    stopLine(options),
    marketsLine(demand, options),
    ...options.instances.map((instance) => cashLine(instance)),
  ];
  return { problem: problemOf(demand, options), lines };
}

/** What the configuration asks for and the venue cannot do; null: nothing. */
export const unsupportedBy = ({ venue, quoting }: Pick<EngineOptions, 'venue' | 'quoting'>): string | null =>
  quoting.expiryMs === null || venue.orders.expire
    ? null
    : `${venue.name} does not cancel orders at a time that they state; leave it out`;

function problemOf({ silent, busy }: Demand, options: Requesting): string | null {
  const supply = sustainedPerMinute(options.budget);
  if (totalOf(silent) > supply) return refusal('while no market moves', silent, options);
  return totalOf(busy) > supply ? refusal('while all markets move', busy, options) : null;
}

/** What does not fit, which allowance binds, and what would fit. */
function refusal(when: string, needs: readonly Need[], options: Requesting): string {
  const { perMinute, perDay } = sustainedBy(options.budget);
  const isDay = perDay < perMinute;
  const needed = totalOf(needs);
  const most = isDay ? perDayFor(needed) : Math.ceil(needed / (1 - options.budget.burst));
  const binding = isDay ? 'perDay' : 'perMinute';
  const fitting = fittingMarkets(needs, options);
  const fewer = fitting < 1 || fitting === Infinity ? '' : `, or quote at most ${fitting} markets`;
  return (
    `the request budget does not suffice ${when}: ${describeNeeds(needs)}, allowed ${describeSupply(options)}; ` +
    `${binding} binds: ${most} of it would fit, beside a guard's share; or raise quoting.requoteEveryMs, ` +
    `quoting.expiryMs or reconciliation.accountEveryMs${fewer}`
  );
}

/** How many markets fit while all of them move, and what binds. */
function marketsLine({ busy }: Demand, options: Requesting): string {
  const { perMinute, perDay } = sustainedBy(options.budget);
  const binding = perDay < perMinute ? 'rateLimit.perDay' : 'rateLimit.perMinute';
  const quoted = marketsOf(options.instances);
  const fitting = fittingMarkets(busy, options);
  const fits =
    fitting === Infinity
      ? 'none costs requests by itself, so more of them move less often'
      : `about ${fitting} of this kind fit the requests`;
  return `markets: ${quoted} are quoted; ${fits}; ${binding} binds`;
}

/** What quotes lock at most: bids on both positions of a level cost one a share together. */
function cashLine({ instance, markets, limits }: QuotingInstance): string {
  const levels = markets.length * depthOf(instance.strategy, instance.parameters);
  const { shares } = instance.parameters;
  const ofLevel = typeof shares === 'number' ? shares : (2 * limits.maxOrderAmount) / MONEY_ONE;
  const most = levels * ofLevel;
  const bound = limits.maxLocked === null ? Infinity : limits.maxLocked / MONEY_ONE;
  const by =
    bound < most
      ? 'limits.maxLocked'
      : typeof shares === 'number'
        ? 'params.shares'
        : 'limits.maxOrderAmount';
  return `cash: quotes of instance ${instance.name} lock at most ${tenths(Math.min(most, bound))}, by ${by}; held shares that they sell lock none`;
}

/** How many markets of the same kind fit. Reads of books take no more than their share. */
function fittingMarkets(needs: readonly Need[], { budget, instances }: Requesting): number {
  const ofMarkets = needs.filter(({ scales }) => scales !== 'not');
  const fixed = totalOf(needs) - totalOf(ofMarkets);
  const books = totalOf(ofMarkets.filter(({ scales }) => scales === 'books'));
  const perMarket = (totalOf(ofMarkets) - books) / marketsOf(instances);
  const left = sustainedPerMinute(budget) * (1 - budget.bookShare) - fixed;
  return perMarket <= 0 ? Infinity : Math.floor(left / perMarket);
}

/** Unless it is configured, all quotes move as often as what is left of the requests allows. */
function movesLine({ busy }: Demand, { budget, venue, quoting, instances }: Requesting): string {
  const left = sustainedPerMinute(budget) - totalOf(busy);
  if (quoting.requoteEveryMs !== null || left <= 0) return '';
  const orders = instances.reduce((sum, instance) => sum + ordersOf(instance), 0);
  const everyS = (60 * movesOf(orders, venue)) / left;
  return `; the rest moves all ${orders} quotes every ${tenths(everyS)} s`;
}

/** How long it can take until a channel that says nothing any more, or a connection, is found out. */
function booksLine({ mirror, budget }: Requesting): string {
  const { witnessEveryMs } = mirror;
  const round = `each book is compared with a read every ${tenths(witnessEveryMs / 1_000)} s, within ${tenths(100 * budget.bookShare)} % of the requests`;
  const silent = `a channel that falls silent goes unnoticed for at most ${tenths(unnoticedMsOf(mirror) / 1_000)} s`;
  return `books: ${round}; ${silent}, a connection that breaks unsaid for ${(PACE.silenceMs + PACE.pongMs) / 1_000} s`;
}

function describeSupply({ budget }: Requesting): string {
  const { perMinute, perDay, burst } = budget;
  const evenly = `${perMinute} a minute of which ${tenths(burst * 100)} % are for bursts`;
  return `${tenths(sustainedPerMinute(budget))} a minute (${evenly}; ${perDay} a day; a guard's share left out)`;
}

const marketsOf = (instances: Requesting['instances']): number =>
  instances.reduce((sum, { markets }) => sum + markets.length, 0);

function demandIn({ venue, instances, mirror, quoting, settlement }: Requesting): Demand {
  const upkeep = {
    markets: marketsOf(instances),
    orders: instances.reduce((sum, instance) => sum + ordersOf(instance), 0),
    booksMs: mirror.witnessEveryMs,
    accountMs: settlement.routineListMs,
    requoteMs: quoting.requoteEveryMs,
    renewalMs: quoting.expiryMs === null ? null : renewalEveryMs(quoting.expiryMs),
  };
  return demandOf(upkeep, venue);
}

/** How `ordersPerMinute` compares with moving every quote as often as the file asks for. */
function paceLine(owner: QuotingInstance, { quoting }: Requesting): string {
  const orders = ordersOf(owner);
  const { ordersPerMinute } = owner.limits;
  const everyMs = (orders * MINUTE_MS) / ordersPerMinute;
  const said =
    `orders of instance ${owner.instance.name}: limits.ordersPerMinute allows ${ordersPerMinute}, so ${orders} quotes ` +
    `move every ${tenths(everyMs / 1_000)} s when all markets move, the most mispriced first`;
  const wantedMs = quoting.requoteEveryMs;
  return wantedMs === null || everyMs <= wantedMs
    ? said
    : `${said}; quoting.requoteEveryMs asks for every ${tenths(wantedMs / 1_000)} s`;
}

/** Most orders that may stand, and how long withdrawing them takes at most. */
function stopLine({ venue, budget, instances, withdrawal, clockWindowMs }: Requesting): string {
  const orders = ORDERS_PER_LEVEL * instances.reduce((sum, instance) => sum + ordersOf(instance), 0);
  const calls = callsToWithdraw(orders, venue);
  const burst = Math.max(1, budget.perMinute * budget.burst);
  const waitMs = Math.max(0, ((calls - burst) * MINUTE_MS) / sustainedPerMinute(budget));
  const mostMs = Math.max(clockWindowMs, Math.min(waitMs, withdrawal.longestWaitMs)) + withdrawal.giveUpMs;
  return (
    `stop: at most ${orders} orders stand; ${calls} requests cancel them, ${venue.batches.cancel} in one, and prove it. ` +
    `That takes seconds; given up after ${tenths(mostMs / 1_000)} s at most where answers were lost`
  );
}

/** Both sides of every market, as deep as the strategy says. */
const ordersOf = ({ instance, markets }: QuotingInstance): number =>
  2 * markets.length * depthOf(instance.strategy, instance.parameters);

/** What an expiry costs; while there is none, what the shortest, the dearest one, would. */
function expiryLine(options: Requesting): string {
  const { expiryMs } = options.quoting;
  if (expiryMs === null) return `expiry: off; orders stand until they are cancelled. ${leastExpiry(options)}`;
  return (
    `expiry: the venue cancels an order ${expiryMs / 1_000} s after we last stated it; one that nothing moves is ` +
    `renewed every ${renewals(expiryMs, options)}, and each renewal puts it last in its queue`
  );
}

function leastExpiry(options: Requesting): string {
  const supply = sustainedPerMinute(options.budget);
  const needed = totalOf(demandIn(expiringAfter(EXPIRY_LEAST_MS, options)).silent);
  const verdict = needed > supply ? 'does not fit' : 'fits';
  return (
    `With the least, quoting.expiryMs: ${EXPIRY_LEAST_MS}, one that nothing moves would be renewed every ` +
    `${renewals(EXPIRY_LEAST_MS, options)}, and each renewal would put it last in its queue; ` +
    `which ${verdict}: together ${tenths(needed)} of ${tenths(supply)} a minute`
  );
}

function renewals(expiryMs: number, options: Requesting): string {
  const { silent } = demandIn(expiringAfter(expiryMs, options));
  const everyS = renewalEveryMs(expiryMs) / 1_000;
  const cost = silent.find(({ what }) => what.startsWith('renewals'))?.perMinute ?? 0;
  return `${tenths(everyS)} to ${tenths(1.5 * everyS)} s, at most ${tenths(cost)} requests a minute`;
}

const expiringAfter = (expiryMs: number, options: Requesting): Requesting => ({
  ...options,
  quoting: { ...options.quoting, expiryMs },
});

/** Quotes of a configuration that its own limits never let pass: valid, but hardly what anybody meant. */

/** How bundled strategies call the shares of one quote, and the distance of a quote from fair value. */
const SIZES = ['shares', 'avgShares'] as const;
const DISTANCES = ['halfSpread', 'avgMargin', 'edge'] as const;

/** @returns sentences with file, line and column, for people */
export const limitRemarks = (
  { instances, events }: Pick<EngineOptions, 'instances' | 'events'>,
  source: SettingsSource,
): readonly string[] =>
  instances.flatMap((instance, index) => {
    const tick = leastTick(instance, events);
    const found = [
      ...SIZES.flatMap((name) =>
        refusals(instance, name, 'shares', (size) => refusedSize(instance, size, tick)),
      ),
      ...DISTANCES.flatMap((name) =>
        refusals(instance, name, 'probability', (distance) => refusedDistance(instance, distance)),
      ),
    ];
    return found.map(({ name, message }) => {
      const problem = source.problem(['instances', index, 'params'], message, name);
      return describeProblem(source.file, problem);
    });
  });

function refusals(
  { instance: { strategy, parameters } }: QuotingInstance,
  name: string,
  unit: ParameterUnit,
  judge: (value: number) => string | null,
): readonly { readonly name: string; readonly message: string }[] {
  const [value, declared] = [parameters[name], strategy.params[name]];
  if (typeof value !== 'number' || declared?.type !== 'number' || declared.unit !== unit) return [];
  const message = judge(value);
  return message === null ? [] : [{ name, message: `${message}: risk control refuses them` }];
}

/** The lowest price of the markets: there an order costs least. */
function leastTick({ markets }: QuotingInstance, events: EngineOptions['events']): number {
  const quoted = events.flatMap((event) => event.markets).filter(({ id }) => markets.includes(id));
  return Math.min(...quoted.map(({ tickUnits }) => tickUnits)) / PRICE_ONE;
}

/** The first limit below the size; null when there is none. */
function refusedSize({ limits }: QuotingInstance, size: number, tick: number): string | null {
  for (const name of ['maxOrderShares', 'maxPositionShares'] as const) {
    const most = limits[name] / SHARE_ONE;
    if (size > most) return `quotes of ${size} shares are more than limits.${name} allows, which is ${most}`;
  }
  for (const name of ['maxOrderAmount', 'maxEventLoss', 'maxLocked'] as const) {
    const most = limits[name];
    if (most !== null && size * tick > most / MONEY_ONE)
      return `quotes of ${size} shares cost ${size * tick} at the lowest price, more than limits.${name} allows, which is ${most / MONEY_ONE}`;
  }
  return null;
}

const refusedDistance = ({ limits }: QuotingInstance, distance: number): string | null =>
  distance * PRICE_ONE > limits.priceCollar
    ? `quotes ${distance} away from fair value are further than limits.priceCollar allows, which is ${limits.priceCollar / PRICE_ONE}`
    : null;
