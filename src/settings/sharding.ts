/** The part of an account's settings that one of several processes trades: its events, and its share of every limit. */
import { createHash } from 'node:crypto';
import type { EventId } from '../domain/ids.js';
import type { BotSettings } from './bot-schema.js';
import type { ShardingSettings } from './sharding-schema.js';
import type { VenueRules } from './venue-schema.js';

/** One shard of so many, from 1. */
export interface Shard {
  readonly shard: number;
  readonly of: number;
}

/** The shard that an event belongs to: by its id alone, so that every process and every start says the same. */
export const shardOfEvent = (event: EventId, of: number): number =>
  1 + (createHash('sha256').update(event).digest().readUInt32BE() % of);

/** The shard that the settings state; null: the whole account, or none is stated yet. */
const statedShard = ({ sharding }: Pick<BotSettings, 'sharding'>): Shard | null =>
  sharding === null || sharding.shard === null ? null : { shard: sharding.shard, of: sharding.of };

/** The same settings for each shard that they may mean: the stated one, or all. */
export function eachShard<Settings extends { readonly sharding?: ShardingSettings | null }>(
  settings: Settings,
): readonly Settings[] {
  const sharding = settings.sharding ?? null;
  if (sharding === null || sharding.shard !== null) return [settings];
  return Array.from({ length: sharding.of }, (_, at) => ({
    ...settings,
    sharding: { ...sharding, shard: at + 1 },
  }));
}

/** The most events that one of the shards has that the settings may mean. */
export function mostEvents(settings: Pick<BotSettings, 'events' | 'sharding' | 'isShard'>): number {
  const { events, sharding, isShard } = settings;
  if (sharding === null || isShard === true) return events.length;
  const counts = Array.from({ length: sharding.of }, () => 0);
  for (const { id } of events) counts[shardOfEvent(id, sharding.of) - 1]! += 1;
  return sharding.shard === null ? Math.max(...counts) : counts[sharding.shard - 1]!;
}

/** The settings of all shards together, for what concerns the account. */
export const wholeAccount = <Settings extends { readonly sharding?: ShardingSettings | null }>(
  settings: Settings,
): Settings =>
  settings.sharding === null || settings.sharding === undefined
    ? settings
    : { ...settings, sharding: { ...settings.sharding, shard: null } };

/**
 * Leaves a shard its events and its share of what the account may do. What holds for one order, one market or one event
 * stays: an event is never divided. Sources of fair values stay, too, for markets that are selected later. Settings without a stated shard stay as they are.
 */
export function ofShard(settings: BotSettings): BotSettings {
  const shard = statedShard(settings);
  if (shard === null || settings.isShard) return settings;
  const { of } = shard;
  const events = settings.events.filter(({ id }) => shardOfEvent(id, of) === shard.shard);
  const own = new Set(events.flatMap(({ markets }) => markets.map(({ id }) => id)));
  const { guard, paper } = settings;
  return {
    ...settings,
    isShard: true,
    events,
    instances: settings.instances.map((instance) => ({
      ...instance,
      markets: instance.markets.filter((id) => own.has(id)),
      limits: limitsOf(instance.limits, of),
    })),
    guard: {
      ...guard,
      requestsPerMinute: share(guard.requestsPerMinute, of),
      requestsPerDay: share(guard.requestsPerDay, of),
    },
    paper: { ...paper, balance: share(paper.balance, of) },
  };
}

/** The share of a shard in the requests that the venue allows. */
export function venueOfShard<Venue extends Pick<VenueRules, 'rateLimit'>>(
  venue: Venue,
  settings: Pick<BotSettings, 'sharding'>,
): Venue {
  const shard = statedShard(settings);
  if (shard === null) return venue;
  const { perMinute, perDay } = venue.rateLimit;
  return {
    ...venue,
    rateLimit: { perMinute: share(perMinute, shard.of), perDay: share(perDay, shard.of) },
  };
}

type Limits = BotSettings['instances'][number]['limits'];

/** Limits that hold for a run, divided among the runs of the account. */
const limitsOf = (limits: Limits, of: number): Limits => ({
  ...limits,
  maxCategoryLoss: shareOrNone(limits.maxCategoryLoss, of),
  maxAccountLoss: shareOrNone(limits.maxAccountLoss, of),
  maxLocked: shareOrNone(limits.maxLocked, of),
  maxLoss: share(limits.maxLoss, of),
  maxDrawdown: shareOrNone(limits.maxDrawdown, of),
  maxTakenAmount: shareOrNone(limits.maxTakenAmount, of),
  taking: shareOrNone(limits.taking, of),
  ordersPerMinute: Math.max(1, share(limits.ordersPerMinute, of)),
});

/** Rounded down, so that all shares together are never more than the whole. */
const share = <Amount extends number>(whole: Amount, of: number): Amount => Math.floor(whole / of) as Amount;

const shareOrNone = <Amount extends number>(whole: Amount | null, of: number): Amount | null =>
  whole === null ? null : share(whole, of);
