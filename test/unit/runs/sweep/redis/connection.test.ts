import { describe, expect, it } from 'vitest';
import {
  redisAddress,
  describeRedis,
  isRefusal,
  kindOfFailure,
} from '../../../../../src/runs/sweep/redis/connection.js';

describe('the address of a Redis', () => {
  it.each([
    ['redis://host', 'redis://host:6379'],
    ['redis://user:secret@host:7000/2', 'redis://host:7000/2'],
    ['rediss://:secret@host/', 'rediss://host:6379'],
    ['redis://[::1]:1', 'redis://[::1]:1'],
  ])('is shown without credentials: %s', (given, shown) => {
    expect(redisAddress(given, {})).toEqual({ url: given, shown });
  });

  it.each([
    ['redis://host', 'redis://:a%2Fb%20c@host'],
    ['redis://user@host/2', 'redis://user:a%2Fb%20c@host/2'],
    ['redis://user:own@host', 'redis://user:own@host'],
  ])('takes a password from the environment, unless it has one: %s', (given, url) => {
    const environment = { ODDSMITH_REDIS_PASSWORD: 'a/b c' };
    expect(redisAddress(given, environment).url).toBe(url);
    expect(redisAddress(given, environment).shown).not.toContain('a/b');
  });

  it('repeats nothing of what is no address', () => {
    expect(() => redisAddress('http://:secret@host', {})).toThrow(/^--redis expects [^s]*redis:/);
    expect(() => redisAddress('http://:secret@host', {})).not.toThrow(/secret/);
  });
});

describe('a failure of Redis', () => {
  it.each([
    [new Error("OOM command not allowed when used memory > 'maxmemory'."), 'OOM', true],
    [new Error('WRONGPASS invalid username-password pair or user is disabled.'), 'WRONGPASS', true],
    [new Error('ERR Error running script: OOM command not allowed'), 'OOM', true],
    [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED', false],
    [new Error('something else'), 'unknown reason', false],
  ])('has a kind: %s', (error, kind, isNo) => {
    expect(kindOfFailure(error)).toBe(kind);
    expect(isRefusal(kind)).toBe(isNo);
    expect(describeRedis('redis://host:6379', kind)).toMatch(/^Redis at redis:\/\/host:6379 /);
  });
});
