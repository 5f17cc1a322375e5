import { expect, it } from 'vitest';
import { statePathsOf, venueLocksOf } from '../../../../src/ops/state/state-paths.js';
import { canonicalLock } from '../../../../src/ops/state/venue-address.js';

const SETTINGS = { stateDir: 'state', currencyMode: 'play_money' } as const;
const scopeOf = (baseUrl: string): string =>
  statePathsOf(SETTINGS, { name: 'venue', baseUrl, publicKey: 'pk' }).scope;

it.each([
  ['https://venue.example/v2', 'https://Venue.Example:443/v2/'],
  ['https://venue.example', 'https://venue.example./'],
  ['http://127.0.0.1:4111', 'http://localhost:4111/'],
  ['http://127.0.0.1:4111', 'http://[::1]:4111'],
])('%s and %s are one venue', (one, other) => {
  expect(scopeOf(other)).toBe(scopeOf(one));
  expect(venueLocksOf(SETTINGS, { baseUrl: other })).toBe(venueLocksOf(SETTINGS, { baseUrl: one }));
});

it.each([
  ['https://venue.example/v1', 'https://venue.example/v2'],
  ['https://venue.example', 'https://test.venue.example'],
  ['http://127.0.0.1:4111', 'http://127.0.0.1:4112'],
])('%s and %s keep their state apart', (one, other) => {
  expect(scopeOf(other)).not.toBe(scopeOf(one));
});

it('an address that was spelled as it is now keeps the folder that it has always had', () => {
  expect(scopeOf('http://127.0.0.1:4111')).toBe('venue-play_money-4ce69bd41224');
});

it('a lock that was named after another name of this machine is known', () => {
  const now = '127.0.0.1-4111-play_money-account-1.lock';
  expect(canonicalLock('localhost-4111-play_money-account-1.lock')).toBe(now);
  expect(canonicalLock('---1--4111-play_money-account-1.lock')).toBe(now);
  expect(canonicalLock('localhost.example-play_money-account-1.lock')).toMatch(/^localhost\.example/);
});
