import { describe, expect, it } from 'vitest';
import { HeartbeatWatch } from '../../../../src/ops/guard/guard.js';

const LOOK_MS = 250;
const SILENCE_MS = 2_000;

const beat = (count: number, more: object = {}): string =>
  JSON.stringify({
    pid: 17,
    identity: 'x',
    host: 'h',
    runId: 'r',
    account: 1,
    beat: count,
    ended: null,
    ...more,
  });

/** Looks again and again at its own pace. */
class Watch {
  readonly watch: HeartbeatWatch;
  atMs = 0;

  constructor(isGone = false) {
    this.watch = new HeartbeatWatch({ silenceMs: SILENCE_MS, lookMs: LOOK_MS, isGone: () => isGone });
  }

  look(
    text: string | null,
    { accepted = null, afterMs = LOOK_MS }: { accepted?: string | null; afterMs?: number } = {},
  ) {
    this.atMs += afterMs;
    return this.watch.look(text, accepted, this.atMs);
  }

  /** Looks at the same heartbeat until it is called silent. @returns after how many milliseconds */
  untilSilent(text: string): number {
    const since = this.atMs;
    while (this.look(text).kind !== 'silent') if (this.atMs > since + 60_000) return Infinity;
    return this.atMs - since;
  }
}

describe('a vigil', () => {
  it('waits while there is no heartbeat', () => {
    const watch = new Watch();
    for (let look = 0; look < 100; look++) expect(watch.look(null).kind).toBe('absent');
  });

  it('hears each beat', () => {
    const watch = new Watch();
    for (let count = 1; count < 100; count++) expect(watch.look(beat(count)).kind).toBe('beating');
  });

  it('calls a heartbeat silent that has not changed for so long', () => {
    const watch = new Watch();
    watch.look(beat(1));
    expect(watch.untilSilent(beat(1))).toBe(SILENCE_MS);
    expect(watch.look(beat(1))).toMatchObject({
      kind: 'silent',
      reason: 'process 17 fell silent: no heartbeat for 2 s',
    });
  });

  it('says of a process that it is gone', () => {
    const watch = new Watch(true);
    watch.look(beat(1));
    watch.untilSilent(beat(1));
    expect(watch.look(beat(1))).toMatchObject({ reason: 'process 17 is gone: no heartbeat for 2 s' });
  });

  it('begins anew with each beat, however late', () => {
    const watch = new Watch();
    for (let count = 1; count < 20; count++) {
      expect(watch.look(beat(count)).kind).toBe('beating');
      for (let look = 1; look < SILENCE_MS / LOOK_MS; look++)
        expect(watch.look(beat(count)).kind).toBe('doubtful');
    }
  });

  it('does not take the time in which it stood still itself for silence', () => {
    const watch = new Watch();
    watch.look(beat(1));
    expect(watch.look(beat(1), { afterMs: 3_600_000 }).kind).toBe('doubtful');
    expect(watch.look(beat(2)).kind).toBe('beating');
  });

  it('gives the heartbeat of a dead bot, found at its start, the whole time to change', () => {
    expect(new Watch().untilSilent(beat(1))).toBe(SILENCE_MS + LOOK_MS);
  });

  it('is calm after a clean end, and alarmed at once after any other', () => {
    const watch = new Watch();
    watch.look(beat(1));
    expect(watch.look(beat(1, { ended: 'clean' })).kind).toBe('absent');
    expect(watch.look(beat(1, { ended: 'orders-may-remain' }))).toMatchObject({
      kind: 'silent',
      reason: 'the run ended with orders-may-remain, not clean',
    });
  });

  it('accepts what a person accepted, and nothing after it', () => {
    const watch = new Watch();
    const accepted = beat(9);
    for (let look = 0; look < 100; look++) expect(watch.look(accepted, { accepted }).kind).toBe('absent');
    expect(watch.look(beat(10), { accepted }).kind).toBe('beating');
    expect(watch.untilSilent(beat(10))).toBe(SILENCE_MS);
  });

  it('is alarmed by a file that stays unreadable', () => {
    const watch = new Watch();
    expect(watch.look('{"pid":').kind).toBe('doubtful');
    expect(watch.untilSilent('{"pid":')).toBe(SILENCE_MS);
  });
});
