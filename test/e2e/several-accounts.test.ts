/** Several accounts in one process: each has its own bot, and one that fails ends alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXIT } from '../../src/domain/errors.js';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

it('a process runs a bot for each file, with one address, and its exit code is the worst of theirs', async () => {
  const house = await houseForTest();
  const change = (
    from: string,
    to: string,
    ...changes: readonly (readonly [string | RegExp, string])[]
  ): void =>
    writeFileSync(
      join(house.dir, to),
      changes.reduce(
        (text, [old, now]) => text.replace(old, now),
        readFileSync(join(house.dir, from), 'utf8'),
      ),
    );
  change('exchange.yaml', 'exchange.yaml', [
    '  events:\n',
    '    - { id: 4, username: second, email: second@example.org, publicKey: pk_second, privateKey: sk_maker, balances: { OOM: "1000" } }\n  events:\n',
  ]);
  change('bot.yaml', 'second.yaml', ['pk_maker', 'pk_second']);
  change('bot.yaml', 'unknown.yaml', ['pk_maker', 'pk_of_nobody']);
  await house.exchange();
  const child = house.run(['run', 'bot.yaml', 'second.yaml', 'unknown.yaml', '--json']);
  await child.event('ready', 1);
  await until('the unknown key to be refused', () =>
    child.said.includes('unknown: the venue refuses the keys'),
  );
  const [first, second] = child.events('ready').map(({ account, urls }) => ({
    account: account as string,
    base: (urls as { readonly page: string }).page,
  }));
  expect([first!.account, second!.account].toSorted()).toEqual(['bot', 'second']);
  const top = new URL('/metrics', first!.base);
  const quotes = async (): Promise<readonly string[]> => {
    const text = await (await fetch(top)).text();
    return ['bot', 'second'].filter((account) =>
      new RegExp(`^oddsmith_quotes\\{[^}]*account="${account}"[^}]*\\} [1-9]`, 'm').test(text),
    );
  };
  await until('both to quote', async () => (await quotes()).length === 2);
  const status = (await (await fetch(new URL('api/status', second!.base))).json()) as { account: string };
  expect(status.account).toBe(second!.account === 'second' ? '4' : '1');
  const looked = house.run(['status', 'second.yaml', '--json']);
  expect(await looked.exit).toBe(0);
  expect(looked.said).toContain('"account":"4"');
  expect(await child.end('SIGTERM')).toBe(EXIT.keysRefused);
  expect(
    child
      .events('summary')
      .map(({ account, outcome }) => `${String(account)} ${String(outcome)}`)
      .toSorted(),
  ).toEqual(['bot clean', 'second clean']);
  expect(await house.isEmpty()).toBe(true);
}, 300_000);
