import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { House, RunningBot } from '../support/house/house.js';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

/** Quotes, throws once, and would go on. */
const BRITTLE = `import { defineStrategy, NO_QUOTES, passiveBid, quoteAt } from 'oddsmith/sdk';

let asked = 0;

export default defineStrategy({
  name: 'brittle',
  params: {},
  quote(context) {
    asked += 1;
    if (asked === 20) throw new Error('at a loss');
    const bid = passiveBid(0.3, context);
    return bid === null ? NO_QUOTES : { bids: [quoteAt(bid, 10, { fair: bid })], asks: [] };
  },
});
`;

async function brittleHouse(): Promise<House> {
  const house = await houseForTest();
  writeFileSync(join(house.dir, 'brittle.ts'), BRITTLE);
  const file = join(house.dir, 'bot.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('inventory-skew', './brittle.ts').replace(/params: \{.*\}/, 'params: {}'));
  await house.exchange();
  return house;
}

const isStopped = async ({ sight }: RunningBot): Promise<boolean> =>
  (await sight.ready()).reasons.some((reason) => reason.includes('at a loss (brittle.ts:'));

const byCommand = async (house: House): Promise<void> => {
  const resume = house.run(['resume', 'bot.yaml']);
  expect(await resume.exit).toBe(0);
  expect(resume.said).toMatch(/strategy instance first, stopped: Error: at a loss \(brittle\.ts:\d+:\d+\)/);
};
const byHttp = async (_house: House, { sight }: RunningBot): Promise<void> =>
  expect(await sight.command('/resume')).toBe(200);

const stoppedFiles = (house: House): readonly string[] =>
  readdirSync(join(house.dir, '.oddsmith', 'accounts'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('stopped.json'),
  );

describe('a strategy that threw', { timeout: 600_000 }, () => {
  it.each([
    ['oddsmith resume', byCommand],
    ['POST /resume', byHttp],
  ])('quotes again after %s', async (_how, resume) => {
    const house = await brittleHouse();
    const bot = await house.startedBot();
    await until('the strategy to throw', () => isStopped(bot));
    await until('its quotes to be gone', () => house.isEmpty());
    await resume(house, bot);
    await until('the bot to quote', () => bot.sight.quotes());
    expect(await isStopped(bot)).toBe(false);
    expect(await bot.child.end('SIGTERM')).toBe(0);
    expect(stoppedFiles(house)).toEqual([]);
  });

  it('is named at the end of its run, and a restart begins it anew', async () => {
    const house = await brittleHouse();
    const bot = await house.startedBot();
    await until('the strategy to throw', () => isStopped(bot));
    expect(await bot.child.end('SIGTERM')).toBe(0);
    const summary = await bot.child.event('summary');
    expect(summary).toMatchObject({
      outcome: 'clean',
      stopped: [{ instance: 'first', strategy: 'brittle' }],
    });
    expect(JSON.stringify(summary['stopped'])).toMatch(/at a loss \(brittle\.ts:\d+:\d+\)/);
    const report = JSON.parse(readFileSync(String(summary['report']).replace(/html$/, 'json'), 'utf8')) as {
      readonly remarks: readonly string[];
    };
    expect(report.remarks[0]).toMatch(/strategy instance first was stopped: .*brittle\.ts:\d+:\d+/);
    expect(stoppedFiles(house)).toEqual([]);
    const next = await house.bot();
    expect(await next.child.end('SIGTERM')).toBe(0);
  });
});
