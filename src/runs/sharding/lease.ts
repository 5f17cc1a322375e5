/**
 * A lease of one shard in Redis: whoever holds it trades the events of the shard. A process that cannot renew withdraws
 * before the lease is over, so that nobody else trades there at the same time. Time is counted as it passes, sleep of the
 * machine included: no wall clock decides, here or in Redis.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Clock } from '../../core/ports/clock.js';
import type { LeaseSettings, Shard } from '../../settings/index.js';
import type { Micros } from '../../domain/units.js';

/** What a lease needs of Redis. */
export type LeaseStore = Pick<Redis, 'eval'>;

export interface LeaseOptions extends Pick<LeaseSettings, 'leaseMs' | 'withdrawMs'> {
  readonly store: LeaseStore;
  readonly clock: Pick<Clock, 'now' | 'at'>;
  /** Of the account at its venue: all its processes say the same. */
  readonly account: string;
  readonly of: number;
  /** The only one that is wanted; null: any that is free. */
  readonly shard: number | null;
  readonly onNews: (text: string) => void;
}

/** Renewals in the time of a lease. */
const RENEWALS = 6;
const WAITING_TELLS_EVERY_MS = 60_000;

/** Takes the first free shard of KEYS. @returns which one and its fence, or nothing */
const TAKE = `
for at, key in ipairs(KEYS) do
  if redis.call('SET', key, ARGV[1], 'NX', 'PX', ARGV[2]) then
    return { at, redis.call('INCR', key .. ':fence') }
  end
end
return false`;

/** A lease that Redis has forgotten and nobody took is taken again. */
const RENEW = `
local owner = redis.call('GET', KEYS[1])
if owner == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if owner then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

const GIVE_BACK = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

const keyOf = ({ account }: Pick<LeaseOptions, 'account'>, { shard, of }: Shard): string =>
  `oddsmith:shard:${account}:${shard}of${of}`;

export class ShardLease {
  /** Grows with every owner of the shard. */
  readonly fence: number;
  readonly shard: number;
  readonly #options: LeaseOptions;
  readonly #owner: string;
  /** Redis gives the shard to nobody else before. */
  #heldUntil: number;
  #isTaken = false;
  #isGivenBack = false;
  #isRenewing = false;
  #nextRenewal = 0;

  private constructor(
    options: LeaseOptions,
    owner: string,
    taken: { readonly shard: number; readonly fence: number; readonly heldUntil: number },
  ) {
    this.#options = options;
    this.#owner = owner;
    this.shard = taken.shard;
    this.fence = taken.fence;
    this.#heldUntil = taken.heldUntil;
    this.#nextRenewal = options.clock.now() + this.#renewEveryUs;
  }

  /**
   * Waits for a free shard.
   * @returns null after the signal
   */
  static async take(options: LeaseOptions, signal: AbortSignal): Promise<ShardLease | null> {
    const { shard: wanted, of, leaseMs, onNews, clock } = options;
    const owner = `${hostname()}:${process.pid}:${randomBytes(8).toString('hex')}`;
    const shards = wanted === null ? Array.from({ length: of }, (_, at) => at + 1) : [wanted];
    const everyMs = leaseMs / RENEWALS;
    for (let waited = 0; !signal.aborted; waited += everyMs) {
      const lease = await ShardLease.#tryTake(options, owner, shards);
      if (lease !== null) return lease.#trusted(signal);
      if (waited % WAITING_TELLS_EVERY_MS < everyMs)
        onNews(
          `${wanted === null ? `all ${of} shards are` : `shard ${wanted} is`} taken; waiting for a free one`,
        );
      await pause(clock, everyMs, signal);
    }
    return null;
  }

  static async #tryTake(
    options: LeaseOptions,
    owner: string,
    shards: readonly number[],
  ): Promise<ShardLease | null> {
    const { store, clock, of, leaseMs } = options;
    const keys = shards.map((shard) => keyOf(options, { shard, of }));
    const sentAt = clock.now();
    const found = (await store.eval(TAKE, keys.length, ...keys, owner, leaseMs)) as [number, number] | null;
    if (found === null) return null;
    const [at, fence] = found;
    const heldUntil = sentAt + leaseMs * 1_000;
    const lease = new ShardLease(options, owner, { shard: shards[at - 1]!, fence, heldUntil });
    if (!lease.isOver) return lease;
    // Redis was away, and the answer took too long.
    await lease.giveBack();
    return null;
  }

  /** A Redis that knows no earlier owner may have lost its memory, and the owner may quote: one lease is waited for. */
  async #trusted(signal: AbortSignal): Promise<ShardLease | null> {
    const { clock, leaseMs, onNews } = this.#options;
    if (this.fence > 1) return this;
    onNews(`Redis knows no earlier owner of shard ${this.shard}: quoting begins after ${leaseMs / 1_000} s`);
    const until = clock.now() + leaseMs * 1_000;
    while (clock.now() < until && !signal.aborted) {
      await pause(clock, Math.min(leaseMs / RENEWALS, (until - clock.now()) / 1_000), signal);
      await this.#renew();
    }
    if (!signal.aborted) return this;
    await this.giveBack();
    return null;
  }

  /** Whether another process has the shard. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Whether nothing may be quoted any more: another process has the shard, or the lease could not be renewed in time. */
  get isOver(): boolean {
    const { clock, withdrawMs } = this.#options;
    return this.#isTaken || clock.now() >= this.#heldUntil - withdrawMs * 1_000;
  }

  /** To be called several times a second: renews when it is due. */
  review(): void {
    const { clock } = this.#options;
    if (this.#isTaken || this.#isGivenBack || this.#isRenewing || clock.now() < this.#nextRenewal) return;
    void this.#renew();
  }

  /** The shard is withdrawn and free at once; a Redis that cannot be reached frees it when the lease is over. */
  async giveBack(): Promise<void> {
    this.#isGivenBack = true;
    await this.#ask(GIVE_BACK);
  }

  get #renewEveryUs(): number {
    return (this.#options.leaseMs * 1_000) / RENEWALS;
  }

  async #renew(): Promise<void> {
    const { clock, leaseMs } = this.#options;
    const sentAt = clock.now();
    this.#isRenewing = true;
    this.#nextRenewal = sentAt + this.#renewEveryUs;
    const renewed = await this.#ask(RENEW, leaseMs);
    this.#isRenewing = false;
    if (renewed === 1) this.#heldUntil = Math.max(this.#heldUntil, sentAt + leaseMs * 1_000);
    if (renewed === 0 && !this.#isGivenBack) this.#isTaken = true;
  }

  /** @returns null when Redis does not answer in time */
  async #ask(script: string, ...values: readonly number[]): Promise<number | null> {
    const { store, of, clock, leaseMs } = this.#options;
    const key = keyOf(this.#options, { shard: this.shard, of });
    const answered = new AbortController();
    const asked = store.eval(script, 1, key, this.#owner, ...values) as Promise<number>;
    try {
      const late = pause(clock, leaseMs / RENEWALS, answered.signal).then(() => null);
      return await Promise.race([asked.catch(() => null), late]);
    } finally {
      answered.abort();
    }
  }
}

function pause(clock: Pick<Clock, 'now' | 'at'>, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.at((clock.now() + ms * 1_000) as Micros, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
