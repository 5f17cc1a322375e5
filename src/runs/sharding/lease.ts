/**
 * A lease of one shard in Redis: whoever holds it trades the events of the shard. A process that cannot renew withdraws
 * before the lease is over, so that nobody else trades there at the same time. Time is counted as it passes, sleep of the
 * machine included: no wall clock decides, here or in Redis.
 */
import type { Redis } from 'ioredis';
import type { Clock } from '../../core/ports/clock.js';
import type { LeaseSettings, Shard } from '../../settings/index.js';
import { pauseFor } from '../../storage/clocks/pause.js';

/** What a lease needs of Redis. */
export type LeaseStore = Pick<Redis, 'eval'>;

export interface LeaseOptions extends Pick<LeaseSettings, 'leaseMs' | 'withdrawMs'> {
  readonly store: LeaseStore;
  readonly clock: Pick<Clock, 'now' | 'at'>;
  /** This process, by a name that no other has. */
  readonly owner: string;
  /** Of the account at its venue: all its processes say the same. */
  readonly account: string;
  readonly of: number;
  /** The only one that is wanted; null: any that is free. */
  readonly shard: number | null;
  readonly onNews: (text: string) => void;
}

/** Renewals in the time of a lease. */
const RENEWALS = 6;
/** How often one who waits looks for a free shard, at most. */
const LOOK_MS = 5_000;
const WAITING_TELLS_EVERY_MS = 60_000;

/**
 * Takes the first free shard of the KEYS after the first two, or the one that an answer of Redis gave us too late. The first
 * two are those of the whole account: its kill switch, and how it is divided.
 * @returns which one, its fence, and whether this very Redis has kept it since its last owner; or why there is none
 */
const TAKE = `
local killed = redis.call('GET', KEYS[1])
if killed then return { 'killed', killed } end
local of = redis.call('GET', KEYS[2])
if of and of ~= ARGV[3] then return { 'divided', of } end
local found
for at = 3, #KEYS do
  local owner = redis.call('GET', KEYS[at])
  if owner == ARGV[1] then found = at break end
  if not owner and not found then found = at end
end
if not found then return { 'none' } end
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[2])
redis.call('SET', KEYS[found], ARGV[1], 'PX', ARGV[2])
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local isKept = redis.call('GET', KEYS[found] .. ':run') == run
return { 'taken', found - 2, redis.call('INCR', KEYS[found] .. ':fence'), isKept and 1 or 0 }`;

type Taking =
  | readonly ['taken', at: number, fence: number, isKept: 0 | 1]
  | readonly ['killed' | 'divided', string]
  | readonly ['none'];

/**
 * A lease that Redis has forgotten is taken again, unless somebody had it since. An owner that may quote notes which run of
 * Redis has the lease.
 */
const RENEW = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
local fence = tonumber(redis.call('GET', KEYS[1] .. ':fence') or 0)
if fence > tonumber(ARGV[2]) then return 0 end
local of = redis.call('GET', KEYS[2])
if of and of ~= ARGV[4] then return 0 end
if fence < tonumber(ARGV[2]) then redis.call('SET', KEYS[1] .. ':fence', ARGV[2]) end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[3])
if ARGV[5] == '1' then
  redis.call('SET', KEYS[1] .. ':run', string.match(redis.call('INFO', 'server'), 'run_id:(%w+)'))
end
return 1`;

const GIVE_BACK = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call('GET', KEYS[1] .. ':fence') ~= ARGV[2] then return 0 end
return redis.call('DEL', KEYS[1])`;

/** The kill switch of the account, for all who would take a shard. */
const LATCH = `redis.call('SET', KEYS[1], ARGV[1]) return 1`;
const UNLATCH = `return redis.call('DEL', KEYS[1])`;

type Account = Pick<LeaseOptions, 'account'>;

const keyOf = ({ account }: Account, { shard, of }: Shard): string =>
  `oddsmith:shard:${account}:${shard}of${of}`;
const divisionKey = ({ account }: Account): string => `oddsmith:division:${account}`;
const killKey = ({ account }: Account): string => `oddsmith:kill:${account}`;

