/** One account has one state: with another of its keys, under another name of its venue and from another folder. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/domain/errors.js';
import type { House } from '../support/house/house.js';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

/** Many starts of processes, each of which a busy machine makes slow. */
const PATIENCE = { timeout: 600_000 };
const HERE = 'exec "$@"';
const AWAY = 'mkdir -p away && cd away && exec "$@"';
const AWAY_WITH_FILE = 'mkdir -p away && cp bot.yaml away && cd away && exec "$@"';
const THIRD = 'mkdir -p third && cd third && exec "$@"';

const rotated = (text: string): string =>
  text.replace('pk_maker', 'pk_guard').replace('ODDSMITH_PRIVATE_KEY', 'ODDSMITH_GUARD_PRIVATE_KEY');
const renamed = (text: string): string => text.replace('name: house', 'name: mine');
const respelled = (text: string): string =>
  text.replace(/baseUrl: http:\/\/127.0.0.1:\d+/, (it) => `${it.replace('127.0.0.1', 'LocalHost')}/`);
const same = (text: string): string => text;

/** The file of the house, written anew. */
function change(house: House, how: (text: string) => string, into = 'bot.yaml'): void {
  writeFileSync(join(house.dir, into), how(readFileSync(join(house.dir, 'bot.yaml'), 'utf8')));
}

const killFiles = (house: House): readonly string[] =>
  [house.dir, house.userState].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('kill.json')),
  );

describe('a kill', PATIENCE, () => {
  it.each([
    ['another key', rotated],
    ['another name of the venue', renamed],
    ['another spelling of its address', respelled],
  ])('holds when %s is put into the file, until a person resumes with that file', async (_, how) => {
    const house = await houseForTest();
    await house.exchange();
    const { child: first } = await house.bot();
    expect(await house.run(['kill', 'bot.yaml', '--json']).exit).toBe(0);
    expect(await first.end('SIGTERM')).toBe(EXIT.killLatched);
    change(house, how);
    const second = await house.startedBot();
    await until('the bot to know', () => second.sight.killed());
    expect(await house.isEmpty()).toBe(true);
    expect(await house.run(['resume', 'bot.yaml']).exit).toBe(0);
    await until('the bot to quote', () => second.sight.quotes());
    expect(await second.child.end('SIGTERM')).toBe(0);
    expect(killFiles(house)).toEqual([]);
  });

  it('that no bot ever heard of holds with another key, too', async () => {
    const house = await houseForTest();
    await house.exchange();
    expect(await house.run(['kill', 'bot.yaml', '--json']).exit).toBe(0);
    change(house, rotated);
    const { child, sight } = await house.startedBot();
    await until('the bot to know', () => sight.killed());
    expect(await house.run(['resume', 'bot.yaml']).exit).toBe(0);
    await until('the bot to quote', () => sight.quotes());
    expect(await child.end('SIGTERM')).toBe(0);
  });

  it.each([
    [
      'by command, where no bot ran',
      async (house: House) => expect(await house.run(['kill', 'bot.yaml', '--json']).exit).toBe(0),
    ],
    [
      'over HTTP, of a bot that ended',
      async (house: House) => {
        const { child, sight } = await house.bot();
        await sight.command('/kill');
        await until('the bot to know', () => sight.killed());
        expect(await child.end('SIGTERM')).toBe(EXIT.killLatched);
      },
    ],
  ])('%s, holds for a start from another folder until a person resumes from a third', async (_, kill) => {
    const house = await houseForTest();
    await house.exchange();
    await kill(house);
    const { child, sight } = await house.startedBot(AWAY_WITH_FILE);
    await until('the bot to know', () => sight.killed());
    expect(await house.isEmpty()).toBe(true);
    expect(await house.run(['resume', join(house.dir, 'bot.yaml')], THIRD).exit).toBe(0);
    await until('the bot to quote', () => sight.quotes());
    expect(await child.end('SIGTERM')).toBe(0);
    expect(killFiles(house)).toEqual([]);
    const { child: next } = await house.bot();
    expect(await next.end('SIGTERM')).toBe(0);
  });

  it('of a bot is resumed over HTTP for its account, wherever it was latched', async () => {
    const house = await houseForTest();
    await house.exchange();
    expect(await house.run(['kill', 'bot.yaml', '--json']).exit).toBe(0);
    const { child, sight } = await house.startedBot(AWAY_WITH_FILE);
    await until('the bot to know', () => sight.killed());
    expect(await sight.command('/resume')).toBe(200);
    await until('the bot to quote', () => sight.quotes());
    expect(await child.end('SIGTERM')).toBe(0);
    const { child: next } = await house.bot();
    expect(await next.end('SIGTERM')).toBe(0);
  });

  it.each([
    ['another folder', same, AWAY],
    ['another folder, with another key', rotated, AWAY],
    ['the same folder, under another name', renamed, HERE],
    ['the same folder, with another spelling of the address', respelled, HERE],
  ])('by command from %s stops the bot that runs', async (_, how, through) => {
    const house = await houseForTest();
    await house.exchange();
    const { child: bot, sight } = await house.bot();
    change(house, how, 'other.yaml');
    const file = join(house.dir, 'other.yaml');
    const kill = house.run(['kill', file, '--json'], through);
    expect(await kill.exit).toBe(0);
    expect(await sight.killed()).toBe(true);
    expect(await house.isEmpty()).toBe(true);
    expect(kill.events('kill-latched').at(-1)).toMatchObject({
      path: expect.stringContaining(`127.0.0.1-${house.port}-play_money-1`),
    });
    expect(await house.run(['resume', file], through).exit).toBe(0);
    await until('the bot to quote', () => sight.quotes());
    expect(await bot.end('SIGTERM')).toBe(0);
  });
});

