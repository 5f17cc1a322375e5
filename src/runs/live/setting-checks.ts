/** Whether what a configuration asks for fits the requests it may make, with the arithmetic for people. */
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import { perDayFor, sustainedBy, sustainedPerMinute } from '../../core/execution/sending/budget.js';
import { orderLimitFor, sustainedOrders } from '../../core/execution/sending/order-pace.js';
import {
  type Demand,
  demandOf,
  describeNeeds,
  movesOf,
  type Need,
  renewalsOf,
  tenths,
  totalOf,
} from '../../core/execution/sending/request-cost.js';
import { EXPIRY_LEAST_MS, renewedAfterMs } from '../../core/execution/planning/expiry.js';
import { unnoticedMsOf } from '../../core/mirror/settings.js';
import { depthOf } from '../../core/strategy/registry.js';
import { MONEY_ONE } from '../../domain/units.js';
import { PACE } from '../../venues/futuur/realtime/supervisor.js';
import { describeProblem, type SettingsSource } from '../../settings/index.js';
import {
  type Finding,
  type Guarding,
  ordersOf,
  type Requesting,
  slowGuard,
  slowStop,
  stopLine,
  stopProblems,
} from './stop-checks.js';

const MINUTE_MS = 60_000;
/** A round of all quotes that takes longer is remarked upon. */
const SLOW_MS = MINUTE_MS;
/** What there is to say about the requests of a configuration. */
export interface RequestNeeds {
  /** Why the configuration cannot run; none when it can. */
  readonly problems: readonly Finding[];
  /** What works, but slowly. */
  readonly slow: readonly Finding[];
  /** The arithmetic, line by line. */
  readonly lines: readonly string[];
}

/** The arithmetic of a configuration: reads of books, renewals and moves against the allowance of minute and day. */
export function requestNeedsOf(options: Requesting, settings: Guarding): RequestNeeds {
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
  const problems = [
    ...budgetProblems(demand, options),
    ...options.instances.flatMap((instance, at) => paceProblems(instance, at, options)),
    ...stopProblems(options),
  ];
  const slow = [
    ...slowMoves(demand, options),
    ...options.instances.flatMap((instance, at) => slowPace(instance, at)),
    ...slowStop(options),
    ...slowGuard(options, settings),
  ];
  return { problems, slow, lines };
}

/** @returns sentences with file, line and column, for people */
export const slowRemarks = (
  options: Requesting,
  settings: Guarding,
  source: SettingsSource,
): readonly string[] =>
  requestNeedsOf(options, settings).slow.map(({ path, message }) =>
    describeProblem(source.file, source.problem(path, message)),
  );

/** What the configuration asks for and the venue cannot do; null: nothing. */
export const unsupportedBy = ({ venue, quoting }: Pick<EngineOptions, 'venue' | 'quoting'>): string | null =>
  quoting.expiryMs === null || venue.orders.expire
    ? null
    : `${venue.name} does not cancel orders at a time that they state; leave it out`;

function budgetProblems({ silent, busy }: Demand, options: Requesting): readonly Finding[] {
  const supply = sustainedPerMinute(options.budget);
  const refused = (when: string, needs: readonly Need[]): readonly Finding[] =>
    totalOf(needs) > supply ? [{ path: ['venue', 'rateLimit'], message: refusal(when, needs, options) }] : [];
  const ofSilence = refused('while no market moves', silent);
  return ofSilence.length > 0 ? ofSilence : refused('while all markets move', busy);
}

/** What does not fit, which allowance binds, and what would fit. */
function refusal(when: string, needs: readonly Need[], options: Requesting): string {
  const { binding, most } = fittingRate(needs, options);
  const fitting = fittingMarkets(needs, options);
  const fewer = fitting < 1 || fitting === Infinity ? '' : `, or quote at most ${fitting} markets`;
  return (
    `the request budget does not suffice ${when}: ${describeNeeds(needs)}, allowed ${describeSupply(options)}; ` +
    `${binding} binds: ${most} of it would fit, beside a guard's share; or raise quoting.requoteEveryMs, ` +
    `quoting.expiryMs or reconciliation.accountEveryMs${fewer}`
  );
}

/** Which allowance binds, and how much of it suffices for these needs. */
function fittingRate(needs: readonly Need[], { budget }: Requesting) {
  const { perMinute, perDay } = sustainedBy(budget);
  const { bookShare, burst } = budget;
  const books = totalOf(needs.filter(({ scales }) => scales === 'books'));
  const others = totalOf(needs) - books;
  // Reads of books that fill their share take their part of any larger allowance, too.
  const isShareFull = bookShare < 1 && books > 0.99 * bookShare * Math.min(perMinute, perDay);
  const needed = isShareFull ? others / (1 - bookShare) : others + books;
  return perDay < perMinute
    ? { binding: 'perDay', most: perDayFor(needed) }
    : { binding: 'perMinute', most: Math.ceil(needed / (1 - burst)) };
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
    renewalMs: quoting.expiryMs === null ? null : renewedAfterMs(quoting.expiryMs).last,
  };
  return demandOf(upkeep, venue);
}

