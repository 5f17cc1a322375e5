import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadExchangeSettings } from '../../../src/settings/index.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

/** Loads the file of an exchange with these accounts. */
function load(...accounts: readonly { id: number; publicKey: string; further?: string }[]) {
  const lines = accounts.map(({ id, publicKey, further }) => {
    const keys = further === undefined ? '' : `, keys: [{ publicKey: ${further}, privateKey: further }]`;
    return `    - { id: ${id}, username: user${id}, publicKey: ${publicKey}, privateKey: sk${id}${keys} }`;
  });
  return loadLines('  accounts:', ...lines);
}

/** Loads the file of an exchange with these lines. */
function loadLines(...lines: readonly string[]) {
  const file = join(scratchFolder(), 'exchange.yaml');
  writeFileSync(file, ['exchange:', ...lines, ''].join('\n'));
  return loadExchangeSettings(file, {}).settings;
}

describe('the file of an exchange', () => {
  it('names each account and each key once: with a key of two accounts, one of them could never sign', () => {
    expect(load({ id: 1, publicKey: 'a' }, { id: 2, publicKey: 'b' }).accounts).toHaveLength(2);
    expect(() => load({ id: 1, publicKey: 'a' }, { id: 2, publicKey: 'a' })).toThrow(
      /exchange\.yaml:4:\d+ exchange\.accounts\[1\]\.publicKey: the key a is listed twice/,
    );
    expect(() => load({ id: 1, publicKey: 'a' }, { id: 2, publicKey: 'b', further: 'a' })).toThrow(
      /accounts\[1\]\.keys\[0\]\.publicKey: the key a is listed twice/,
    );
    expect(() => load({ id: 1, publicKey: 'a' }, { id: 1, publicKey: 'b' })).toThrow(
      /accounts\[1\]\.id: account 1 is listed twice/,
    );
  });

  it('has no more of a currency than the ledger can count, stand-ins of traders included', () => {
    const account = (id: number, balance: string) =>
      `    - { id: ${id}, username: u${id}, publicKey: p${id}, privateKey: s${id}, balances: { OOM: "${balance}" } }`;
    const traders =
      '  participants: [{ kind: noise, account: 2, markets: [5], ratePerS: 1, sizeMin: "1", sizeMax: "2" }, { kind: noise, account: 2, markets: [5], ratePerS: 1, sizeMin: "1", sizeMax: "2" }]';
    const event = '  events: [{ id: 4, title: x, markets: [{ id: 5, title: y }] }]';
    const half = '4503599627.370495';
    expect(loadLines('  accounts:', account(1, half), account(2, half)).accounts).toHaveLength(2);
    expect(() =>
      loadLines('  accounts:', account(1, half), account(2, half), account(3, '0.000002')),
    ).toThrow(
      /exchange\.yaml:5:\d+ exchange\.accounts\[2\]\.balances\.OOM: expected balances of at most 9007199254\.740991 OOM in all accounts together, found 9007199254\.740992/,
    );
    expect(() =>
      loadLines('  accounts:', account(1, '3000000000'), account(2, half), event, traders),
    ).toThrow(
      /exchange\.accounts\[1\]\.balances\.OOM: expected balances of at most 9007199254\.740991 OOM in all accounts together, those of its stand-ins included, found 12007199254\.74099/,
    );
    expect(() => loadLines('  accounts:', account(1, '10000000000'))).toThrow(
      /accounts\[0\]\.balances\.OOM: expected at most 9007199254\.740991, found "10000000000"/,
    );
  });

  it.each([
    ['minAmount', 'maxAmount', '"5"', '"2.5"', '2.5', '5'],
    [
      'betStartDate',
      'betEndDate',
      '2030-02-01T00:00:00Z',
      '2030-01-01T00:00:00Z',
      '2030-01-01T00:00:00.000Z',
      '2030-02-01T00:00:00.000Z',
    ],
    [
      'eventStartDate',
      'eventEndDate',
      '2030-02-01T00:00:00Z',
      '2030-01-01T00:00:00Z',
      '2030-01-01T00:00:00.000Z',
      '2030-02-01T00:00:00.000Z',
    ],
  ])('has %s and %s in their order', (least, most, first, last, expected, found) => {
    const event = (from: string, to: string) =>
      loadLines(
        `  events: [{ id: 1, title: x, ${least}: ${from}, ${most}: ${to}, markets: [{ id: 2, title: y }] }]`,
      );
    expect(event(last, first).events).toHaveLength(1);
    expect(event(first, first).events).toHaveLength(1);
    expect(() => event(first, last)).toThrow(
      `exchange.events[0].${least}: expected at most ${most}, which is ${expected}, found ${found}`,
    );
  });

  it.each(['noise', 'informed', 'maker'])('has the sizes of a %s in their order', (kind) => {
    const sized = (least: string, most: string) =>
      loadLines(
        '  accounts: [{ id: 9, username: x, publicKey: p, privateKey: s }]',
        '  events: [{ id: 1, title: x, markets: [{ id: 2, title: y }] }]',
        `  participants: [{ kind: ${kind}, account: 9, markets: [2], sizeMin: ${least}, sizeMax: ${most} }]`,
      );
    expect(sized('3', '3').participants).toHaveLength(1);
    expect(() => sized('3', '2.99')).toThrow(
      'exchange.participants[0].sizeMin: expected at most sizeMax, which is 2.99, found 3',
    );
  });

  it('says what was expected where a value is missing or of another kind', () => {
    expect(() => loadLines('  accounts: [{ username: x, publicKey: p, privateKey: s }]')).toThrow(
      'exchange.accounts[0].id: expected an id, a positive integer, found nothing',
    );
    expect(() => loadLines('  port: [1]')).toThrow('exchange.port: expected a port from 0 to 65535');
  });
});

describe("a bot's file that is to be started as an exchange", () => {
  const bot = (...lines: readonly string[]) => {
    const file = join(scratchFolder(), 'bot.yaml');
    writeFileSync(
      file,
      ['events: 5', 'instances: []', 'venue: { privateKey: "${UNSET}" }', ...lines, ''].join('\n'),
    );
    return () => loadExchangeSettings(file, {}).settings;
  };

  it('is read for its section alone, whatever the rest has wrong, and without keys', () => {
    expect(bot('exchange: { port: 4711 }')()).toMatchObject({ port: 4711, seed: 42 });
    expect(bot('exchange: { prot: 4711 }')).toThrow(
      /bot\.yaml:4:13 exchange\.prot: unknown key; did you mean port\?$/,
    );
  });

  it.each([[[]], [['exchange: null']]])('without one is refused in one sentence: %j', (lines) => {
    expect(bot(...lines)).toThrow(
      /bot\.yaml:1:1 this is a bot's file, and it has no section exchange to start: name a file that has one/,
    );
  });
});
