/** Sessions of a live and a paper bot with the same file and seed, each on an exchange of its own. */
import { MemoryJournal } from '../disk/memory-journal.js';
import { scratchFolder } from '../disk/scratch-folder.js';
import { onPaper, startPaper } from './paper-bot.js';
import type { SimulatedBot } from './simulated-bot.js';
import { World } from './world.js';

const SETTLED_MS = 2_000;

/** Whole shares that were filled, by market. */
type Filled = ReadonlyMap<string, number>;

export interface SessionTotals {
  readonly live: number;
  readonly paper: number;
  /** A line for each session, each market and all of it. */
  readonly table: string;
}

/** @returns shares filled in sessions from seed 1 on; each begins a world of its own */
export async function paperBesideLive(sessions: number, minutes: number): Promise<SessionTotals> {
  const head = [
    'shares filled'.padEnd(24),
    'live'.padStart(10),
    'paper'.padStart(10),
    'paper is'.padStart(9),
  ];
  const lines = [head.join(' ')];
  const byMarket = new Map<string, [number, number]>();
  for (let seed = 1; seed <= sessions; seed++) {
    const [live, paper] = [
      filled(await liveSession(seed, minutes)),
      filled(await paperSession(seed, minutes)),
    ];
    lines.push(row(`session ${seed}`, sumOf(live), sumOf(paper)));
    for (const [market, shares] of live) {
      const [before, beforePaper] = byMarket.get(market) ?? [0, 0];
      byMarket.set(market, [before + shares, beforePaper + (paper.get(market) ?? 0)]);
    }
  }
  for (const [market, [live, paper]] of byMarket) lines.push(row(market, live, paper));
  const total = (at: 0 | 1): number => [...byMarket.values()].reduce((sum, both) => sum + both[at], 0);
  lines.push(row('all', total(0), total(1)));
  return { live: total(0), paper: total(1), table: lines.join('\n') };
}

async function liveSession(seed: number, minutes: number): Promise<SimulatedBot> {
  const world = new World({ seed });
  await world.run(SETTLED_MS);
  const bot = await world.start();
  await world.run(minutes * 60_000);
  return bot;
}

async function paperSession(seed: number, minutes: number): Promise<SimulatedBot> {
  const world = new World({ seed });
  await world.run(SETTLED_MS - 1_000);
  const { bot } = await startPaper(world, {
    folder: scratchFolder(),
    journal: new MemoryJournal(),
    settings: (settings) => onPaper(settings, { scenario: 'expected' }),
  });
  await world.run(minutes * 60_000);
  return bot;
}

function filled(bot: SimulatedBot): Filled {
  if (bot.broken !== null) throw new Error('a bot broke', { cause: bot.broken });
  return new Map(bot.view.markets.map(({ title, marketId }) => [title, sharesIn(bot, marketId)]));
}

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
