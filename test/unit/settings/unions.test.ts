import { describe, expect, it } from 'vitest';
import { checkBotSettings, SettingsError, SettingsSource } from '../../../src/settings/index.js';

const BOT = `events: [{ id: 1, markets: [{ id: 11 }] }]
instances: [{ name: a, strategy: fixed-spread, markets: [11] }]
`;

/** What is said of a file, without the places. */
function complaints(lines: string): readonly string[] {
  try {
    checkBotSettings(SettingsSource.parse(`${BOT}${lines}\n`, 'bot.yaml', {}));
  } catch (error) {
    if (error instanceof SettingsError)
      return error.problems.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
  return [];
}

const participant = (text: string) => complaints(`exchange: { participants: [{ ${text} }] }`);

describe('what a key may be in one of several forms', () => {
  it.each([
    ['kind: maker, account: 1, markets: [11], halfSpraed: 0.04', 'halfSpraed', 'did you mean halfSpread?'],
    ['kind: informed, account: 1, markets: [11], probabilty: 0.4', 'probabilty', 'did you mean probability?'],
    ['kind: recording, file: a, event: 1, sped: 2', 'sped', 'did you mean speed?'],
    ['kind: lmsr, account: 1, markets: [11], rate: 2', 'rate', 'known here: kind, account, markets, b'],
    [
      'kind: maker, account: 1, markets: [11], ratePerS: 2',
      'ratePerS',
      'known here: kind, account, markets, halfSpread, sizeMin, sizeMax',
    ],
  ])('knows the keys of that form alone: { %s }', (text, key, hint) => {
    expect(participant(text)).toContain(`exchange.participants[0].${key}: unknown key; ${hint}`);
  });

  it('says which forms there are where none is named', () => {
    const known = 'expected one of noise, informed, lmsr, maker, recording';
    expect(participant('kind: makr, halfSpraed: 1')).toEqual([
      `exchange.participants[0].kind: ${known}, found "makr"`,
    ]);
  });

  const range = (text: string) =>
    complaints(`backtest: { recordings: [a] }\nsweep: { parameters: { seed: { ${text} } } }`);

  it('is asked for a mistyped key of a range, too', () => {
    expect(range('from: 1, to: 2, stepp: 1')).toContain(
      'sweep.parameters.seed.stepp: unknown key; did you mean step?',
    );
    expect(range('from: 2, to: 1, step: 1')).toEqual(['sweep.parameters.seed: expected from below to']);
    expect(range('from: a, to: 1')).toEqual([
      'sweep.parameters.seed: expected a list of values, or {from, to} with numbers and perhaps a step',
    ]);
  });

  it('names the currencies of balances', () => {
    expect(
      complaints(
        'exchange: { accounts: [{ id: 1, username: a, publicKey: p, privateKey: s, balances: { OMO: 5 } }] }',
      ),
    ).toEqual(['exchange.accounts[0].balances.OMO: unknown key; did you mean OOM?']);
  });
});
