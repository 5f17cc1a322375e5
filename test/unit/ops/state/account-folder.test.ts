import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  accountPaths,
  locksOfOtherDivisions,
  statePlaces,
  knownAccount,
  knownAccounts,
  learnAccount,
} from '../../../../src/ops/state/account-folder.js';
import { accountId } from '../../../../src/domain/ids.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

beforeEach(() => void vi.stubEnv('XDG_STATE_HOME', scratchFolder()));
afterEach(() => vi.unstubAllEnvs());

const venueOf = (publicKey: string, baseUrl = 'http://one.example') => ({ baseUrl, publicKey }) as never;
const settingsIn = (stateDir: string, venue: unknown = {}) =>
  ({ stateDir, currencyMode: 'play_money', venue }) as never;
const ONE = accountId(1);

describe('the folder of an account', () => {
  it.each([
    ['https://venue.example/v2', 'https://Venue.Example:443/v2/'],
    ['https://venue.example', 'https://venue.example./'],
    ['http://127.0.0.1:4111', 'http://localhost:4111/'],
    ['http://127.0.0.1:4111', 'http://[::1]:4111'],
  ])('is one for %s and %s, and for every key', (one, other) => {
    const folderOf = (baseUrl: string, key: string) =>
      accountPaths(settingsIn('state'), venueOf(key, baseUrl), ONE).folder;
    expect(folderOf(one, 'pk_a')).toBe(folderOf(other, 'pk_b'));
  });

  it('is another one for another venue, mode or account, and on an exchange that the bot brought along', () => {
    const nameOf = (baseUrl: string, account = 1, settings: object = settingsIn('state')) =>
      accountPaths(settings as never, venueOf('pk', baseUrl), accountId(account)).name;
    const here = 'http://127.0.0.1:4111';
    expect([
      nameOf(here),
      nameOf('http://127.0.0.1:4112'),
      nameOf(here, 2),
      nameOf(here, 1, { stateDir: 'state', currencyMode: 'real_money', venue: {} }),
      nameOf(here, 1, settingsIn('state', null)),
    ]).toEqual([
      '127.0.0.1-4111-play_money-1',
      '127.0.0.1-4112-play_money-1',
      '127.0.0.1-4111-play_money-2',
      '127.0.0.1-4111-real_money-1',
      'bundled-127.0.0.1-4111-play_money-1',
    ]);
  });

  it('has a count of requests for each key', () => {
    const of = (key: string) => accountPaths(settingsIn('state'), venueOf(key), ONE).spending;
    expect(of('pk_a')).not.toBe(of('pk_b'));
  });

  it('stays in the state folder that it had first, until that is removed', () => {
    const [first, second] = [scratchFolder(), scratchFolder()];
    const { folder } = learnAccount(settingsIn(first), venueOf('pk'), ONE);
    expect(folder.startsWith(first)).toBe(true);
    expect(learnAccount(settingsIn(second), venueOf('pk_other'), ONE).folder).toBe(folder);
    rmSync(folder, { recursive: true });
    expect(learnAccount(settingsIn(second), venueOf('pk_other'), ONE).folder.startsWith(second)).toBe(true);
    expect(accountPaths(settingsIn(first), venueOf('pk'), ONE).folder.startsWith(second)).toBe(true);
  });

  it("of a bundled exchange is nobody else's", () => {
    const [first, second] = [scratchFolder(), scratchFolder()];
    learnAccount(settingsIn(first, null), venueOf('pk'), ONE);
    expect(knownAccount(settingsIn(second, null), venueOf('pk'))).toBeNull();
    expect(knownAccount(settingsIn(first, null), venueOf('pk'))).toBe('1');
    expect(accountPaths(settingsIn(first, null), venueOf('pk'), ONE)).toMatchObject({
      killCopy: null,
      lockCopy: null,
    });
  });
});

