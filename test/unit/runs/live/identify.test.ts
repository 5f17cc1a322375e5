import { describe, expect, it } from 'vitest';
import { identify as identifyAt } from '../../../../src/runs/live/identify.js';
import type { RestClient } from '../../../../src/venues/futuur/rest/rest-client.js';
import type { RequestFailure } from '../../../../src/domain/answers.js';
import type { Micros } from '../../../../src/domain/units.js';

const ADDRESS = 'https://venue.test';
type Parts = Parameters<typeof identifyAt>;
const identify = (rest: Parts[0], silence: Parts[1]) => identifyAt(rest, silence, ADDRESS);
const kept = (leftMs = 0) => {
  const begun: number[] = [];
  return { leftMs: () => leftMs, begun, begin: (ms: number) => void begun.push(ms) };
};
const failing = (failure: RequestFailure): RestClient =>
  ({ me: () => Promise.resolve({ ok: false, failure, sentAt: 1 as Micros }) }) as unknown as RestClient;
const refused = (status: number, code: string, retryAfterMs: number | null = null): RestClient =>
  failing({ kind: 'refused', status, code, detail: 'no', retryAfterMs });

describe('a start', () => {
  it('tells keys that are refused from a venue that asks for patience', async () => {
    await expect(identify(refused(403, 'InvalidHMACKey'), kept())).rejects.toMatchObject({
      code: 'ODDSMITH_KEYS_REFUSED',
      message: expect.stringContaining('the public key is not known there') as string,
    });
    await expect(identify(refused(429, 'Throttled', 2_500), kept())).rejects.toMatchObject({
      code: 'ODDSMITH_VENUE_UNREACHABLE',
      message: 'the venue turns requests away (429); start again in 3 s',
    });
    await expect(identify(refused(429, 'Throttled'), kept())).rejects.toMatchObject({
      message: 'the venue turns requests away (429); start again later',
    });
  });

  it('asks nothing while the silence lasts that a 429 has asked for, and keeps one that it is asked for itself', async () => {
    const asked: string[] = [];
    const me = () => (asked.push('me'), Promise.reject(new Error('unreachable')));
    await expect(identify({ me }, kept(90_000))).rejects.toMatchObject({
      code: 'ODDSMITH_VENUE_UNREACHABLE',
      message: 'the venue has asked for silence (429); start again in 90 s',
    });
    expect(asked).toEqual([]);
    const silence = kept();
    await expect(identify(refused(429, 'Throttled', 2_500), silence)).rejects.toThrow('start again in 3 s');
    expect(silence.begun).toEqual([2_500]);
  });

  it('tells what the question cost: it is signed again when the time of this machine was refused', async () => {
    const ok = { ok: true, value: { id: 7, username: 'maker' }, sentAt: 1 };
    const asking = (attempts: number): RestClient => {
      const me = (sending: { readonly beforeFirstByte?: (body: string) => void }) => {
        for (let attempt = 0; attempt < attempts; attempt++) sending.beforeFirstByte?.('');
        return Promise.resolve(ok);
      };
      return { me } as unknown as RestClient;
    };
    expect(await identify(asking(1), kept())).toEqual({ id: 7, username: 'maker', calls: 1 });
    expect(await identify(asking(2), kept())).toMatchObject({ calls: 2 });
  });

  it('tells that nobody answered', async () => {
    await expect(identify(failing({ kind: 'unknown', reason: 'time-out' }), kept())).rejects.toMatchObject({
      message: 'the venue cannot be reached at https://venue.test: time-out',
    });
  });
});
