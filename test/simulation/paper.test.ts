import { expect, it } from 'vitest';
import { MemoryJournal } from '../support/disk/memory-journal.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { onPaper, type PaperBot, startPaper } from '../support/simulation/paper-bot.js';
import { paperBesideLive } from '../support/simulation/paper-sessions.js';
import { STORM } from '../support/simulation/network.js';
import { World } from '../support/simulation/world.js';

it('fills within a fifth of what a live bot of the same file and seed is filled', async () => {
  const { live, paper, table } = await paperBesideLive(2, 2);
  console.info(table);
  expect(live).toBeGreaterThan(100);
  expect(Math.abs(paper / live - 1)).toBeLessThan(0.2);
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

it('goes on through lost frames, late answers and broken connections, and knows its own account at the end', async () => {
  const world = new World({ seed: 1 });
  const { bot } = await startPaper(world, {
    folder: scratchFolder(),
    journal: new MemoryJournal(),
    settings: (settings) => onPaper(settings, { scenario: 'expected' }),
  });
  world.network.weather = STORM;
  for (let cut = 0; cut < 3; cut++) {
    await world.run(15_000);
    bot.line.lose('cut', 2_000);
    await world.run(10_000);
  }
  const { view } = bot;
  expect(bot.broken).toBe(null);
  expect(view.counts.fills).toBeGreaterThan(20);
  expect(view.counts.differences).toEqual({});
  expect(view.killed).toBe(null);
  bot.stop();
  await world.run(30_000);
  expect(bot.end?.outcome).toBe('clean');
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
