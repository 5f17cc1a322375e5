/** A strategy of a whole event: asked once a step, for all outcomes, live as in a backtest. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EventQuoter } from '../../src/core/engine/quoting/event-quoter.js';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { BEGIN, type Level, linesOfMarket, recordingOf } from '../support/tape/neutral-lines.js';

const IDS = [3001, 3002, 3003];
const [ONE, TWO, THREE] = IDS.map((id) => linesOfMarket(id)) as [Lines, Lines, Lines];
type Lines = ReturnType<typeof linesOfMarket>;
const BIDS: readonly Level[] = [[0.28, 100]];
const ASKS: readonly Level[] = [[0.38, 100]];
/** Three outcomes; the second moves at 10 s, the third is suspended at 20 s, everything is decided at 40 s. */
const LINES = [
  ...[ONE, TWO, THREE].map(({ book }) => book(0, BIDS, ASKS)),
  TWO.book(10_000, [[0.3, 100]], ASKS),
  THREE.status(20_000, 'closed'),
  TWO.book(30_000, [[0.29, 100]], ASKS),
];

/** How often it was asked is in its state and, up to five times, in the shares that it bids for. */
const COUNTING = `import { defineEventStrategy, quoteAt } from 'oddsmith/sdk';
export default defineEventStrategy({
  name: 'counting',
  params: {},
  initialState: { asked: 0 },
  quote({ event, markets, state }) {
    const shares = 10 + Math.min(5, state.asked);
    const ladders = {};
    for (const { market, book } of markets)
      ladders[market.id] = { bids: [quoteAt(0.2, shares, { fixed: 0.2 })], asks: [] };
    return { ladders, state: { asked: state.asked + 1 } };
  },
});
`;

interface Wanted {
  readonly at: number;
  readonly bids: readonly { readonly price: number; readonly shares: number }[];
}

/** Markets looked at by step, milliseconds since the beginning, and what was wanted of each last. */
async function ran(
  strategy: string,
  more: { readonly instance?: string; readonly limits?: string; readonly lines?: readonly string[] } = {},
) {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'strategy.ts'), strategy);
  const file = join(folder, 'bot.yaml');
  writeFileSync(
    file,
    `events: [{ id: 300, resolutionMode: exclusive, exhaustive: true, markets: [{ id: 3001 }, { id: 3002 }, { id: 3003 }] }]
instances:
  - name: all
    strategy: ${strategy.includes('\n') ? './strategy.ts' : strategy}
    markets: [3001, 3002, 3003]
    limits: { maxPositionShares: 300, maxEventLoss: 200${more.limits ?? ''} }
${more.instance ?? ''}
backtest: { recordings: [${recordingOf(more.lines ?? LINES)}] }
`,
  );
  const asked: { readonly at: number; readonly market: string }[] = [];
  const wanted = new Map<string, Wanted>();
  const result = await runBacktest({
    ...loadBotSettings(file, {}),
    analyse: true,
    watch: (scenario) => {
      let at = 0;
      if (scenario !== 'pessimistic') return {};
      return {
        took: (stamped) => void (at = stamped.at / 1_000 - BEGIN),
        looked: ({ marketId, halt }) => void (halt === null && asked.push({ at, market: marketId })),
        planned: ({ marketId, intent }) => {
          if (intent !== null) wanted.set(marketId, { at, bids: intent.bids });
        },
      };
    },
  });
  return { asked, wanted, result };
}

describe('an event strategy', () => {
  it('is asked once for all outcomes when one of them changes, halted ones left out', async () => {
    const { asked } = await ran(COUNTING);
    const at = (from: number) =>
      asked.filter((one) => one.at >= from && one.at < from + 1_000).map(({ market }) => market);
    expect(at(10_000).slice(0, 3)).toEqual(['3001', '3002', '3003']);
    expect(at(30_000).slice(0, 2)).toEqual(['3001', '3002']);
    expect(at(30_000)).not.toContain('3003');
  });

  it('has one memory for the event, and one answer for all its markets', async () => {
    const { wanted } = await ran(COUNTING);
    const shares = ['3001', '3002'].map((id) => wanted.get(id)!.bids[0]!.shares / 100);
    expect(shares).toEqual([15, 15]);
    expect(wanted.get('3003')!.at).toBeLessThan(20_000);
  });

  it('goes through modifiers in each market', async () => {
    const instance = '    modifiers: [{ modifier: near-extremes, params: { full: 0.5 } }]\n';
    const { wanted } = await ran(COUNTING, { instance });
    const plain = await ran(COUNTING);
    expect(wanted.get('3001')!.bids[0]!.shares).toBeLessThan(plain.wanted.get('3001')!.bids[0]!.shares);
  });

  it.each([
    [
      'of another market',
      "ladders['99'] = { bids: [], asks: [] };",
      /market 99 is not an outcome of the event/,
    ],
    ['without a side', "ladders['3002'] = { bids: [] };", /the ladder has no array of asks/],
    ['that throws', "throw new Error('no idea');", /no idea/],
  ])('is stopped as a whole for an answer %s', async (_, wrong, text) => {
    const { result, wanted } = await ran(COUNTING.replace('    return {', `    ${wrong}\n    return {`));
    expect(result.faults.join('\n')).toMatch(text);
    expect(wanted.size).toBe(0);
  });
});

