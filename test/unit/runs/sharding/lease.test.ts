import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadBotSettings } from '../../../../src/settings/index.js';
import type { Micros } from '../../../../src/domain/units.js';
import { type LeaseOptions, type LeaseStore, ShardLease } from '../../../../src/runs/sharding/lease.js';
import type { Bot } from '../../../../src/runs/live/bot.js';
import { HeldShard, requireSameLease } from '../../../../src/runs/sharding/leased-shards.js';
import type { EndEffect } from '../../../../src/domain/effects.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';

const FILE = fileURLToPath(new URL('../../../../config/local.yaml', import.meta.url));
const LEASE_MS = 6_000;
const WITHDRAW_MS = 2_000;

/** What the scripts do, with the clock of the test; `isAway`: nothing is answered. Redis itself is asked in `test/integration`. */
class Store {
  readonly keys = new Map<string, { owner: string; until: number }>();
  readonly fences = new Map<string, number>();
  killed = '';
  readonly runs = new Map<string, string>();
  run = 'first';
  isAway = false;

  constructor(private readonly clock: VirtualClock) {}

  readonly eval = ((script: string, count: number, ...given: (string | number)[]) => {
    if (this.isAway) return new Promise(() => undefined);
    const keys = given.slice(0, count) as string[];
    const values = given.slice(count);
    const [owner, fence] = values as [string, number];
    const key = keys[0]!;
    return Promise.resolve(
      script.includes('INCR')
        ? this.#take(keys.slice(2), values as [string, number, number])
        : script.includes('PX')
          ? this.#renew(key, owner, values.slice(1) as number[])
          : count === 1
            ? this.#latch(owner ?? '')
            : this.#giveBack(key, owner, fence),
    );
  }) as unknown as LeaseStore['eval'];

  #owner(key: string): string | null {
    const held = this.keys.get(key);
    return held === undefined || held.until <= this.clock.now() ? null : held.owner;
  }

  #take(keys: readonly string[], [owner, leaseMs]: readonly [string, number, number]): unknown[] {
    if (this.killed !== '') return ['killed', this.killed];
    const own = keys.findIndex((key) => this.#owner(key) === owner);
    const at = own >= 0 ? own : keys.findIndex((key) => this.#owner(key) === null);
    if (at < 0) return ['none'];
    const key = keys[at]!;
    this.fences.set(key, (this.fences.get(key) ?? 0) + 1);
    this.keys.set(key, { owner, until: this.clock.now() + leaseMs * 1_000 });
    return ['taken', at + 1, this.fences.get(key)!, this.runs.get(key) === this.run ? 1 : 0];
  }

  #renew(key: string, owner: string, given: readonly number[]): number {
    const [fence, leaseMs, , isTrusted] = given as [number, number, number, number];
    const found = this.#owner(key);
    if ((found !== null && found !== owner) || (this.fences.get(key) ?? 0) > fence) return 0;
    this.fences.set(key, fence);
    if (isTrusted === 1) this.runs.set(key, this.run);
    this.keys.set(key, { owner, until: this.clock.now() + leaseMs * 1_000 });
    return 1;
  }

  #latch(killed: string): number {
    this.killed = killed;
    return 1;
  }

  #giveBack(key: string, owner: string, fence: number): number {
    return this.#owner(key) === owner && this.fences.get(key) === fence && this.keys.delete(key) ? 1 : 0;
  }
}

function scene() {
  const clock = new VirtualClock(1_000_000 as Micros);
  const store = new Store(clock);
  const news: string[] = [];
  const options: LeaseOptions = {
    store,
    clock,
    owner: '',
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
    for (const key of [1, 2].map((shard) => `oddsmith:shard:venue-play_money-key:${shard}of2`)) {
      store.fences.set(key, 1);
      store.runs.set(key, store.run);
    }
  };
  let processes = 0;
  const take = (more: Partial<LeaseOptions> = {}, signal = new AbortController().signal) =>
    ShardLease.take({ ...options, owner: `process ${(processes += 1)}`, ...more }, signal);
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
    expect(news[0]).toMatch(/may have forgotten the last owner of shard 1: quoting begins after 6 s/);
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

  it('is not renewed once somebody else had it in between, and stays over where it was over once', async () => {
    const { known, take, pass, store, clock } = scene();
    known();
    const asleep = (await take({ shard: 1 }))!;
    clock.advanceTo((clock.now() + LEASE_MS * 1_000) as Micros);
    const between = (await take({ shard: 1 }))!;
    await between.giveBack();
    await pass(1_500, asleep);
    expect(asleep.isTaken).toBe(true);

    const slow = (await take({ shard: 2 }))!;
    clock.advanceTo((clock.now() + (LEASE_MS - WITHDRAW_MS) * 1_000) as Micros);
    await pass(2 * LEASE_MS, slow);
    expect([slow.isOver, slow.isTaken, slow.isExpired]).toEqual([true, false, false]);
    expect(store.keys.size).toBe(1);
  });

  it('waits for one lease in a Redis that began anew: what it remembers may be old, whoever waited there in vain', async () => {
    const { known, take, pass, store, news } = scene();
    known();
    store.run = 'second';
    const stop = new AbortController();
    const vain = take({}, stop.signal);
    await pass(LEASE_MS - 500);
    stop.abort();
    expect(await vain).toBeNull();
    const lease = take();
    await pass(LEASE_MS - 500);
    expect(await Promise.race([lease, Promise.resolve('waits')])).toBe('waits');
    await pass(2_000);
    expect((await lease)!.isOver).toBe(false);
    expect(news).toHaveLength(2);
    expect((await lease)!.fence).toBe(3);
  });

  it('is taken by the process whose earlier question Redis answered too late, which held it for nobody', async () => {
    const { known, take, pass, store } = scene();
    known();
    const [asked, ask] = [[] as (() => unknown)[], store.eval];
    (store as { eval: unknown }).eval = (...question: Parameters<typeof ask>) => {
      asked.push(() => ask(...question));
      return new Promise(() => undefined);
    };
    const lease = take({ shard: 1 });
    await pass(2_000);
    for (const late of asked) late();
    (store as { eval: unknown }).eval = ask;
    await pass(2_500);
    expect(await Promise.race([lease, Promise.resolve('waits')])).toMatchObject({ shard: 1 });
  });
});

