import { describe, expect, it } from 'vitest';
import { REDACTED, createRedactor } from '../../../../src/ops/telemetry/redaction.js';

const KEY = 'sk_live_4f"9b/a2+c';
const HMAC = 'ab'.repeat(64);
const redactor = createRedactor([KEY]);

describe('redaction by the name of a member', () => {
  it.each([
    'privateKey',
    'private_key',
    'PRIVATE-KEY',
    'HMAC',
    'hmac',
    'Authorization',
    'adminToken',
    'auth',
  ])('hides %s at any depth', (name) => {
    expect(redactor.value({ venue: [{ [name]: 'anything' }] })).toEqual({ venue: [{ [name]: REDACTED }] });
  });

  it('shows what merely sounds like a secret, and secrets that are not set', () => {
    const harmless = { publicKey: 'pk_1', Key: 'pk_1', keyboard: 1, privateKey: null, hmac: undefined };
    expect(redactor.value(harmless)).toEqual(harmless);
  });

  it('hides the value after its name in lists of headers', () => {
    expect(redactor.value(['Key', 'pk', 'HMAC', 'x', ['Authorization', 'y']])).toEqual([
      'Key',
      'pk',
      'HMAC',
      REDACTED,
      ['Authorization', REDACTED],
    ]);
  });

  it('reaches into maps, sets, errors and objects that write themselves', () => {
    const error = Object.assign(new Error('failed', { cause: { hmac: 'x' } }), { headers: { HMAC: 'x' } });
    const copy = redactor.value({
      map: new Map([['privateKey', 'x']]),
      set: new Set([{ hmac: 'x' }]),
      error,
      own: { toJSON: () => ({ token: 'x' }) },
    });
    expect(copy).toMatchObject({
      map: { privateKey: REDACTED },
      set: [{ hmac: REDACTED }],
      error: { type: 'Error', message: 'failed', cause: { hmac: REDACTED }, headers: { HMAC: REDACTED } },
      own: { token: REDACTED },
    });
  });
});

describe('redaction by value', () => {
  it('hides a known secret wherever it stands, also quoted for a URL or for JSON', () => {
    const texts = [
      KEY,
      `?k=${encodeURIComponent(KEY)}&`,
      JSON.stringify({ k: KEY }),
      new Error(KEY).stack ?? '',
    ];
    for (const text of texts) {
      expect(redactor.text(text)).toContain(REDACTED);
      expect(redactor.text(text)).not.toMatch(/4f.{0,4}9b/);
    }
  });

  it('hides signatures that it was never told of', () => {
    expect(redactor.text(`HMAC: ${HMAC}.`)).toBe(`HMAC: ${REDACTED}.`);
    expect(redactor.text(`app:${HMAC.slice(64)}`)).toBe(`app:${REDACTED}`);
  });

  it('shows hashes that are no signatures', () => {
    expect(redactor.value({ configHash: HMAC.slice(64) })).toEqual({ configHash: HMAC.slice(64) });
  });

  it('does not blank out words for a secret that is too short to be one', () => {
    expect(createRedactor(['a', '']).text('a cat')).toBe('a cat');
  });
});

describe('a redacted copy', () => {
  it('leaves the original alone and keeps plain values as they are', () => {
    const original = { a: 1, b: [true, null, 'x'], c: { hmac: 'x' } };
    const before = structuredClone(original);
    expect(redactor.value(original)).toEqual({ ...before, c: { hmac: REDACTED } });
    expect(original).toEqual(before);
  });

  it('ends for circles and bottomless values', () => {
    const circle: Record<string, unknown> = { hmac: 'x' };
    circle['self'] = circle;
    expect(redactor.value(circle)).toEqual({ hmac: REDACTED, self: '[circular]' });
    let deep: unknown = 'bottom';
    for (let index = 0; index < 100; index++) deep = { deep };
    expect(JSON.stringify(redactor.value(deep))).toContain('[deep]');
  });
});