describe('a fence', PATIENCE, () => {
  it.each([
    ['another key', rotated],
    ['another name of the venue', renamed],
  ])('keeps a bot out whose file has %s now, and is cleared with that file', async (_, how) => {
    const house = await houseForTest();
    await house.exchange();
    const guard = await house.guard();
    const { child: bot } = await house.bot();
    await guard.event('watching');
    await bot.end('SIGKILL');
    const { path } = (await guard.event('fence-raised')) as { readonly path: string };
    change(house, how);
    const refused = house.run(['run', 'bot.yaml', '--json']);
    expect(await refused.exit).toBe(EXIT.killLatched);
    expect(refused.said).toContain(path);
    expect(refused.said).toContain('oddsmith guard clear bot.yaml');
    await guard.event('proved');
    expect(await house.run(['guard', 'clear', 'bot.yaml']).exit).toBe(0);
    await guard.event('fence-cleared');
    const { child: next } = await house.bot();
    // The guard of the file as it was finds the bot.
    await guard.event('watching', 1);
    expect(await next.end('SIGTERM')).toBe(0);
    expect(await guard.end('SIGTERM')).toBe(0);
    expect(guard.events('alarm')).toHaveLength(1);
  });
});

describe('a guard', PATIENCE, () => {
  it.each([
    ['another folder', same, AWAY],
    ['the same folder, with another key and name', (text: string) => renamed(rotated(text)), HERE],
  ])('from %s looks after the bot that runs', async (_, how, through) => {
    const house = await houseForTest();
    await house.exchange();
    change(house, how, 'other.yaml');
    const file = join(house.dir, 'other.yaml');
    const guard = house.run(['guard', file, '--json'], through);
    await guard.event('waiting');
    const { child: bot } = await house.bot();
    await guard.event('watching');
    await bot.end('SIGKILL');
    await guard.event('fence-raised');
    await until('nothing of the bot at the venue', () => house.isEmpty());
    await guard.event('proved');
    const refused = house.run(['run', 'bot.yaml', '--json']);
    expect(await refused.exit).toBe(EXIT.killLatched);
    expect(await house.run(['guard', 'clear', 'bot.yaml']).exit).toBe(0);
    await guard.event('fence-cleared');
    expect(await guard.end('SIGTERM')).toBe(0);
  });

  it('is the only one of a bot', async () => {
    const house = await houseForTest();
    await house.exchange();
    const guard = await house.guard();
    await house.bot();
    await guard.event('watching');
    const second = house.run(['guard', join(house.dir, 'bot.yaml'), '--json'], AWAY);
    expect(await second.exit).toBe(2);
    expect(second.said).toContain('already runs it');
  });
});
