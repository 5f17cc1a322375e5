/** A strategy remembers across a kill, in real processes. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { House } from '../support/house/house.js';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

/** Remembers how often it was asked; quotes lower the more often that was, so that decisions depend on it. */
const COUNTING = `import { defineStrategy, passiveBid, quoteAt } from 'oddsmith/sdk';

export default defineStrategy({
  name: 'counting',
  params: {},
  initialState: { asked: 0 },
  stateVersion: 1,
  quote(context) {
    const asked = context.state.asked + 1;
    const price = 0.3 - 0.01 * (Math.floor(asked / 10) % 5);
    const bid = passiveBid(price, context);
    return { bids: bid === null ? [] : [quoteAt(bid, 10, { price: bid })], asks: [], state: { asked } };
  },
});
`;

async function countingHouse(): Promise<House> {
  const house = await houseForTest();
  writeFileSync(join(house.dir, 'counting.ts'), COUNTING);
  const file = join(house.dir, 'bot.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    `${text.replace('inventory-skew', './counting.ts').replace(/params: \{.*\}/, 'params: {}')}tape: { record: true }\n`,
  );
  await house.exchange();
  return house;
}

type Shown = readonly {
  readonly states: readonly { readonly id: string; readonly state: { asked: number } }[];
}[];

async function askedIn(house: House, market = '11'): Promise<number> {
  const show = house.run(['state', 'show', 'bot.yaml', '--json']);
  expect(await show.exit).toBe(0);
  const [place] = JSON.parse(show.said) as Shown;
  return place?.states.find(({ id }) => id === market)?.state.asked ?? 0;
}

const lastRun = (house: House): string =>
  readdirSync(join(house.dir, '.oddsmith', 'runs'))
    .map((name) => join(house.dir, '.oddsmith', 'runs', name))
    .toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs)
    .at(-1)!;

describe('the state of a strategy', { timeout: 600_000 }, () => {
  it('survives kill -9, is on the tape of the next run, and can be reset once no bot runs', async () => {
    const house = await countingHouse();
    const bot = await house.bot();
    await until('the state to be kept', async () => (await askedIn(house)) > 10);
    await bot.child.end('SIGKILL');
    const before = await askedIn(house);
    const next = await house.bot();
    await until('the state to go on', async () => (await askedIn(house)) > before + 5);

    const refused = house.run(['state', 'reset', 'bot.yaml']);
    expect(await refused.exit).toBe(2);
    expect(refused.said).toMatch(/already runs it .*Stop it first/);

    expect(await next.child.end('SIGTERM')).toBe(0);
    const parity = house.run(['parity', lastRun(house)]);
    expect([await parity.exit, parity.said]).toEqual([0, expect.stringMatching(/identical/)]);

    const reset = house.run(['state', 'reset', 'bot.yaml', '--instance', 'first', '--market', '11']);
    expect([await reset.exit, reset.said]).toEqual([0, expect.stringMatching(/^removed 1 from /)]);
    expect([await askedIn(house), (await askedIn(house, '12')) > 0]).toEqual([0, true]);
  });
});
