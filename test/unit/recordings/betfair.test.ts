/** Betfair's stream: offers are backs, stakes are halved, restatements are no trades. */
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { importFrames, words } from '../../support/tape/raw-import.js';

const ID = '1.9';
const runners = (...statuses: readonly string[]) =>
  statuses.map((status, at) => ({ id: at + 1, status, sortPriority: at + 1, name: `Runner ${at + 1}` }));
const definition = (status: string, statuses: readonly string[], more = {}) => ({
  status,
  inPlay: false,
  eventId: '77',
  marketType: 'WIN',
  bettingType: 'ODDS',
  numberOfWinners: 1,
  marketTime: '2026-01-01T12:00:00.000Z',
  runners: runners(...statuses),
  ...more,
});
const message = (pt: number, change: object) => ({ op: 'mcm', clk: 'A', pt, mc: [{ id: ID, ...change }] });
const opening = (pt = 1_000) => message(pt, { marketDefinition: definition('OPEN', ['ACTIVE', 'ACTIVE']) });
const closing = (pt: number, ...statuses: readonly string[]) =>
  message(pt, { marketDefinition: definition('CLOSED', statuses) });

describe('an import of Betfair', () => {
  it('turns backs into offers, lays into bids and stakes into shares', async () => {
    const { lines } = await importFrames(scratchFolder(), [
      opening(),
      message(2_000, { rc: [{ id: 1, atb: [[4, 10]], atl: [[5, 2]] }] }),
    ]);
    expect(words(lines)).toEqual(['1000 1 open', '1000 2 open', '2000 1 book [[0.2,10]] [[0.25,40]]']);
  });

  it('halves traded stakes, and says of which side the taker was', async () => {
    const { lines } = await importFrames(scratchFolder(), [
      opening(),
      message(2_000, { rc: [{ id: 1, atb: [[4, 10]], atl: [[5, 2]] }] }),
      message(3_000, {
        rc: [
          { id: 1, trd: [[4, 6]] },
          { id: 1, atb: [[4, 7]] },
        ],
      }),
      message(4_000, { rc: [{ id: 1, trd: [[5, 2]], atl: [[5, 1]] }] }),
    ]);
    expect(words(lines).slice(3)).toEqual([
      '3000 1 trade 0.25 12 bid',
      '3000 1 book [[0.2,10]] [[0.25,28]]',
      '4000 1 trade 0.2 5 ask',
      '4000 1 book [[0.2,5]] [[0.25,28]]',
    ]);
  });

  it('takes a traded ladder that is restated at other odds for no trade', async () => {
    const { lines, counts } = await importFrames(scratchFolder(), [
      opening(),
      message(2_000, { rc: [{ id: 1, atb: [[4, 10]], trd: [[4, 8]] }] }),
      message(3_000, {
        rc: [
          {
            id: 1,
            trd: [
              [4, 0],
              [3.8, 8],
            ],
          },
        ],
      }),
      message(4_000, {
        rc: [
          {
            id: 1,
            trd: [
              [3.8, 0],
              [3.6, 10],
            ],
          },
        ],
      }),
    ]);
    expect(lines.filter(({ type }) => type === 'trade').map(({ t, shares }) => [t, shares])).toEqual([
      [2_000, 16],
      [4_000, 3.6],
    ]);
    expect(counts.restatements).toBe(2);
  });

  it('takes an image for the whole market, and what it says was traded for no trade', async () => {
    const { lines, counts } = await importFrames(scratchFolder(), [
      opening(),
      message(2_000, { rc: [{ id: 1, atb: [[4, 10]], trd: [[4, 8]] }] }),
      message(3_000, { img: true, rc: [{ id: 1, atb: [[4, 10]], trd: [[4, 9]] }] }),
      message(4_000, { img: true, rc: [{ id: 2, atb: [[2, 5]] }] }),
    ]);
    expect(lines.filter(({ type }) => type === 'trade')).toHaveLength(1);
    expect(counts).toMatchObject({ images: 1, jumps: 1 });
    expect(words(lines).slice(-2)).toEqual(['4000 1 book [] []', '4000 2 book [] [[0.5,10]]']);
  });

  it('drops trades while the market is suspended, and counts them', async () => {
    const suspended = definition('SUSPENDED', ['ACTIVE', 'ACTIVE']);
    const { lines, counts } = await importFrames(scratchFolder(), [
      opening(),
      message(2_000, { rc: [{ id: 1, atb: [[4, 10]] }] }),
      message(3_000, { marketDefinition: suspended, rc: [{ id: 1, trd: [[4, 2]] }] }),
      message(4_000, { rc: [{ id: 1, trd: [[4, 4]] }] }),
    ]);
    expect(words(lines).slice(3)).toEqual(['3000 1 trade 0.25 4 bid', '3000 1 closed', '3000 2 closed']);
    expect(counts.suspendedTrades).toBe(1);
  });

  it('takes a removal as final when the market closes, and tells the others of the reduction', async () => {
    const removed = [
      { id: 1, status: 'ACTIVE' },
      { id: 2, status: 'REMOVED', adjustmentFactor: 20 },
    ];
    const { lines } = await importFrames(scratchFolder(), [
      opening(),
      message(2_000, { rc: [{ id: 1, atb: [[4, 10]] }] }),
      message(3_000, { marketDefinition: { ...definition('OPEN', []), runners: removed } }),
      opening(4_000),
      closing(5_000, 'WINNER', 'LOSER'),
    ]);
    expect(words(lines).slice(3)).toEqual([
      '3000 1 open reduction=0.2',
      '3000 2 closed',
      '4000 2 open',
      '5000 1 resolved long',
      '5000 2 resolved short',
    ]);
  });

  it('tells of the reductions of a suspended market when it opens again, once', async () => {
    const withRemoved = (status: string, ...factors: readonly number[]) => ({
      ...definition(status, []),
      runners: [
        { id: 1, status: 'ACTIVE' },
        { id: 2, status: factors[0] === undefined ? 'ACTIVE' : 'REMOVED', adjustmentFactor: factors[0] },
        { id: 3, status: factors[1] === undefined ? 'ACTIVE' : 'REMOVED', adjustmentFactor: factors[1] },
      ],
    });
    const { lines } = await importFrames(scratchFolder(), [
      message(1_000, { marketDefinition: withRemoved('OPEN') }),
      message(2_000, { rc: [{ id: 1, atb: [[4, 10]] }] }),
      message(3_000, { marketDefinition: withRemoved('SUSPENDED', 20) }),
      message(4_000, { marketDefinition: withRemoved('SUSPENDED', 20, 50) }),
      message(5_000, { marketDefinition: withRemoved('OPEN', 20, 50) }),
      message(6_000, { marketDefinition: withRemoved('SUSPENDED', 20, 50) }),
      message(7_000, { marketDefinition: withRemoved('OPEN', 20, 50) }),
    ]);
    expect(words(lines).filter((line) => /^[3-7]000 1 /.test(line))).toEqual([
      '3000 1 closed',
      '5000 1 open reduction=0.6',
      '6000 1 closed',
      '7000 1 open',
    ]);
  });

  it('pays a third to each of three winners in steps that the neutral form has', async () => {
    const { lines, markets } = await importFrames(scratchFolder(), [
      message(1_000, { marketDefinition: definition('OPEN', ['ACTIVE', 'ACTIVE', 'ACTIVE']) }),
      message(2_000, { rc: [{ id: 1, atb: [[4, 10]] }] }),
      closing(3_000, 'WINNER', 'WINNER', 'WINNER'),
    ]);
    expect(words(lines).at(-1)).toBe('3000 3 resolved payout=0.3333');
    expect(markets.map(({ payout }) => payout)).toEqual([0.3333, 0.3333, 0.3333]);
  });

  it('pays a part to each winner of a dead heat', async () => {
    const { lines, markets } = await importFrames(scratchFolder(), [
      opening(),
      message(2_000, { rc: [{ id: 1, atb: [[4, 10]] }] }),
      closing(3_000, 'WINNER', 'WINNER'),
    ]);
    expect(words(lines).slice(-2)).toEqual(['3000 1 resolved payout=0.5', '3000 2 resolved payout=0.5']);
    expect(markets.map(({ payout }) => payout)).toEqual([0.5, 0.5]);
  });

  it('tells runners of one selection apart by their handicap', async () => {
    const asian = definition('OPEN', [], { bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE', numberOfWinners: 0 });
    const { markets, lines } = await importFrames(scratchFolder(), [
      message(1_000, {
        img: true,
        marketDefinition: {
          ...asian,
          runners: [
            { id: 1, status: 'ACTIVE', hc: 0.5 },
            { id: 1, status: 'ACTIVE' },
          ],
        },
      }),
      message(2_000, {
        rc: [
          { id: 1, hc: 0.5, atb: [[2, 1]] },
          { id: 1, atb: [[4, 1]] },
        ],
      }),
    ]);
    expect(markets.map(({ selection, handicap, exclusive }) => [selection, handicap, exclusive])).toEqual([
      [1, undefined, false],
      [1, 0.5, false],
    ]);
    expect(words(lines).slice(-2)).toEqual(['2000 2 book [] [[0.5,2]]', '2000 1 book [] [[0.25,4]]']);
  });

  it('merges odds that meet on the grid, and keeps them apart on a finer one', async () => {
    const frames = [
      opening(),
      message(2_000, {
        rc: [
          {
            id: 1,
            atb: [
              [990, 1],
              [980, 1],
            ],
          },
        ],
      }),
    ];
    const coarse = await importFrames(scratchFolder(), frames);
    expect(words(coarse.lines).at(-1)).toBe('2000 1 book [] [[0.002,1970]]');
    expect(coarse.counts.mergedPrices).toBe(1);
    const fine = await importFrames(scratchFolder(), frames, { grid: 1 });
    expect(words(fine.lines).at(-1)).toBe('2000 1 book [] [[0.00102,990],[0.00103,980]]');
  });

  it.each([
    [
      'changes before a definition',
      [message(1_000, { rc: [{ id: 1, atb: [[4, 1]] }] })],
      /raw.ndjson:1: changes of market 1.9/,
    ],
    [
      'last prices alone',
      [opening(), message(2_000, { rc: [{ id: 1, ltp: 4 }] })],
      /raw.ndjson:2: last traded prices alone/,
    ],
    [
      'a negative level',
      [opening(), message(2_000, { rc: [{ id: 1, atb: [[4, -1]] }] })],
      /raw.ndjson:2: a level of negative size/,
    ],
    [
      'a book that stays crossed',
      [
        opening(),
        message(2_000, { rc: [{ id: 1, atb: [[4, 1]], atl: [[3, 1]] }] }),
        message(20_000, { rc: [{ id: 1, atb: [[3.9, 1]] }] }),
      ],
      /raw.ndjson:2: the book of 1.9 is crossed/,
    ],
  ])('refuses %s', async (_, frames, message) => {
    await expect(importFrames(scratchFolder(), frames)).rejects.toThrow(message);
  });
});
