/** Traders that name one account: the file that the issue of the exchange shows must give a living market. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exchangeConfigOf } from '../../../src/runs/exchange/exchange.js';
import { participantsOf } from '../../../src/runs/exchange/participants.js';
import type { Micros } from '../../../src/domain/units.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import { Stage } from '../../../src/exchange/participants/index.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { VirtualClock } from '../../support/clocks/virtual-clock.js';
import { type ExchangeSettings, loadExchangeSettings } from '../../../src/settings/index.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

const START = 1_786_000_000_000_000 as Micros;
const MINUTE = 60_000_000;

const TRADERS = `
    - { kind: noise, account: 9, markets: [2231], ratePerS: 2, sizeMin: "1", sizeMax: "20" }
    - { kind: informed, account: 9, markets: [2231], ratePerS: 0.2, sizeMin: "5", sizeMax: "50", probability: 0.62 }
    - { kind: lmsr, account: 9, markets: [2231, 2232], b: 100 }
    - { kind: maker, account: 9, markets: [2231], halfSpread: "0.02", sizeMin: "10", sizeMax: "10" }`;

function settingsOf(more = '', traders = TRADERS): ExchangeSettings {
  const file = join(scratchFolder(), 'exchange.yaml');
  writeFileSync(
    file,
    `exchange:
  accounts:
    - { id: 1, username: maker, publicKey: pk_maker, privateKey: sk_maker, balances: { OOM: "100000", USDC: "5000" } }
    - { id: 9, username: crowd, publicKey: pk_crowd, privateKey: sk_crowd, balances: { OOM: "1000000" } }${more}
  events:
    - id: 873
      title: Who wins?
      markets: [{ id: 2231, title: Candidate A }, { id: 2232, title: Candidate B }]
  participants:${traders}
`,
  );
  return loadExchangeSettings(file, {}).settings;
}

function afterAMinute(settings: ExchangeSettings): Exchange {
  const exchange = new Exchange(exchangeConfigOf(settings));
  const clock = new VirtualClock(START);
  const random = seededRandom(settings.seed);
  const participants = participantsOf({ exchange: settings, file: 'none.yaml', random, start: START });
  const stage: Stage = new Stage({
    participants,
    exchange,
    clock,
    execute: (command) => stage.observe(exchange.execute(command, clock.now()).events),
  });
  stage.start();
  clock.advanceTo((START + MINUTE) as Micros);
  stage.stop();
  return exchange;
}

describe('traders that name one account', () => {
  it('trade with each other, and the ledger sums to zero', () => {
    const exchange = afterAMinute(settingsOf());
    const traded = exchange.trades(null);
    const parties = new Set(traded.flatMap(({ takerAccount, makerAccount }) => [takerAccount, makerAccount]));
    expect(traded.length).toBeGreaterThan(20);
    expect(parties.size).toBeGreaterThanOrEqual(3);
    expect(exchange.ledger().sum).toEqual({ OOM: 0, USDC: 0, USDT: 0, USD: 0 });
  });

  it('do so through accounts like the named one, of which nobody has the keys', () => {
    const { accounts } = exchangeConfigOf(settingsOf());
    const shown = accounts.map(({ id, username, balances }) => [id, username, balances.OOM]);
    expect(shown).toEqual([
      [1, 'maker', 100_000_000_000],
      [9, 'crowd', 1_000_000_000_000],
      [1_000_000_009_002, 'crowd-2', 1_000_000_000_000],
      [1_000_000_009_003, 'crowd-3', 1_000_000_000_000],
      [1_000_000_009_004, 'crowd-4', 1_000_000_000_000],
    ]);
  });

  it('do the same in every run', () => {
    const [first, again] = [afterAMinute(settingsOf()), afterAMinute(settingsOf())];
    expect(again.trades(null)).toEqual(first.trades(null));
  });

  it('with one account each: no account is added', () => {
    const traders =
      '\n    - { kind: noise, account: 9, markets: [2231] }\n    - { kind: maker, account: 1, markets: [2231] }';
    expect(exchangeConfigOf(settingsOf('', traders)).accounts.map(({ id }) => id)).toEqual([1, 9]);
  });

  it('a file that has the id of a stand-in is refused', () => {
    const more = '\n    - { id: 1000000009003, username: taken, publicKey: pk_taken, privateKey: sk_taken }';
    expect(() => settingsOf(more)).toThrow(
      /exchange\.participants\[2\]\.account: account 9 has another trader already, and the id 1000000009003/,
    );
  });
});