/** How often `ordersPerMinute` lets all quotes move. */
function paceLine(owner: QuotingInstance, { quoting }: Requesting): string {
  const orders = ordersOf(owner);
  const { ordersPerMinute } = owner.limits;
  const said =
    `orders of instance ${owner.instance.name}: limits.ordersPerMinute allows ${ordersPerMinute}, ` +
    `${sustainedOrders(ordersPerMinute)} of them minute after minute, so ${orders} quotes move every ` +
    `${tenths(roundMsOf(owner) / 1_000)} s when all markets move, the most mispriced first`;
  const wantedMs = quoting.requoteEveryMs;
  return wantedMs === null
    ? said
    : `${said}; quoting.requoteEveryMs asks for every ${tenths(wantedMs / 1_000)} s`;
}

/** How long it takes to place or move every quote once. */
const roundMsOf = (owner: QuotingInstance): number =>
  (ordersOf(owner) * MINUTE_MS) / sustainedOrders(owner.limits.ordersPerMinute);

/** Orders that have to leave minute after minute, or what the file asks for never comes true. */
function paceProblems(owner: QuotingInstance, at: number, { quoting }: Requesting): readonly Finding[] {
  const { requoteEveryMs, expiryMs } = quoting;
  const roundMs = roundMsOf(owner);
  const within = (ms: number, what: string): readonly Finding[] =>
    roundMs <= ms ? [] : [paceFinding(owner, at, ms, `${what} every ${tenths(ms / 1_000)} s`)];
  return [
    ...(requoteEveryMs === null ? [] : within(requoteEveryMs, 'quoting.requoteEveryMs moves them')),
    ...(expiryMs === null
      ? []
      : within(renewedAfterMs(expiryMs).last, 'quoting.expiryMs cancels them unless they are renewed')),
  ];
}

const slowPace = (owner: QuotingInstance, at: number): readonly Finding[] =>
  roundMsOf(owner) <= SLOW_MS
    ? []
    : [
        paceFinding(
          owner,
          at,
          SLOW_MS,
          `slow: placing or moving all of them takes ${tenths(roundMsOf(owner) / 1_000)} s, not a minute`,
        ),
      ];

function paceFinding(owner: QuotingInstance, at: number, withinMs: number, why: string): Finding {
  const orders = ordersOf(owner);
  const needed = orderLimitFor((orders * MINUTE_MS) / withinMs);
  const message = `expected at least ${needed} for ${orders} quotes, found ${owner.limits.ordersPerMinute}; ${why}`;
  return { path: ['instances', at, 'limits', 'ordersPerMinute'], message };
}

/** All quotes share what is left of the requests. */
function slowMoves({ busy }: Demand, options: Requesting): readonly Finding[] {
  const { budget, venue, instances, quoting } = options;
  const orders = instances.reduce((sum, instance) => sum + ordersOf(instance), 0);
  const moves: Need = { what: 'moves', perMinute: movesOf(orders, venue), scales: 'orders' };
  const left = sustainedPerMinute(budget) - totalOf(busy);
  const roundMs = (moves.perMinute * MINUTE_MS) / left;
  if (quoting.requoteEveryMs !== null || left <= 0 || roundMs <= SLOW_MS) return [];
  const { binding, most } = fittingRate([...busy, moves], options);
  const message =
    `slow: moving all ${orders} quotes takes ${tenths(roundMs / 1_000)} s, not a minute; expected at least ` +
    `${binding}: ${most}, beside a guard's share`;
  return [{ path: ['venue', 'rateLimit'], message }];
}

/** What an expiry costs; while there is none, what the shortest, the dearest one, would. */
function expiryLine(options: Requesting): string {
  const { expiryMs } = options.quoting;
  if (expiryMs === null) return `expiry: off; orders stand until they are cancelled. ${leastExpiry(options)}`;
  return (
    `expiry: the venue cancels an order ${expiryMs / 1_000} s after we last stated it; an order that nothing moves is ` +
    `renewed every ${renewals(expiryMs, options)}, and each renewal puts it last in its queue`
  );
}

function leastExpiry(options: Requesting): string {
  const supply = sustainedPerMinute(options.budget);
  const needed = totalOf(demandIn(expiringAfter(EXPIRY_LEAST_MS, options)).silent);
  const verdict = needed > supply ? 'does not fit' : 'fits';
  return (
    `The shortest, quoting.expiryMs: ${EXPIRY_LEAST_MS}, would renew an order that nothing moves every ` +
    `${renewals(EXPIRY_LEAST_MS, options)}, and each renewal would put it last in its queue; ` +
    `this ${verdict}: together ${tenths(needed)} of ${tenths(supply)} requests a minute`
  );
}

function renewals(expiryMs: number, { venue, instances }: Requesting): string {
  const { first, last } = renewedAfterMs(expiryMs);
  const orders = instances.reduce((sum, instance) => sum + ordersOf(instance), 0);
  const [alone, shared] = [
    (orders * renewalsOf(1, venue) * MINUTE_MS) / first,
    (renewalsOf(orders, venue) * MINUTE_MS) / last,
  ];
  return (
    `${tenths(first / 1_000)} to ${tenths(last / 1_000)} s, with ${tenths(alone)} requests a minute at most and ` +
    `${tenths(shared)} at least, as the allowance lets them share requests`
  );
}

const expiringAfter = (expiryMs: number, options: Requesting): Requesting => ({
  ...options,
  quoting: { ...options.quoting, expiryMs },
});
