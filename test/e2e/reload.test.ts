/** `oddsmith reload`, a saved file and SIGHUP, in real processes. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { House } from '../support/house/house.js';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

/** Replaces a part of the bot's file, which has to be there. */
function change(house: House, from: string, to: string): void {
  const file = join(house.dir, 'bot.yaml');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

async function apply(house: House, ...options: readonly string[]) {
  const child = house.run(['reload', 'bot.yaml', ...options]);
  return { exit: await child.exit, said: child.said };
}

async function scene(): Promise<House> {
  const house = await houseForTest();
  change(
    house,
    '    limits:',
    '    modifiers: [{ modifier: min-edge, params: { edge: 0.01 } }]\n    limits:',
  );
  change(house, 'guard:', 'tape: { record: true }\nreload: { onSave: false }\nguard:');
  await house.exchange();
  return house;
}

const marketsAtVenue = async (house: House): Promise<readonly number[]> => {
  const page = await house.venue.get('/orders/', { status: 'open', limit: 100, ordering: 'id' });
  return page.list('results').map((row) => (row as { readonly market: number }).market);
};

const sharesAtVenue = async (house: House): Promise<readonly number[]> => {
  const page = await house.venue.get('/orders/', { status: 'open', limit: 100, ordering: 'id' });
  return page.list('results').map((row) => Number((row as { readonly shares: string }).shares));
};

describe('oddsmith reload', { timeout: 600_000 }, () => {
  it('hands live parameters to the bot that runs, which says who did, and replays the same', async () => {
    const house = await scene();
    const bot = await house.bot();
    change(house, 'shares: 10', 'shares: 7');
    change(house, 'edge: 0.01', 'edge: 0.012');
    const shown = await apply(house, '--dry-run');
    expect(shown.said).toContain('first.shares: 10 -> 7');
    expect(await apply(house)).toMatchObject({
      exit: 0,
      said: expect.stringMatching(/first\.min-edge\.edge: 0\.01 -> 0\.012\napplied by \S+@\S+ at 20/),
    });
    expect(bot.child.said).toMatch(/@\S+ at 20\S+ changed first\.shares: 10 -> 7, first\.min-edge\.edge/);
    await until('quotes of the new size', async () => (await sharesAtVenue(house)).includes(7));
    expect(await apply(house)).toMatchObject({ exit: 0, said: expect.stringContaining('nothing changes') });
    expect(await bot.child.end('SIGTERM')).toBe(0);
    const runs = join(house.dir, '.oddsmith', 'runs');
    const parity = house.run(['parity', join(runs, readdirSync(runs)[0]!)]);
    expect([await parity.exit, parity.said]).toEqual([0, expect.stringMatching(/identical/)]);
    expect(await apply(house)).toMatchObject({
      exit: 2,
      said: expect.stringMatching(/no bot of bot\.yaml runs/),
    });
  });

  it('changes nothing where one thing cannot be changed, or the file is not valid', async () => {
    const house = await scene();
    const bot = await house.bot();
    change(house, 'shares: 10', 'shares: 7');
    change(house, 'silenceMs: 2000', 'silenceMs: 3000');
    const refused = await apply(house);
    expect(refused.exit).toBe(2);
    expect(refused.said).toContain(
      'guard.silenceMs: 2000 -> 3000: read at the start only, so it takes a restart',
    );
    expect(refused.said).toContain('nothing was applied');
    change(house, 'silenceMs: 3000', 'silenceMs: 2000');
    change(house, 'shares: 7', 'shares: -7');
    expect(await apply(house)).toMatchObject({
      exit: 2,
      said: expect.stringMatching(/bot\.yaml:\d+:\d+.*shares/),
    });
    change(house, 'shares: -7', 'shares: 10');
    expect(await apply(house)).toMatchObject({ exit: 0, said: expect.stringContaining('nothing changes') });
    change(house, 'maxPositionShares: 400', 'maxPositionShares: 300');
    bot.child.signal('SIGHUP');
    await until('SIGHUP to be heard', () => bot.child.said.includes('SIGHUP changed first.limits'));
    expect(await bot.child.end('SIGTERM')).toBe(0);
  });

  it('takes over a saved file, also when another file takes its place', async () => {
    const house = await houseForTest();
    await house.exchange();
    const bot = await house.bot();
    change(house, 'markets: [11, 12, 13]', 'markets: [11, 13]');
    change(house, 'shares: 10', 'shares: 7');
    await until('the saved file', async () => (await sharesAtVenue(house)).includes(7));
    await until('market 12 to be left', async () => !(await marketsAtVenue(house)).includes(12));
    expect(bot.child.said).toContain('left: 12, whose quotes are withdrawn');
    const file = join(house.dir, 'bot.yaml');
    writeFileSync(`${file}.new`, readFileSync(file, 'utf8').replace('shares: 7', 'shares: 8'));
    renameSync(`${file}.new`, file);
    await until('the file that took its place', async () => (await sharesAtVenue(house)).includes(8));
    expect(await bot.child.end('SIGTERM')).toBe(0);
  });
});