/** Lets shards of the account be taken again. @returns whether the kill switch was latched */
export const unlatch = async (store: LeaseStore, account: string): Promise<boolean> =>
  (await store.eval(UNLATCH, 1, killKey({ account }))) === 1;

export class ShardLease {
  /** Grows with every owner of the shard. */
  readonly fence: number;
  readonly shard: number;
  readonly #options: LeaseOptions;
  /** Redis gives the shard to nobody else before. */
  #heldUntil: number;
  #isTaken = false;
  /** Nobody else can have it. */
  #isTrusted = false;
  /** It was over once, and stays so: somebody else may have traded since. */
  #wasOver = false;
  #isGivenBack = false;
  #isRenewing = false;
  #nextRenewal = 0;
  /** Why the bot is killed; null: it is not. */
  #killed: string | null = null;
  /** The same as Redis knows it. */
  #killedThere: string | null = null;
  #isLatching = false;

  private constructor(
    options: LeaseOptions,
    taken: { readonly shard: number; readonly fence: number; readonly heldUntil: number },
  ) {
    this.#options = options;
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
    const { leaseMs, onNews, clock } = options;
    const everyMs = Math.min(LOOK_MS, leaseMs / RENEWALS);
    for (let waited = 0; !signal.aborted; waited += everyMs) {
      const found = await ShardLease.#tryTake(options, signal);
      if (found instanceof ShardLease) return found;
      if (found !== null && waited % WAITING_TELLS_EVERY_MS < everyMs) onNews(found);
      await pauseFor(clock, everyMs, signal);
    }
    return null;
  }

  /** @returns why there is none, for people; null where there is nothing to say */
  static async #tryTake(options: LeaseOptions, signal: AbortSignal): Promise<ShardLease | string | null> {
    const { clock, of, shard: wanted, leaseMs, owner } = options;
    const shards = wanted === null ? Array.from({ length: of }, (_, at) => at + 1) : [wanted];
    const keys = [
      killKey(options),
      divisionKey(options),
      ...shards.map((shard) => keyOf(options, { shard, of })),
    ];
    const sentAt = clock.now();
    const answer = await ask<Taking>(options, TAKE, keys, [owner, leaseMs, of], signal);
    if (answer === null) return signal.aborted ? null : 'Redis does not answer; waiting for it';
    if (answer[0] !== 'taken') return whyNone(answer, options);
    const [, at, fence, isKept] = answer;
    const heldUntil = sentAt + leaseMs * 1_000;
    const lease = new ShardLease(options, { shard: shards[at - 1]!, fence, heldUntil });
    if (!lease.isOver && (await lease.#becomesTrusted(isKept === 1, signal))) return lease;
    if (!lease.isTaken) await lease.giveBack();
    return null;
  }

  /**
   * A Redis that began since the last owner renewed, or that never knew one, may have lost its memory, and that owner may quote:
   * one lease is waited for.
   * @returns whether the lease is held then
   */
  async #becomesTrusted(isKept: boolean, signal: AbortSignal): Promise<boolean> {
    const { clock, leaseMs, onNews } = this.#options;
    this.#isTrusted = isKept;
    if (isKept) return true;
    onNews(
      `Redis may have forgotten the last owner of shard ${this.shard}: quoting begins after ${leaseMs / 1_000} s`,
    );
    const until = clock.now() + leaseMs * 1_000;
    while (clock.now() < until && !signal.aborted && !this.isOver) {
      await pauseFor(clock, Math.min(leaseMs / RENEWALS, (until - clock.now()) / 1_000), signal);
      await this.#renew();
    }
    this.#isTrusted = !signal.aborted && !this.isOver;
    return this.#isTrusted;
  }

  /** Whether another process has the shard. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Whether nothing may be quoted any more: another process has the shard, or the lease could not be renewed in time. */
  get isOver(): boolean {
    const { clock, withdrawMs } = this.#options;
    return this.#isTaken || this.#wasOver || clock.now() >= this.#heldUntil - withdrawMs * 1_000;
  }