describe('the account of a key', () => {
  it('is known from any folder once the venue has told it, and in its own without the files of the user', () => {
    const [first, second] = [scratchFolder(), scratchFolder()];
    learnAccount(settingsIn(first), venueOf('pk'), ONE);
    expect(knownAccount(settingsIn(second), venueOf('pk'))).toBe('1');
    expect(knownAccount(settingsIn(second), venueOf('pk_other'))).toBeNull();
    expect(knownAccount(settingsIn(second), venueOf('pk', 'http://two.example'))).toBeNull();
    vi.stubEnv('XDG_STATE_HOME', '/proc/none');
    expect(knownAccount(settingsIn(first), venueOf('pk'))).toBe('1');
    expect(knownAccount(settingsIn(second), venueOf('pk'))).toBeNull();
  });

  it('may be any text', () => {
    const settings = settingsIn(scratchFolder());
    const named = accountId('Ann / *~unknown');
    const { name } = learnAccount(settings, venueOf('pk'), named);
    expect(name).toBe('one.example-play_money-Ann%20%2F%20%2A%7Eunknown');
    expect(knownAccount(settings, venueOf('pk'))).toBe(named);
    expect(accountPaths(settings, venueOf('pk'), null).name).toBe('one.example-play_money-~unknown');
  });

  it('is written down without the key', () => {
    const stateDir = scratchFolder();
    learnAccount(settingsIn(stateDir), venueOf('pk_secret'), ONE);
    expect(readFileSync(join(stateDir, 'accounts', 'index.ndjson'), 'utf8')).not.toContain('pk_secret');
  });

  it('is the one that was told last, whatever a crash left in the index', () => {
    const stateDir = scratchFolder();
    vi.stubEnv('XDG_STATE_HOME', '/proc/none');
    const learn = (account: number) => learnAccount(settingsIn(stateDir), venueOf('pk'), accountId(account));
    learn(1);
    appendFileSync(join(stateDir, 'accounts', 'index.ndjson'), '{"key":"cut sho');
    learn(2);
    expect(knownAccount(settingsIn(stateDir), venueOf('pk'))).toBe('2');
    expect(knownAccounts(settingsIn(stateDir), venueOf('pk'))).toEqual(['1', '2']);
  });
});

describe('the folders of shards', () => {
  const shardIn = (stateDir: string, shard: number | null, of = 2): never =>
    ({ stateDir, currencyMode: 'play_money', venue: {}, sharding: { of, shard, lease: null } }) as never;
  const at = (settings: never) => accountPaths(settings, venueOf('pk'), ONE);

  it('lie beside that of the account, and share its kill switch alone', () => {
    const dir = scratchFolder();
    const [whole, one, two] = [at(settingsIn(dir)), at(shardIn(dir, 1)), at(shardIn(dir, 2))];
    expect([one.name, two.name]).toEqual([`${whole.name}~1of2`, `${whole.name}~2of2`]);
    expect([one.kill, two.killCopy]).toEqual([whole.kill, whole.killCopy]);
    for (const key of ['lock', 'lockCopy', 'journal', 'fence', 'riskState'] as const)
      expect(new Set([whole[key], one[key], two[key]]).size).toBe(3);
  });

  it('are all meant where no shard is stated, and are no accounts of their own', () => {
    const dir = scratchFolder();
    learnAccount(shardIn(dir, 2), venueOf('pk'), ONE);
    expect(knownAccount(settingsIn(dir), venueOf('pk'))).toBe(ONE);
    expect(knownAccounts(settingsIn(dir), venueOf('pk'))).toEqual([ONE]);
    const settings = { ...(shardIn(dir, null) as object), venue: venueOf('pk') } as never;
    expect(statePlaces(settings).map(({ name }) => name.replace(/.*~/, ''))).toEqual(['1of2', '2of2']);
  });

  it('tell the locks of bots that divide the account otherwise', () => {
    const dir = scratchFolder();
    for (const settings of [settingsIn(dir), shardIn(dir, 1), shardIn(dir, 2), shardIn(dir, 1, 3)])
      mkdirSync(at(settings).folder, { recursive: true });
    const others = (settings: never): readonly string[] =>
      locksOfOtherDivisions(at(settings)).map((path) => path.replace(/.*accounts./, '').replace(/^.*-1/, ''));
    expect(others(shardIn(dir, 1))).toEqual(['/bot.lock', '~1of3/bot.lock']);
    expect(others(settingsIn(dir))).toEqual(['~1of2/bot.lock', '~1of3/bot.lock', '~2of2/bot.lock']);
  });
});
