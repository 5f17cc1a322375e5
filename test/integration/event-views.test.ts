/** What a strategy sees of its event, of its limits and of the time that is left. */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import type { EventView, RoomView } from '../../src/core/strategy/contract.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { BEGIN, type Level, linesOfMarket } from '../support/tape/neutral-lines.js';

const [ONE, OTHER] = [linesOfMarket(3001), linesOfMarket(3002)];
const BIDS: readonly Level[] = [[0.4, 100]];
const ASKS: readonly Level[] = [[0.5, 100]];
/** Two outcomes with books, somebody sells the first through our bid, and later it moves. */
const LINES = [
  ...[ONE, OTHER].map(({ book }) => book(0, BIDS, ASKS)),
  ONE.trade(10_000, 0.4, 20, 'ask'),
  ...[1, 2].map((more) => ONE.book(10_000 + more, BIDS, [[0.5, 100 + more]])),
  ...[12_000, 30_000].map((at) => OTHER.book(at, BIDS, [[0.5, 90 + at / 1_000]])),
];
/** Bids for 20 shares of the first outcome at 0.45, and for 10 of the second at 0.41. */
const BIDDING = `import { defineStrategy, quoteAt } from 'oddsmith/sdk';
export default defineStrategy({
  name: 'bidding',
  params: {},
  quote({ market, inventory, room, event }) {
    if (event.scenarios.length < 3 || room.bidShares < 0) throw new Error('nothing is seen');
    if (inventory.net > 0) return { bids: [], asks: [] };
    const [price, shares] = market.id === '3001' ? [0.45, 20] : [0.41, 10];
    return { bids: [quoteAt(price, shares, { fixed: price })], asks: [] };
  },
});
`;

interface Seen {
  readonly market: string;
  readonly room: RoomView;
  readonly event: Pick<EventView, 'winners' | 'exhaustive' | 'scenarios' | 'closesFrom' | 'msToClose'>;
}

/** A bot's file with that said of the event, beside a recording with those notes. */
function fileWith(event: string, notes: object = {}, third = ''): string {
  const folder = scratchFolder();
  const recording = join(folder, 'recording.ndjson');
  writeFileSync(recording, `${LINES.join('\n')}\n`);
  const note = (market: number) => ({ event: 300, market, file: basename(recording), ...notes });
  writeFileSync(join(folder, 'markets.json'), JSON.stringify([note(3001), note(3002)]));
  writeFileSync(join(folder, 'strategy.ts'), BIDDING);
  const file = join(folder, 'bot.yaml');
  writeFileSync(
    file,
    `events: [{ id: 300, markets: [{ id: 3001 }, { id: 3002 }${third}]${event} }]
instances:
  - name: one
    strategy: ./strategy.ts
    markets: [3001, 3002]
    limits: { maxPositionShares: 300, maxEventLoss: 200, maxCategoryLoss: 120, maxAccountLoss: 150, maxLocked: 50, coherentQuotes: false }
backtest: { recordings: [${recording}] }
`,
  );
  return file;
}

const analysesWith = async (event: string) =>
  (await runBacktest({ ...loadBotSettings(fileWith(event), {}), analyse: true })).analyses;

/** What the strategy was asked with at every call. */
async function seenWith(event: string, notes: object = {}, third = ''): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  await runBacktest({
    ...loadBotSettings(fileWith(event, notes, third), {}),
    watch: (scenario) =>
      scenario !== 'pessimistic'
        ? {}
        : {
            looked: ({ marketId, halt, context: { event: view, room } }) => {
              if (halt !== null) return;
              const { winners, exhaustive, scenarios, closesFrom, msToClose } = view;
              seen.push({
                market: marketId,
                room,
                event: { winners, exhaustive, scenarios, closesFrom, msToClose },
              });
            },
          },
  });
  return seen;
}
const last = (seen: readonly Seen[], market: string) => seen.filter((one) => one.market === market).at(-1)!;

