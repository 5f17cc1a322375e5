import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Guard, KeyCheck } from '../../../../src/ops/guard/guard.js';
import { clearFence } from '../../../../src/ops/guard/resume.js';
import type { GuardNews } from '../../../../src/ops/guard/guard-news.js';
import { accountPaths } from '../../../../src/ops/state/account-folder.js';
import { accountId } from '../../../../src/domain/ids.js';
import { micros } from '../../../../src/domain/units.js';
import { workIn } from '../../../../src/core/execution/orders/left-behind.js';
import { copyHeartbeat, HeartbeatFile } from '../../../../src/storage/state/heartbeat-file.js';
import { readOpenWork } from '../../../../src/storage/journal/file-journal.js';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import { LeftOrders, LOST } from '../../../support/orders/left-orders.js';
import { EVENT, limitOrder, MARKET } from '../../../support/orders/order-scenario.js';
import { reportOf } from '../../../support/orders/own-order-reports.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { untilSettled } from '../../../support/process/virtual-run.js';

const START = 1_000_000_000;
const SILENCE_MS = 5_000;
const WINDOW_MS = 65_000;
const VENUE = { name: 'venue', baseUrl: 'http://127.0.0.1:1', publicKey: 'pk' };

function scene() {
  const settings = { stateDir: scratchFolder(), currencyMode: 'play_money', venue: VENUE } as const;
  const paths = accountPaths(settings as never, VENUE, accountId(1));
  const clock = new VirtualClock(micros(START));
  const venue = new LeftOrders(clock, [reportOf(limitOrder(40, 10), 1), reportOf(limitOrder(41, 10), 2)]);
  const news: GuardNews[] = [];
  const stop = new AbortController();
  const at = (seconds: number, act: () => void): void =>
    void clock.at(micros(START + seconds * 1_000_000), act);
  /** A bot that beats from its start until it stops doing so. */
  const beatingUntil = (seconds: number, account = 1): HeartbeatFile => {
    const heartbeat = new HeartbeatFile(paths.heartbeat, { runId: 'run-1', account: String(account) });
    for (let beat = 0.25; beat < seconds; beat += 0.25) at(beat, () => heartbeat.beat());
    return heartbeat;
  };
  const tell = (one: GuardNews): void => void news.push(one);
  const guard = new Guard({
    work: () => workIn(readOpenWork(paths.journal), 0),
    paths,
    silenceMs: SILENCE_MS,
    windowMs: WINDOW_MS,
    markets: [{ eventId: EVENT, marketId: MARKET, ownership: 'exclusive' }],
    rest: venue.rest,
    keys: new KeyCheck({ rest: venue.rest, budget: { isScarce: false }, clock, tell }),
    clock,
    tell,
  });
  const runFor = (seconds: number) => {
    at(seconds, () => stop.abort());
    return untilSettled(clock, guard.run(stop.signal));
  };
  const kinds = () => news.map(({ kind }) => kind);
  /** What a person does who has looked. */
  const clear = (even?: 'unproved') => clearFence(settings as never, 'bot.yaml', even);
  return { clear, paths, clock, venue, at, beatingUntil, runFor, kinds, fence: new LatchFile(paths.fence) };
}

describe('a person who clears the fence', () => {
  it('may do so once the guard has proved that nothing stands, and not before', async () => {
    const { beatingUntil, at, runFor, clear, fence, kinds } = scene();
    beatingUntil(10);
    const early: unknown[] = [];
    at(17, () => early.push(clear(), fence.isUp));
    at(100, () => early.push(clear(), fence.isUp));
    expect(await runFor(200)).toBe('idle');
    expect(early).toEqual(['unproved', true, 'cleared', false]);
    expect(kinds().filter((kind) => kind === 'fence-raised')).toHaveLength(1);
    expect(clear()).toBe('none');
  });

  it('may insist where the guard can prove nothing', async () => {
    const { beatingUntil, at, runFor, clear, fence, venue } = scene();
    beatingUntil(10);
    venue.failures.push(...Array.from({ length: 1_000 }, () => LOST));
    at(18, () => {
      expect([clear(), clear('unproved'), fence.isUp]).toEqual(['unproved', 'cleared', false]);
    });
    expect(await runFor(30)).toBe('orders-may-remain');
    expect(fence.isUp).toBe(true);
  });

  it('does not do so for one that is not raised yet: what a bot left that has just died is withdrawn', async () => {
    const { beatingUntil, at, runFor, clear, venue } = scene();
    beatingUntil(10);
    let answer: unknown;
    at(12, () => (answer = clear()));
    expect(await runFor(200)).toBe('fenced');
    expect(answer).toBe('none');
    expect(venue.ids).toEqual([]);
  });
});

