/** What withdrawing every order takes: of a stop, of a guard, and before the end of a lease. */
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import { ORDERS_PER_LEVEL } from '../../core/execution/planning/legs.js';
import { perDayFor, sustainedPerMinute } from '../../core/execution/sending/budget.js';
import { callsToWithdraw, tenths } from '../../core/execution/sending/request-cost.js';
import { depthOf } from '../../core/strategy/registry.js';
import type { BotSettings } from '../../settings/index.js';

/** What of the options decides about requests. */
export type Requesting = Pick<
  EngineOptions,
  'venue' | 'budget' | 'instances' | 'mirror' | 'quoting' | 'settlement' | 'withdrawal' | 'clockWindowMs'
>;

/** What of the settings decides whether a guard watches, and with how many requests. */
export type Guarding = Pick<BotSettings, 'guard' | 'sharding' | 'isShard' | 'mode' | 'venue'>;

const MINUTE_MS = 60_000;
/** What a stop has before it is killed: `stop_grace_period` in ops/compose.yaml, `TimeoutStopSec` in ops/oddsmith.service. */
const STOP_MS = 120_000;

/** Something of the file that cannot work, or works slowly. */
export interface Finding {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Both sides of every market, as deep as the strategy says. */
export const ordersOf = ({ instance, markets }: QuotingInstance): number =>
  2 * markets.length * depthOf(instance.strategy, instance.parameters);

/** Most orders that may stand, what withdrawing them takes, and how long that may last. */
function stopOf({ venue, budget, instances, withdrawal, clockWindowMs }: Requesting) {
  const orders = ORDERS_PER_LEVEL * instances.reduce((sum, instance) => sum + ordersOf(instance), 0);
  const calls = callsToWithdraw(orders, venue);
  const burst = Math.max(1, budget.perMinute * budget.burst);
  const waitMs = Math.max(0, ((calls - burst) * MINUTE_MS) / sustainedPerMinute(budget));
  const { longestWaitMs, giveUpMs } = withdrawal;
  const mostMs = Math.max(clockWindowMs, Math.min(waitMs, longestWaitMs)) + giveUpMs;
  return { orders, calls, waitMs, mostMs };
}

export function stopLine(options: Requesting): string {
  const { orders, calls, mostMs } = stopOf(options);
  return (
    `stop: at most ${orders} orders stand; ${calls} requests cancel them, ${options.venue.batches.cancel} in one, and prove it. ` +
    `That takes seconds; given up after ${tenths(mostMs / 1_000)} s at most where answers were lost`
  );
}

/** A stop that the requests hold back for too long is given up while orders stand. */
export function stopProblems(options: Requesting): readonly Finding[] {
  const { longestWaitMs } = options.withdrawal;
  const { orders, calls, waitMs } = stopOf(options);
  if (waitMs <= longestWaitMs) return [];
  const message =
    `a stop is given up before its orders are gone: cancelling ${orders} orders and proving it takes ${calls} requests, ` +
    `which leave within ${tenths(waitMs / 1_000)} s, and it waits ${tenths(longestWaitMs / 1_000)} s; expected ` +
    `at least perMinute: ${calls} and perDay: ${perDayFor((calls * MINUTE_MS) / longestWaitMs)}, beside a guard's share, or fewer markets or levels`;
  return [{ path: ['venue', 'rateLimit'], message }];
}

export function slowStop(options: Requesting): readonly Finding[] {
  const { mostMs } = stopOf(options);
  if (mostMs <= STOP_MS) return [];
  const needed = `${Math.ceil(mostMs / 1_000)} s`;
  const message =
    `slow: a stop may take ${needed} where answers were lost, and is killed after ${STOP_MS / 1_000} s; expected ` +
    `stop_grace_period (compose.yaml) and TimeoutStopSec (oddsmith.service) of ${needed}, or a smaller clockWindowS`;
  return [{ path: ['venue', 'clockWindowS'], message }];
}

/** What a bot at a venue needs beside its requests: a guard that can withdraw its orders, and a lease as long as a stop. */
export const outsideProblems = (options: Requesting, settings: Guarding): readonly Finding[] => [
  ...guardProblems(options, settings),
  ...leaseProblems(options, settings),
];

/** A process whose lease ends during a stop leaves the rest to its successor, so a stop has to fit. */
function leaseProblems(options: Requesting, { sharding }: Guarding): readonly Finding[] {
  const lease = sharding?.lease ?? null;
  const { mostMs } = stopOf(options);
  if (lease === null || mostMs <= lease.withdrawMs) return [];
  const message =
    `expected at least ${Math.ceil(mostMs)}, found ${lease.withdrawMs}: a stop takes up to ${tenths(mostMs / 1_000)} s where ` +
    'answers were lost, and has to be over before the lease; or a smaller venue.clockWindowS';
  return [{ path: ['sharding', 'lease', 'withdrawMs'], message }];
}

/** Paper orders, the exchange of a file and leased shards have no guard. */
const isGuarded = ({ mode, venue, sharding }: Guarding): boolean =>
  mode !== 'paper' && venue !== null && (sharding?.lease ?? null) === null;

/** What the file has to state for `needed` requests of one guard, and what its guard has. */
function guardFigures(needed: number, found: number, { sharding, isShard }: Guarding): string {
  const of = isShard === true && sharding !== null ? sharding.of : 1;
  const each = of === 1 ? '' : ` for the guard of each of ${of} shards`;
  return `expected at least ${needed * of}, found ${found}${each}`;
}

/** The second half of a guard's requests of a day is spread over a day. */
function guardProblems(options: Requesting, settings: Guarding): readonly Finding[] {
  const { orders, calls } = stopOf(options);
  const { requestsPerDay } = settings.guard;
  if (!isGuarded(settings) || 2 * calls <= requestsPerDay) return [];
  const message =
    `${guardFigures(2 * calls, requestsPerDay, settings)}: a guard withdraws ${orders} orders with ${calls} requests, ` +
    'and the second half of its requests is spread over a day';
  return [{ path: ['guard', 'requestsPerDay'], message }];
}

export function slowGuard(options: Requesting, settings: Guarding): readonly Finding[] {
  const { orders, calls } = stopOf(options);
  const { requestsPerMinute } = settings.guard;
  if (!isGuarded(settings) || calls <= requestsPerMinute) return [];
  const message =
    `slow: a guard withdraws ${orders} orders with ${calls} requests, which takes more than a minute; ` +
    guardFigures(calls, requestsPerMinute, settings);
  return [{ path: ['guard', 'requestsPerMinute'], message }];
}
