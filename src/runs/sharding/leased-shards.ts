/** The shards of an account that processes lease over Redis: one is taken, and held while its bot runs. */
import type { Clock } from '../../core/ports/clock.js';
import { leaseName } from '../../ops/state/account-folder.js';
import type { BotSettings, Environment, LeaseSettings, VenueSettings } from '../../settings/index.js';
import { startPulse } from '../live/account-files.js';
import type { Bot } from '../live/bot.js';
import {
  loadRedisPackages,
  type News,
  openRedis,
  redisAddress,
  type RedisLink,
} from '../sweep/redis/connection.js';
import { ShardLease } from './lease.js';

export interface ShardingOptions {
  readonly settings: BotSettings;
  readonly lease: LeaseSettings;
  readonly venue: VenueSettings;
  /** May have the password. */
  readonly environment: Environment;
  readonly clock: Clock;
  readonly onNews: News;
}

export class LeasedShards {
  private constructor(
    private readonly options: ShardingOptions,
    private readonly link: RedisLink,
  ) {}

  /** @throws RedisError when Redis cannot be reached or refuses; UsageError for no address, or without the optional packages */
  static async open(options: ShardingOptions): Promise<LeasedShards> {
    const { lease, environment, onNews } = options;
    const address = redisAddress(lease.redis, environment);
    const packages = await loadRedisPackages();
    return new LeasedShards(options, await openRedis(packages, { address, onNews, attempts: Infinity }));
  }

  /** Waits for a free shard. @returns null after the signal */
  async take(signal: AbortSignal): Promise<HeldShard | null> {
    const { settings, lease: times, venue, clock, onNews } = this.options;
    const { of, shard } = settings.sharding!;
    const account = leaseName(settings, venue);
    const store = this.link.client;
    const lease = await ShardLease.take({ ...times, store, clock, account, of, shard, onNews }, signal);
    if (lease === null) return null;
    onNews(`shard ${lease.shard} of ${of} is leased, fence ${lease.fence}`);
    return new HeldShard(lease, clock, onNews);
  }

  close(): void {
    this.link.close();
  }
}

/** A bot whose lease may end. */
type LeasedBot = Pick<Bot, 'stop' | 'abandon' | 'ended'>;

export class HeldShard {
  readonly shard: number;
  #isLost = false;

  constructor(
    private readonly lease: Pick<ShardLease, 'shard' | 'isOver' | 'isTaken' | 'review' | 'giveBack'>,
    private readonly clock: Clock,
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

  /** Renews from now on. @returns a function that ends it */
  renew(): () => void {
    return startPulse(this.clock, () => this.lease.review());
  }

  /** Stops the bot when the lease ends. A bot that ended with proof gives its shard back. */
  async watch(bot: LeasedBot): Promise<void> {
    const stop = startPulse(this.clock, () => this.#look(bot));
    const { outcome } = await bot.ended;
    stop();
    if (outcome === 'clean' && !this.lease.isTaken) await this.lease.giveBack();
  }

  #look(bot: LeasedBot): void {
    const { isTaken, isOver } = this.lease;
    if (!isOver) return;
    const text = isTaken
      ? `another process has shard ${this.shard} now, and cancels what is left`
      : `the lease of shard ${this.shard} could not be renewed in time: withdrawing`;
    if (!this.#isLost) this.onNews(text);
    if (isTaken) bot.abandon(text);
    else if (!this.#isLost) bot.stop(text);
    this.#isLost = true;
  }
}
