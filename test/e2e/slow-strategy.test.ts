import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

/** Quotes; after a while it takes a fifth of a second for three answers, and is as quick as before after them. */
const SLOW = `import { defineStrategy, NO_QUOTES, passiveBid, quoteAt } from 'oddsmith/sdk';

let asked = 0;

export default defineStrategy({
  name: 'slow',
  params: {},
  quote(context) {
    asked += 1;
    const end = performance.now() + (asked > 30 && asked <= 33 ? 200 : 0);
    while (performance.now() < end);
    const bid = passiveBid(0.3, context);
    return bid === null ? NO_QUOTES : { bids: [quoteAt(bid, 10, { fair: bid })], asks: [] };
  },
});
`;

it(
  'a strategy that takes too long is stopped, replays the same, and goes on when a person resumes',
  { timeout: 600_000 },
  async () => {
    const house = await houseForTest();
    writeFileSync(join(house.dir, 'slow.ts'), SLOW);
    const file = join(house.dir, 'bot.yaml');
    const text = readFileSync(file, 'utf8')
      .replace('inventory-skew', './slow.ts')
      .replace(/params: \{.*\}/, 'params: {}');
    const settings = 'quoting: { strategyMaxMs: 150, strategyOverruns: 3 }\ntape: { record: true }\n';
    writeFileSync(file, text + settings);
    await house.exchange();
    const bot = await house.startedBot();
    await until('the strategy to be stopped', async () =>
      (await bot.sight.ready()).reasons.some((reason) =>
        reason.includes('ms to answer, and more than 150 ms 3'),
      ),
    );
    await until('its quotes to be gone', () => house.isEmpty());
    expect(await bot.sight.command('/resume')).toBe(200);
    await until('the bot to quote', () => bot.sight.quotes());
    expect(await bot.child.end('SIGTERM')).toBe(0);
    const runs = join(house.dir, '.oddsmith', 'runs');
    const parity = house.run(['parity', join(runs, readdirSync(runs)[0]!)]);
    expect([await parity.exit, parity.said]).toEqual([0, expect.stringMatching(/identical/)]);
  },
);