describe('a guard', () => {
  it('watches a bot that beats and ends clean, and does nothing', async () => {
    const { beatingUntil, at, runFor, kinds, venue } = scene();
    const heartbeat = beatingUntil(30);
    at(30, () => heartbeat.end('clean'));
    expect(await runFor(60)).toBe('idle');
    expect(kinds()).toEqual(['watching', 'keys-work', 'waiting']);
    expect(venue.ids).toEqual(['1', '2']);
  });

  it('raises the fence before it cancels, and goes on looking until nothing signed can take effect', async () => {
    const { beatingUntil, at, runFor, kinds, venue, fence, clock } = scene();
    beatingUntil(10);
    let isFencedFirst = false;
    at(16, () => (isFencedFirst = fence.isUp));
    at(70, () => void venue.orders.push(reportOf(limitOrder(42, 10), 3)));
    expect(await runFor(200)).toBe('fenced');
    expect(isFencedFirst).toBe(true);
    expect(venue.ids).toEqual([]);
    expect(kinds()).toEqual([
      'watching',
      'keys-work',
      'alarm',
      'fence-raised',
      'cancelled',
      'empty',
      'cancelled',
      'empty',
      'proved',
    ]);
    expect(clock.now()).toBeGreaterThan(START + (10 + WINDOW_MS / 1_000) * 1_000_000);
  });

  it('looks on for what a bot signed whose beats alone had failed, until the fence stood', async () => {
    const { beatingUntil, at, runFor, venue } = scene();
    beatingUntil(10);
    at(15 + WINDOW_MS / 1_000 - 1, () => void venue.orders.push(reportOf(limitOrder(42, 10), 3)));
    expect(await runFor(200)).toBe('fenced');
    expect(venue.ids).toEqual([]);
  });

  it.each(['can', 'cannot'])(
    'looks on for what it signed until a late fence stood where the journal %s be read',
    async (how) => {
      const { beatingUntil, at, runFor, venue, fence, paths } = scene();
      mkdirSync(paths.journal, { recursive: true });
      if (how === 'cannot') writeFileSync(join(paths.journal, 'journal-00000001.ndjson'), 'nonsense\n');
      beatingUntil(10);
      const raising = vi.spyOn(LatchFile.prototype, 'raise').mockImplementation(() => {
        throw new Error('EROFS: read-only file system');
      });
      onTestFinished(() => raising.mockRestore());
      at(120, () => raising.mockRestore());
      at(120 + WINDOW_MS / 1_000 - 1, () => void venue.orders.push(reportOf(limitOrder(42, 10), 3)));
      expect(await runFor(300)).toBe('fenced');
      expect(fence.isUp).toBe(true);
      expect(venue.ids).toEqual([]);
    },
  );

  it('keeps the fence although the bot beats again, until a person clears it; then it watches on', async () => {
    const { beatingUntil, at, runFor, kinds, fence, paths } = scene();
    const heartbeat = beatingUntil(10);
    for (let beat = 20; beat < 300; beat += 0.25) at(beat, () => heartbeat.beat());
    let stoodAt = false;
    at(150, () => {
      stoodAt = fence.isUp;
      copyHeartbeat(paths.heartbeat, paths.accepted);
      fence.clear();
    });
    expect(await runFor(200)).toBe('idle');
    expect(stoodAt).toBe(true);
    expect(kinds().slice(-3)).toEqual(['fence-cleared', 'waiting', 'watching']);
  });

  it('acts on a bot that died before it came itself, and not on one that a person accepted', async () => {
    const first = scene();
    first.beatingUntil(0);
    expect(await first.runFor(100)).toBe('fenced');
    const second = scene();
    second.beatingUntil(0);
    copyHeartbeat(second.paths.heartbeat, second.paths.accepted);
    expect(await second.runFor(100)).toBe('idle');
    expect(second.venue.ids).toEqual(['1', '2']);
  });

  it('finishes what a guard before it began behind a standing fence', async () => {
    const { fence, runFor, kinds, venue } = scene();
    fence.raise({ reason: 'process 1 is gone', at: '2026-07-01T12:00:00.000Z' });
    expect(await runFor(100)).toBe('fenced');
    expect(venue.ids).toEqual([]);
    expect(kinds()[0]).toBe('fence-found');
  });

  it('says early that its keys do not work, raises the fence all the same, and ends in doubt', async () => {
    const { beatingUntil, runFor, kinds, venue, fence } = scene();
    venue.knowsKeys = false;
    beatingUntil(10);
    expect(await runFor(100)).toBe('orders-may-remain');
    expect(kinds().slice(0, 4)).toEqual(['watching', 'keys-fail', 'alarm', 'fence-raised']);
    expect(fence.isUp).toBe(true);
    expect(venue.ids).toEqual(['1', '2']);
  });

  it('says that its keys belong to another account than the bot trades', async () => {
    const { beatingUntil, runFor, kinds } = scene();
    beatingUntil(10, 2);
    await runFor(9);
    expect(kinds()).toEqual(['watching', 'keys-work', 'other-account']);
  });
});
