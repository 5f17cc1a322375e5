/** The shards of an account that processes lease over Redis: one is taken, and held while its bot runs. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../core/ports/clock.js';
import { UsageError } from '../../domain/errors.js';
import { leaseName } from '../../ops/state/account-folder.js';
import type { BotSettings, Environment, LeaseSettings, Loaded, VenueSettings } from '../../settings/index.js';
import { startPulse } from '../live/account-files.js';
import type { Bot } from '../live/bot.js';
import {
  loadRedisPackages,
  type News,
  openRedis,
  redisAddress,
  type RedisLink,
} from '../sweep/redis/connection.js';
import { ShardLease, unlatch } from './lease.js';

export interface ShardingOptions {
  readonly settings: BotSettings;
  readonly lease: LeaseSettings;
  readonly venue: VenueSettings;
  /** May have the password. */
  readonly environment: Environment;
  readonly clock: Clock;
  readonly onNews: News;
  /** Ends the wait for a Redis that cannot be reached. */
  readonly signal: AbortSignal;
}

/** What a lease is of: a file that says something else means another one. */
const leaseOf = ({ settings, venue }: Pick<ShardingOptions, 'settings' | 'venue'>): string =>
  JSON.stringify([
    leaseName(settings, venue),
    settings.mode,
    settings.sharding?.of ?? null,
    settings.sharding?.lease ?? null,
  ]);

/** @throws UsageError for a file that means another lease than the one that was taken */
export function requireSameLease(
  taken: Pick<ShardingOptions, 'settings' | 'venue'>,
  { settings }: Loaded<BotSettings>,
  file: string,
): void {
  const { venue } = settings;
  if (venue !== null && leaseOf({ settings, venue }) === leaseOf(taken)) return;
  throw new UsageError(
    `${file} states another account, mode, sharding.of or sharding.lease than when this process began to wait for a shard; ` +
      'the shard is given back: start it again',
  );
}

export class LeasedShards {
  readonly #owner = `${hostname()}:${process.pid}:${randomBytes(8).toString('hex')}`;

  private constructor(
    private readonly options: ShardingOptions,
    private readonly link: RedisLink,
  ) {}

  /**
   * Waits for a Redis that cannot be reached.
   * @returns null after the signal
   * @throws RedisError when Redis refuses; UsageError for no address, or without the optional packages
   */
  static async open(options: ShardingOptions): Promise<LeasedShards | null> {
    const { lease, environment, onNews, signal } = options;
    const address = redisAddress(lease.redis, environment);
    const packages = await loadRedisPackages();
    const patience = { attempts: Infinity, waitsUntil: signal };
    try {
      return new LeasedShards(options, await openRedis(packages, { address, onNews, ...patience }));
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  /** Waits for a free shard. @returns null after the signal */
  async take(signal: AbortSignal): Promise<HeldShard | null> {
    const { settings, lease: times, venue, clock, onNews } = this.options;
    const { of, shard } = settings.sharding!;
    const account = leaseName(settings, venue);
    const store = this.link.client;
    const owner = this.#owner;
    const options = { ...times, store, clock, owner, account, of, shard, onNews };
    const lease = await ShardLease.take(options, signal);
    if (lease === null) return null;
    onNews(`shard ${lease.shard} of ${of} is leased, fence ${lease.fence}`);
    return new HeldShard(lease, clock, onNews);
  }

  close(): void {
    this.link.close();
  }
}

/**
 * A person resumes the account: its shards are leased again.
 * @returns whether they were not
 * @throws RedisError when Redis cannot be reached or refuses; UsageError for no address, or without the optional packages
 */
export async function resumeLeases({
  settings,
  venue,
  lease,
  environment,
  onNews,
}: Omit<ShardingOptions, 'clock' | 'signal'>): Promise<boolean> {
  const address = redisAddress(lease.redis, environment);
  const link = await openRedis(await loadRedisPackages(), { address, onNews });
  try {
    return await unlatch(link.client, leaseName(settings, venue));
  } finally {
    link.close();
  }
}

/** A bot whose lease may end. */
type LeasedBot = Pick<Bot, 'stop' | 'abandon' | 'ended' | 'killed'>;

export class HeldShard {
  readonly shard: number;
  #isLost = false;

  constructor(
    private readonly lease: Pick<
      ShardLease,
      'shard' | 'isOver' | 'isTaken' | 'isExpired' | 'latch' | 'review' | 'giveBack'
    >,
    private readonly clock: Pick<Clock, 'now' | 'at'>,
    private readonly onNews: News,
  ) {
    this.shard = lease.shard;
  }

  /** Whether the lease ended while the bot ran. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Asked before an order leaves. */
  readonly objection = (): string | null =>
    this.lease.isOver ? `the lease of shard ${this.shard} is over` : null;

  /** No bot was started. */
  giveBack(): Promise<void> {
    return this.lease.giveBack();
  }

  /** Renews from now on. @returns a function that ends it */
  renew(): () => void {
    return startPulse(this.clock, () => this.lease.review());
  }

  /**
   * Stops the bot when the lease ends. A bot that ended with proof gives its shard back; nobody takes it while its kill switch is
   * latched.
   */
  async watch(bot: LeasedBot): Promise<void> {
    const stop = startPulse(this.clock, () => this.#look(bot));
    const { outcome } = await bot.ended;
    stop();
    this.#latch(bot);
    if (outcome === 'clean' && !this.lease.isTaken) await this.lease.giveBack();
    else this.lease.review();
  }

  #latch({ killed }: LeasedBot): void {
    this.lease.latch(killed === null ? null : `on ${hostname()}: ${killed}`);
  }

  /** Past its lease it cancels nothing any more: the orders may be those of the next owner. */
  #look(bot: LeasedBot): void {
    this.#latch(bot);
    const { isTaken, isOver, isExpired } = this.lease;
    if (!isOver) return;
    const text = isTaken
      ? `another process has shard ${this.shard} now, and cancels what is left`
      : isExpired
        ? `the lease of shard ${this.shard} has ended: the process that takes it cancels what is left`
        : `the lease of shard ${this.shard} could not be renewed in time: withdrawing`;
    if (!this.#isLost) this.onNews(text);
    if (isTaken || isExpired) bot.abandon(text);
    else if (!this.#isLost) bot.stop(text);
    this.#isLost = true;
  }
}