const KILLED = 'maxLoss';

describe('a bot with a leased shard', () => {
  /** @param killed its kill switch */
  async function held(killed: Bot['killed'] = null) {
    const all = scene();
    all.known();
    const lease = (await all.take({ shard: 1 }))!;
    const said: string[] = [];
    let end: (effect: EndEffect) => void = () => undefined;
    const bot = {
      killed,
      ended: new Promise<EndEffect>((resolve) => (end = resolve)),
      stop: () => void said.push('stop'),
      abandon: () => void said.push('abandon'),
    };
    const shard = new HeldShard(lease, all.clock, () => undefined);
    const stopRenewal = shard.renew();
    const watched = shard.watch(bot);
    const ends = async (outcome: EndEffect['outcome']): Promise<void> => {
      end({ kind: 'end', outcome, text: '' });
      await all.pass(1_500);
      await watched;
      stopRenewal();
    };
    return { ...all, bot, said, shard, ends };
  }

  it('withdraws when Redis is lost, and cancels nothing once its lease has ended', async () => {
    const { store, pass, said, shard } = await held();
    await pass(2_000);
    store.isAway = true;
    await pass(LEASE_MS - WITHDRAW_MS);
    expect(said).toEqual(['stop']);
    expect(shard.objection()).toMatch(/the lease of shard 1 is over/);
    await pass(WITHDRAW_MS - 1_250);
    expect(said).toEqual(['stop']);
    await pass(1_500);
    expect(said).toContain('abandon');
  });

  it('keeps every process from its account while its kill switch is latched', async () => {
    const { bot, ends, take, pass, news } = await held();
    bot.killed = KILLED;
    await ends('clean');
    const next = take();
    await pass(2 * LEASE_MS);
    expect(await Promise.race([next, Promise.resolve('waits')])).toBe('waits');
    expect(news).toContainEqual(expect.stringMatching(/kill switch .* is latched \(on .*: maxLoss\)/));
  });

  it('gives its shard back when a person has resumed it', async () => {
    const { bot, ends, take, pass } = await held(KILLED);
    await pass(1_000);
    expect(await Promise.race([take(), pass(500).then(() => 'waits')])).toBe('waits');
    bot.killed = null;
    await pass(1_000);
    await ends('clean');
    expect((await take({ shard: 1 }))!.fence).toBe(3);
  });

  it('keeps its shard, killed, when Redis cannot be told', async () => {
    const { bot, ends, store, pass } = await held();
    store.isAway = true;
    bot.killed = KILLED;
    await ends('clean');
    store.isAway = false;
    await pass(500);
    expect(store.keys.size).toBe(1);
  });
});

describe('a file that is read again once a shard was leased', () => {
  const loaded = (sharding: string) =>
    loadBotSettings(FILE, { ODDSMITH_PRIVATE_KEY: 'key' }, [`sharding=${sharding}`]);
  const LEASED = '{ of: 2, lease: { redis: "redis://one" } }';

  it.each([
    ['{ of: 3, lease: { redis: "redis://one" } }'],
    ['{ of: 2, lease: { redis: "redis://two" } }'],
    ['{ of: 2 }'],
  ])('is refused when it means another lease: %s', (sharding) => {
    const { settings } = loaded(LEASED);
    const taken = { settings, venue: settings.venue! };
    expect(() => requireSameLease(taken, loaded(sharding), 'bot.yaml')).toThrow(/bot\.yaml states another/);
    const same = loaded('{ of: 2, shard: 1, lease: { redis: "redis://one" } }');
    expect(() => requireSameLease(taken, same, 'bot.yaml')).not.toThrow();
  });
});