describe('takes', () => {
  /** Asks of 0.38, 0.34 and 0.24: all three cost 0.96. */
  const cheap = [
    ...[0.38, 0.34, 0.24].map((ask, at) => [ONE, TWO, THREE][at]!.book(0, [[0.2, 100]], [[ask, 50]])),
    ...[10_000, 20_000, 30_000].map((at) => ONE.book(at, [[0.2, 100 + at / 1_000]], [[0.38, 50]])),
  ];
  const params = '    params: { shares: 10, maxInventory: 10 }\n';
  const taken = async (limits: string) => {
    const { result } = await ran('outcome-arbitrage', { lines: cheap, instance: params, limits });
    return result;
  };

  it('are impossible unless limits.taking allows them', async () => {
    const result = await taken('');
    expect(result.scenarios.map(({ fills }) => fills)).toEqual([0, 0, 0]);
    expect(result.refusals.join()).toMatch(/orders refused by taking: [1-9]/);
    const little = await taken(', taking: 9');
    expect(little.scenarios.map(({ fills }) => fills)).toEqual([0, 0, 0]);
  });

  it('trade at once within the limit, as a taker and once', async () => {
    const { scenarios, analyses, faults } = await taken(', taking: 20, maxTakenAmount: 0');
    expect([faults, scenarios[0]!.fills]).toEqual([[], 3]);
    const { fills } = analyses[0]!.total;
    expect([fills.shares, fills.makerShare]).toEqual([30, 0]);
    expect(analyses[0]!.markets.map(({ inventory }) => inventory.highest)).toEqual([10, 10, 10]);
  });
});

it('reserves nothing of limits.taking for an event that is halted', () => {
  const halted = { halt: 'event-paused', begin: () => undefined, finish: () => undefined };
  const event = new EventQuoter({} as never, seededRandom(1), () => undefined);
  event.outcomes.push(halted as never);
  event.taking = 20;
  event.quote(0 as never);
  expect(event.taking).toBe(0);
});

describe('unwinding', () => {
  /** Somebody sells 10 shares of the first outcome to its bid; its book is 0.29 and 0.31 from then on. */
  const sold = [
    ...[ONE, TWO, THREE].map(({ book }) => book(0, [[0.29, 100]], [[0.38, 100]])),
    ONE.trade(15_000, 0.3, 40, 'ask'),
    ...[16_000, 20_000, 30_000].map((at) => ONE.book(at, [[0.29, 100 + at / 1_000]], [[0.31, 50]])),
  ];
  const heldWith = async (params: string, limits = ', taking: 20') => {
    const instance = `    params: { shares: 10, halfSpread: 0.01, ${params} }\n`;
    const { result } = await ran('event-coherent', { lines: sold, instance, limits });
    expect(result.faults).toEqual([]);
    const { markets, total } = result.analyses[0]!;
    return { held: markets[0]!.inventory.last, makers: total.fills.makerShare };
  };

  it('sells what is held beyond the bound to bids, and no more', async () => {
    expect(await heldWith('unwindBeyond: 4')).toEqual({
      held: 4,
      makers: expect.closeTo(10 / 16, 9) as number,
    });
    expect(await heldWith('unwindBeyond: 0')).toEqual({ held: 10, makers: 1 });
  });

  it('keeps to the worst price and to what limits.taking allows', async () => {
    expect((await heldWith('unwindBeyond: 4, unwindCost: 0.002')).held).toBe(10);
    expect((await heldWith('unwindBeyond: 4', '')).held).toBe(10);
    const { held } = await heldWith('unwindBeyond: 4', ', taking: 1');
    expect(held).toBeLessThan(10);
    expect((10 - held) * 0.29).toBeLessThanOrEqual(1);
  });
});

describe.each(['event-coherent', 'lmsr'])('the bundled %s', (name) => {
  it('quotes all outcomes of a recorded event and is filled', async () => {
    const crossed = [ONE, TWO, THREE].map(({ trade }) => trade(15_000, 0.3, 40, 'ask'));
    const lines = [
      ...LINES.slice(0, 3),
      ...crossed,
      ...[ONE, TWO, THREE].map(({ book }) => book(16_000, [[0.27, 100]], ASKS)),
      ...[ONE, TWO, THREE].map(({ book }) => book(30_000, [[0.26, 100]], ASKS)),
    ];
    const { wanted, result } = await ran(name, { lines });
    expect([...wanted.values()].every(({ bids }) => bids.length > 0)).toBe(true);
    expect([result.faults, result.scenarios.every(({ fills }) => fills > 0)]).toEqual([[], true]);
  });
});
