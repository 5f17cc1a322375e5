/** A paper bot beside a live one: same file, same seed, an exchange of its own, so that neither stands in the other's way. */
import { expect, it } from 'vitest';
import { MemoryJournal } from '../support/disk/memory-journal.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { onPaper, type PaperBot, startPaper } from '../support/simulation/paper-bot.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import { World } from '../support/simulation/world.js';

/** `npm run test:deep` and `npm test`. */
const [SESSIONS, MINUTES] = process.env['ODDSMITH_DEEP'] === '1' ? [10, 10] : [2, 2];
const SETTLED_MS = 2_000;

/** Whole shares that were filled, by market. */
type Filled = ReadonlyMap<string, number>;

async function liveSession(seed: number): Promise<SimulatedBot> {
  const world = new World({ seed });
  await world.run(SETTLED_MS);
  const bot = await world.start();
  await world.run(MINUTES * 60_000);
  return bot;
}

async function paperSession(seed: number): Promise<SimulatedBot> {
  const world = new World({ seed });
  await world.run(SETTLED_MS - 1_000);
  const { bot } = await startPaper(world, {
    folder: scratchFolder(),
    journal: new MemoryJournal(),
    settings: (settings) => onPaper(settings, { scenario: 'expected' }),
  });
  await world.run(MINUTES * 60_000);
  return bot;
}

const filled = (bot: SimulatedBot): Filled =>
  new Map(bot.view.markets.map(({ title, marketId }) => [title, sharesIn(bot, marketId)]));

function sharesIn(bot: SimulatedBot, market: string): number {
  const shares = bot.inputs.map(({ input }) =>
    input.kind === 'order' && input.report.marketId === market ? Number(input.report.filledNow ?? 0) : 0,
  );
  return shares.reduce((sum, one) => sum + one, 0) / 100;
}

const sumOf = (filled: Filled): number => [...filled.values()].reduce((sum, one) => sum + one, 0);

const row = (name: string, live: number, paper: number): string =>
  `${name.padEnd(24)} ${live.toFixed(2).padStart(10)} ${paper.toFixed(2).padStart(10)} ` +
  (live === 0 ? '-' : `${(((paper - live) / live) * 100).toFixed(1)} %`).padStart(9);

it(`fills within a fifth of what a live bot is filled, in ${SESSIONS} sessions of ${MINUTES} minutes`, async () => {
  const lines = [
    `${'shares filled'.padEnd(24)} ${'live'.padStart(10)} ${'paper'.padStart(10)} ${'paper is'.padStart(9)}`,
  ];
  const total = { live: 0, paper: 0 };
  const byMarket = new Map<string, [number, number]>();
  for (let seed = 1; seed <= SESSIONS; seed++) {
    const [live, paper] = [await liveSession(seed), await paperSession(seed)];
    expect([live.broken, paper.broken]).toEqual([null, null]);
    const [ours, theirs] = [filled(live), filled(paper)];
    lines.push(row(`session ${seed}`, sumOf(ours), sumOf(theirs)));
    total.live += sumOf(ours);
    total.paper += sumOf(theirs);
    for (const [market, shares] of ours) {
      const [before, beforePaper] = byMarket.get(market) ?? [0, 0];
      byMarket.set(market, [before + shares, beforePaper + (theirs.get(market) ?? 0)]);
    }
  }
  for (const [market, [live, paper]] of byMarket) lines.push(row(market, live, paper));
  console.info([...lines, row('all', total.live, total.paper)].join('\n'));
  expect(total.live).toBeGreaterThan(100);
  expect(Math.abs(total.paper / total.live - 1)).toBeLessThan(0.2);
});

type Money = Readonly<Record<'OOM', number>>;

interface Books {
  readonly accounts: readonly { readonly cash: Money; readonly locked: Money }[];
  readonly bookAccounts: readonly { readonly holdings: readonly { readonly shares: number }[] }[];
  readonly orders: readonly { readonly status: string }[];
  readonly lastOrderId: number;
}

/** What outlives the process. */
function booksOf({ venue }: PaperBot) {
  const { accounts, bookAccounts, orders, lastOrderId } = venue.snapshot() as unknown as Books;
  const held = bookAccounts.flatMap(({ holdings }) => holdings.map(({ shares }) => shares));
  const resting = orders.filter(({ status }) => status === 'open' || status === 'partial_filled');
  const cash = accounts.map((one) => one.cash.OOM + one.locked.OOM);
  return { cash, held, resting: resting.length, lastOrderId };
}

it('keeps cash and positions over a process that is killed, and withdraws what rested', async () => {
  const world = new World({ seed: 3 });
  const options = { folder: scratchFolder(), journal: new MemoryJournal(), settings: onPaper };
  const first = await startPaper(world, options);
  await world.run(30_000);
  const before = structuredClone(booksOf(first));
  expect(before.held.some((shares) => shares > 0)).toBe(true);
  expect(before.resting).toBeGreaterThan(0);
  first.save();
  first.bot.kill();
  const second = await startPaper(world, options);
  const after = booksOf(second);
  expect(after).toMatchObject({ cash: before.cash, held: before.held, resting: 0 });
  expect(after.lastOrderId).toBeGreaterThan(before.lastOrderId);
  await world.run(20_000);
  expect(second.bot.view.counts.fills).toBeGreaterThan(0);
  expect(second.bot.notices.filter(({ level }) => level === 'error')).toEqual([]);
  second.bot.stop();
  await world.run(5_000);
  expect(second.bot.end?.outcome).toBe('clean');
});

it('is paid when the venue resolves a market, and says so to nobody at the venue', async () => {
  const world = new World({ seed: 4 });
  const { bot } = await startPaper(world, {
    folder: scratchFolder(),
    journal: new MemoryJournal(),
    settings: onPaper,
  });
  await world.runUntil('it holds shares', () => bot.view.markets[0]!.inventory.long > 0, 120_000);
  world.execute(
    { by: 'others' },
    {
      kind: 'resolve-event',
      eventId: 100 as never,
      resolutions: [{ marketId: 1001 as never, resolution: 'long' }],
    },
  );
  const before = bot.view.balance.total!;
  await world.run(70_000);
  const { view } = bot;
  expect(view.markets[0]!.inventory).toMatchObject({ long: 0, short: 0 });
  expect(view.balance.total!).toBeGreaterThan(before);
  expect(view.counts).toMatchObject({ differences: {} });
  expect(world.transport.seen.every(({ endpoint }) => endpoint === 'event' || endpoint === 'book')).toBe(
    true,
  );
  expect(bot.broken).toBe(null);
});
