import { describe, expect, it } from 'vitest';
import { exchangeConfigOf } from '../../../src/runs/exchange/exchange.js';
import { exchangeSchema } from '../../../src/settings/exchange-schema.js';

describe('what a file for the exchange need not say', () => {
  it('everything', () => {
    expect(exchangeSchema.parse({})).toEqual({
      host: '127.0.0.1',
      port: 4_010,
      seed: 42,
      appKey: 'local',
      adminToken: '',
      dataDir: null,
      snapshotEvery: 100_000,
      clockWindowS: 60,
      rateLimit: { perMinute: 2_000, perDay: 1_000_000 },
      duplicateWindowMs: 1_000,
      processingDelayMs: 0,
      bookCacheMs: 0,
      channelsPerConnection: null,
      signing: { nested: 'python' },
      fees: { play_money: { taker: 0, maker: 0 }, real_money: { taker: 1_000, maker: 0 } },
      accounts: [],
      events: [],
      participants: [],
      faults: { seed: 1, rules: [] },
    });
  });

  it('of an account and an event more than ids, names, keys and titles', () => {
    const settings = exchangeSchema.parse({
      accounts: [{ id: 1, username: 'maker', publicKey: 'pk', privateKey: 'sk' }],
      events: [{ id: 873, title: 'Who wins?', markets: [{ id: 2231, title: 'Candidate A' }] }],
    });
    const { accounts, events } = exchangeConfigOf(settings);
    expect(accounts[0]).toEqual({
      id: 1,
      username: 'maker',
      email: 'maker@example.org',
      emailConfirmed: true,
      realCurrencyEnabled: true,
      kycStatus: 'approved',
      blocked: false,
      forbiddenCountry: false,
      following: [],
      publicWagers: true,
      walletUser: false,
      dateJoined: null,
      balances: {},
    });
    expect(events[0]).toMatchObject({
      slug: 'who-wins',
      description: '',
      resolutionMode: 'exclusive',
      isBinary: true,
      betStart: null,
      betEnd: null,
      tax: { play_money: null, real_money: null },
      minAmount: 10_000,
      maxAmount: 100_000_000_000,
      markets: [{ id: 2231, tickUnits: 100, longLabel: 'Yes', shortLabel: 'No' }],
    });
  });

  it('of a trader more than its account and its markets', () => {
    const participants = ['noise', 'informed', 'lmsr', 'maker'].map((kind) => ({
      kind,
      account: 9,
      markets: [1],
    }));
    const recording = { kind: 'recording', file: 'some.ndjson.gz', event: 873 };
    const settings = exchangeSchema.parse({ participants: [...participants, recording] });
    expect(settings.participants.map(({ kind }) => kind)).toEqual([
      'noise',
      'informed',
      'lmsr',
      'maker',
      'recording',
    ]);
  });
});