  /** Whether another process may have the shard by now, as far as is known here. */
  get isExpired(): boolean {
    return this.#options.clock.now() >= this.#heldUntil;
  }

  /** The kill switch of the bot: while it is latched, nobody takes a shard of the account. */
  latch(killed: string | null): void {
    this.#killed = killed;
  }

  /** To be called several times a second: renews when it is due. */
  review(): void {
    this.#wasOver = this.isOver;
    const { clock } = this.#options;
    if (this.#killed !== this.#killedThere && !this.#isLatching) void this.#keepLatch();
    if (this.#isTaken || this.#isGivenBack || this.#isRenewing || clock.now() < this.#nextRenewal) return;
    void this.#renew();
  }

  /**
   * The shard is withdrawn and free at once; a Redis that cannot be reached frees it when the lease is over. While the kill
   * switch is latched, it is given back only once Redis says so to all.
   */
  async giveBack(): Promise<void> {
    this.#isGivenBack = true;
    if (this.#killed !== null && !(await this.#keepLatch())) return;
    await this.#ask(GIVE_BACK, this.fence);
  }

  get #renewEveryUs(): number {
    return (this.#options.leaseMs * 1_000) / RENEWALS;
  }

  /** @returns whether Redis has it */
  async #keepLatch(): Promise<boolean> {
    const killed = this.#killed;
    this.#isLatching = true;
    const [script, values] = killed === null ? [UNLATCH, []] : [LATCH, [killed]];
    const kept = await ask<number>(this.#options, script, [killKey(this.#options)], values);
    this.#isLatching = false;
    if (kept !== null) this.#killedThere = killed;
    return kept !== null;
  }

  async #renew(): Promise<void> {
    const { clock, leaseMs, of } = this.#options;
    const sentAt = clock.now();
    this.#isRenewing = true;
    this.#nextRenewal = sentAt + this.#renewEveryUs;
    const renewed = await this.#ask(RENEW, this.fence, leaseMs, of, this.#isTrusted ? 1 : 0);
    this.#isRenewing = false;
    if (renewed === 1) this.#heldUntil = Math.max(this.#heldUntil, sentAt + leaseMs * 1_000);
    if (renewed === 0 && !this.#isGivenBack) this.#isTaken = true;
  }

  #ask(script: string, ...values: readonly number[]): Promise<number | null> {
    const { of, owner } = this.#options;
    const keys = [keyOf(this.#options, { shard: this.shard, of }), divisionKey(this.#options)];
    return ask<number>(this.#options, script, keys, [owner, ...values]);
  }
}

/** Why no shard is to be had, for people. */
function whyNone(
  answer: Exclude<Taking, readonly ['taken', ...unknown[]]>,
  { shard, of }: LeaseOptions,
): string {
  const [why, what] = answer;
  if (why === 'killed')
    return `the kill switch of the account is latched (${what}): no shard is taken until oddsmith resume`;
  if (why === 'divided')
    return `the account is divided among ${what} shards, not ${of}, by a process that runs; waiting for its end`;
  return `${shard === null ? `all ${of} shards are` : `shard ${shard} is`} taken; waiting for a free one`;
}

/** @returns null when Redis does not answer in time, or after the signal */
async function ask<Answer>(
  { store, clock, leaseMs, onNews }: Pick<LeaseOptions, 'store' | 'clock' | 'leaseMs' | 'onNews'>,
  script: string,
  keys: readonly string[],
  values: readonly (string | number)[],
  signal?: AbortSignal,
): Promise<Answer | null> {
  const answered = new AbortController();
  const asked = store.eval(script, keys.length, ...keys, ...values) as Promise<Answer>;
  const until = signal === undefined ? answered.signal : AbortSignal.any([signal, answered.signal]);
  try {
    const late = pauseFor(clock, leaseMs / RENEWALS, until).then(() => null);
    const refused = (error: Error): null => {
      if (!answered.signal.aborted) onNews(`Redis refuses what a lease needs: ${error.message}`);
      return null;
    };
    return await Promise.race([asked.catch(refused), late]);
  } finally {
    answered.abort();
  }
}
