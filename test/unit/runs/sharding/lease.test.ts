import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../../src/domain/units.js';
import { type LeaseOptions, type LeaseStore, ShardLease } from '../../../../src/runs/sharding/lease.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';

const LEASE_MS = 6_000;
const WITHDRAW_MS = 2_000;

/** What the scripts do, with the clock of the test; `isAway`: nothing is answered. */
class Store {
  readonly keys = new Map<string, { owner: string; until: number }>();
  readonly fences = new Map<string, number>();
  isAway = false;

  constructor(private readonly clock: VirtualClock) {}

  readonly eval = ((script: string, count: number, ...given: (string | number)[]) => {
    if (this.isAway) return new Promise(() => undefined);
    const keys = given.slice(0, count) as string[];
    const [owner, leaseMs] = given.slice(count) as [string, number];
    return Promise.resolve(
      script.includes('INCR')
        ? this.#take(keys, owner, leaseMs)
        : this.#held(script, keys[0]!, owner, leaseMs),
    );
  }) as unknown as LeaseStore['eval'];

  #owner(key: string): string | null {
    const held = this.keys.get(key);
    return held === undefined || held.until <= this.clock.now() ? null : held.owner;
  }

  #take(keys: readonly string[], owner: string, leaseMs: number): [number, number] | null {
    const at = keys.findIndex((key) => this.#owner(key) === null);
    if (at < 0) return null;
    const key = keys[at]!;
    this.fences.set(key, (this.fences.get(key) ?? 0) + 1);
    this.keys.set(key, { owner, until: this.clock.now() + leaseMs * 1_000 });
    return [at + 1, this.fences.get(key)!];
  }

  #held(script: string, key: string, owner: string, leaseMs: number): number {
    const found = this.#owner(key);
    if (script.includes('DEL')) return found === owner && this.keys.delete(key) ? 1 : 0;
    if (found !== null && found !== owner) return 0;
    this.keys.set(key, { owner, until: this.clock.now() + leaseMs * 1_000 });
    return 1;
  }
}

function scene() {
  const clock = new VirtualClock(1_000_000 as Micros);
  const store = new Store(clock);
  const news: string[] = [];
  const options: LeaseOptions = {
    store,
    clock,
    account: 'venue-play_money-key',
    of: 2,
    shard: null,
    leaseMs: LEASE_MS,
    withdrawMs: WITHDRAW_MS,
    onNews: (text) => void news.push(text),
  };
  /** Time passes, and promises settle. @param lease reviewed as a bot does */
  const pass = async (ms: number, lease: ShardLease | null = null): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 250) {
      clock.advanceTo((clock.now() + 250_000) as Micros);
      lease?.review();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
  };
  /** Every shard had an owner before, so that nobody waits for one that Redis may have forgotten. */
  const known = (): void => {
    for (const shard of [1, 2]) store.fences.set(`oddsmith:shard:venue-play_money-key:${shard}of2`, 1);
  };
  const take = (more: Partial<LeaseOptions> = {}, signal = new AbortController().signal) =>
    ShardLease.take({ ...options, ...more }, signal);
  return { clock, store, news, pass, known, take };
}

describe('a lease of a shard', () => {
  it('gives each process another shard, and one more process none until an owner is gone', async () => {
    const { known, take, pass, news } = scene();
    known();
    const [one, two] = [await take(), await take()];
    expect([one!.shard, two!.shard]).toEqual([1, 2]);
    const third = take();
    await pass(LEASE_MS - 1_000, two);
    expect(news).toContain('all 2 shards are taken; waiting for a free one');
    await pass(2_500, two);
    expect((await third)!.shard).toBe(1);
    expect((await third)!.fence).toBe(3);
  });

  it('keeps its shard while it renews, and is over so long before the end that a withdrawal fits', async () => {
    const { known, take, pass, store } = scene();
    known();
    const lease = (await take())!;
    await pass(10 * LEASE_MS, lease);
    expect(lease.isOver).toBe(false);
    store.isAway = true;
    await pass(LEASE_MS - WITHDRAW_MS - 1_500, lease);
    expect(lease.isOver).toBe(false);
    await pass(1_500, lease);
    expect([lease.isOver, lease.isTaken]).toEqual([true, false]);
    store.isAway = false;
    const next = take({ shard: lease.shard });
    await pass(250);
    expect(await Promise.race([next, Promise.resolve('waits')])).toBe('waits');
  });

  it('is over at once when another process has the shard', async () => {
    const { known, take, pass, store } = scene();
    known();
    const lease = (await take())!;
    for (const key of store.keys.keys()) store.keys.set(key, { owner: 'another', until: Infinity });
    await pass(1_500, lease);
    expect([lease.isOver, lease.isTaken]).toEqual([true, true]);
  });

  it('waits for one lease where Redis knows no earlier owner: it may have forgotten one that quotes', async () => {
    const { take, pass, news } = scene();
    const lease = take();
    await pass(LEASE_MS - 500);
    expect(await Promise.race([lease, Promise.resolve('waits')])).toBe('waits');
    await pass(2_000);
    expect((await lease)!.isOver).toBe(false);
    expect(news[0]).toMatch(/knows no earlier owner of shard 1: quoting begins after 6 s/);
  });

  it('is free at once when it is given back, and takes none after a signal', async () => {
    const { known, take, pass } = scene();
    known();
    const lease = (await take({ shard: 2 }))!;
    await lease.giveBack();
    const [one, two] = [await take({ shard: 2 }), await take({ shard: 1 })];
    expect([one!.shard, two!.shard]).toEqual([2, 1]);
    const stop = new AbortController();
    const none = take({}, stop.signal);
    await pass(500);
    stop.abort();
    expect(await none).toBeNull();
  });
});