describe('a strategy sees', () => {
  it('what each ending brings, with what is held and with the orders that wait', async () => {
    const { event } = last(await seenWith(', resolutionMode: exclusive'), '3002');
    expect(event).toMatchObject({ winners: { least: 0, most: 1 }, exhaustive: false });
    // 20 shares were bought at 0.45, and a bid for 10 at 0.41 is open.
    expect(event.scenarios).toEqual([
      { ending: 'wins', market: '3001', profit: 20 * 0.55 - 10 * 0.41 },
      { ending: 'wins', market: '3002', profit: -20 * 0.45 },
      { ending: 'none', market: null, profit: expect.closeTo(-20 * 0.45 - 10 * 0.41, 9) },
      { ending: 'void', market: null, profit: expect.closeTo(-20 * 0.45 - 10 * 0.41, 9) },
    ]);
  });

  it('the same that a report says that the event could cost at worst', async () => {
    const [pessimistic] = await analysesWith(', resolutionMode: exclusive');
    // Both bids open: 20 at 0.45 and 10 at 0.41.
    expect(pessimistic!.events[0]!.worstCase).toBeCloseTo(-20 * 0.45 - 10 * 0.41, 9);
  });

  it('how many outcomes win', async () => {
    const winnersWith = async (event: string) => {
      const view = last(await seenWith(event), '3001').event;
      return [view.winners.least, view.winners.most, view.exhaustive];
    };
    expect(await winnersWith(', exhaustive: true')).toEqual([1, 1, true]);
    expect(await winnersWith(', resolutionMode: non_exclusive')).toEqual([0, 2, false]);
  });

  it('what the worst set of a known number of winners brings, in its scenarios and its room', async () => {
    const asked = async (event: string) => last(await seenWith(event, {}, ', { id: 3003 }'), '3002');
    const any = await asked(', resolutionMode: non_exclusive');
    const two = await asked(', winners: 2');
    // Two of three win, so the first two never lose together.
    expect(two.event.scenarios.map(({ ending }) => ending)).toEqual(['wins', 'wins', 'wins', 'void']);
    expect(any.event.scenarios.map(({ ending }) => ending)).toEqual(['wins', 'wins', 'wins', 'none', 'void']);
    const profits = ({ event }: Seen) => event.scenarios.map(({ profit }) => Math.round(profit * 100) / 100);
    expect(profits(two)).toEqual([6.9, -9, -9, -9]);
    expect(profits(any)).toEqual([6.9, -9, -13.1, -13.1, -13.1]);
  });

  it('what the limits leave to a new ladder, its own orders not counted', async () => {
    const { room } = last(await seenWith(', resolutionMode: exclusive, category: sport'), '3001');
    const costs = 20 * 0.45 + 10 * 0.41;
    expect(room).toEqual({
      bidShares: 280,
      askShares: 320,
      orderShares: 1_000,
      orderAmount: 1_000,
      eventLoss: expect.closeTo(200 - costs, 9),
      categoryLoss: expect.closeTo(120 - costs, 9),
      accountLoss: expect.closeTo(150 - costs, 9),
      locked: expect.closeTo(50 - 10 * 0.41, 9),
      taking: 0,
    });
  });

  it('when betting closes, and who says so', async () => {
    const at = (ms: number) => new Date(BEGIN + ms).toISOString();
    /** As seen at the first call, five seconds after the beginning. */
    const closing = async (event: string, notes: object = {}) => {
      const { closesFrom, msToClose } = (await seenWith(event, notes))[0]!.event;
      return [closesFrom, msToClose === null ? null : Math.round(msToClose / 1_000)];
    };
    expect(await closing('')).toEqual([null, null]);
    expect(await closing(`, closes: "${at(60_000)}"`)).toEqual(['file', 55]);
    expect(await closing('', { close_t: BEGIN + 30_000 })).toEqual(['recording', 25]);
    expect(await closing('', { market_time: at(90_000) })).toEqual(['recording', 85]);
    expect(await closing(`, closes: "${at(60_000)}"`, { close_t: BEGIN + 30_000 })).toEqual(['file', 55]);
  });

  it('no closing time once what was scheduled is past: betting goes on', async () => {
    const seen = await seenWith('', { market_time: new Date(BEGIN + 10_000).toISOString() });
    expect(seen[0]!.event.closesFrom).toBe('recording');
    expect(seen.at(-1)!.event).toMatchObject({ closesFrom: null, msToClose: null });
  });
});
