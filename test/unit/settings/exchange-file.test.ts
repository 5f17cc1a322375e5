import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadExchangeSettings } from '../../../src/settings/index.js';

/** Loads the file of an exchange with these accounts. */
function load(...accounts: readonly { readonly id: number; readonly publicKey: string }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-exchange-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'exchange.yaml');
  const lines = accounts.map(
    ({ id, publicKey }) =>
      `    - { id: ${id}, username: user${id}, publicKey: ${publicKey}, privateKey: sk${id} }`,
  );
  writeFileSync(file, ['exchange:', '  accounts:', ...lines, ''].join('\n'));
  return loadExchangeSettings(file, {}).settings;
}

describe('the file of an exchange', () => {
  it('names each account and each key once: with a key of two accounts, one of them could never sign', () => {
    expect(load({ id: 1, publicKey: 'a' }, { id: 2, publicKey: 'b' }).accounts).toHaveLength(2);
    expect(() => load({ id: 1, publicKey: 'a' }, { id: 2, publicKey: 'a' })).toThrow(
      /exchange\.yaml:4:\d+ exchange\.accounts\[1\]\.publicKey: the key a is listed twice/,
    );
    expect(() => load({ id: 1, publicKey: 'a' }, { id: 1, publicKey: 'b' })).toThrow(
      /accounts\[1\]\.id: account 1 is listed twice/,
    );
  });
});
