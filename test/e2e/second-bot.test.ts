import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { houseForTest } from '../support/house/house-for-test.js';

/** Starts of processes, each of which a busy machine makes slow. */
const PATIENCE_MS = 300_000;

it(
  'a second bot of an account does not start, with another of its keys, another name or another state folder neither',
  async () => {
    const house = await houseForTest();
    await house.exchange();
    const { child: first } = await house.bot();
    const same = house.run(['run', 'bot.yaml', '--json']);
    expect(await same.exit).toBe(2);
    expect(same.said).toContain(`process ${first.pid}`);
    const other = readFileSync(join(house.dir, 'bot.yaml'), 'utf8')
      .replace('name: house', 'name: elsewhere')
      .replace('pk_maker', 'pk_guard')
      .replace('ODDSMITH_PRIVATE_KEY', 'ODDSMITH_GUARD_PRIVATE_KEY');
    writeFileSync(join(house.dir, 'other.yaml'), other);
    const second = house.run(['run', 'other.yaml', '--json']);
    expect(await second.exit).toBe(2);
    expect(second.said).toContain('account 1');
    expect(second.said).toContain(`process ${first.pid}`);
    writeFileSync(
      join(house.dir, 'away.yaml'),
      `${readFileSync(join(house.dir, 'bot.yaml'), 'utf8')}\nstateDir: away\n`,
    );
    const third = house.run(['run', 'away.yaml', '--json']);
    expect(await third.exit).toBe(2);
    expect(third.said).toContain(`process ${first.pid} already runs it`);
    expect(third.said).toContain(join(house.dir, '.oddsmith', 'accounts'));
    const alias = readFileSync(join(house.dir, 'bot.yaml'), 'utf8').replace(/baseUrl: .*/, (line) =>
      line.replace('127.0.0.1', 'LOCALHOST').concat('/'),
    );
    writeFileSync(join(house.dir, 'alias.yaml'), `${alias}\nstateDir: alias\n`);
    const fourth = house.run(['run', 'alias.yaml', '--json']);
    expect(await fourth.exit).toBe(2);
    expect(fourth.said).toContain(`process ${first.pid} already runs it`);
    expect(await first.end('SIGTERM')).toBe(0);
  },
  PATIENCE_MS,
);
