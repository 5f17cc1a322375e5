import { describe, expect, it } from 'vitest';
import { drawScreen, type ScreenFrame } from '../../../src/cli/screen/dashboard.js';
import { PLAIN } from '../../../src/cli/screen/format.js';
import { newFillLines, statusLine, summaryFacts, summaryLines } from '../../../src/cli/screen/bot-lines.js';
import { eventId, marketId } from '../../../src/domain/ids.js';
import { money, priceUnits, shares } from '../../../src/domain/units.js';
import { marketView } from '../../support/bot/engine-view.js';
import type { EngineView, MarketStateView } from '../../../src/core/engine/observing/view.js';

const level = (price: number, whole: number) => ({ price: priceUnits(price), shares: shares(whole * 100) });

const market = (changes: Partial<MarketStateView> = {}): MarketStateView => ({
  marketId: marketId(2231),
  eventId: eventId(873),
  title: 'A candidate with a very long name',
  eventTitle: 'Who wins?',
  instance: 'quiet',
  tradability: 'tradable',
  halted: null,
  refusedBy: null,
  sizeLeft: 1,
  signals: [],
  book: {
    freshness: 'live',
    reason: 'live',
    ageMs: 12,
    readAgeMs: null,
    bid: level(4_700, 120),
    ask: level(4_950, 80),
  },
  fair: 0.4812,
  quotes: [
    { side: 'bid', ...level(4_600, 10), state: 'live' },
    { side: 'bid', ...level(4_700, 10), state: 'live' },
    { side: 'ask', ...level(5_000, 25), state: 'live' },
  ],
  inventory: { long: shares(0), short: shares(40_00) },
  profit: money(-12_340_000),
  fills: 7,
  ...changes,
});

const view = (changes: Partial<EngineView> = {}): EngineView => ({
  phase: 'running',
  runId: 'r',
  seq: 1,
  currency: 'OOM',
  mode: 'play_money',
  isPaper: false,
  requests: { perMinute: 100, perDay: 50_000, leftNow: 20, leftToday: 40_000 },
  pauses: [],
  connection: { state: 'connected', reason: '' },
  killed: null,
  alarms: [],
  failing: [],
  instances: [],
  markets: [market()],
  events: [],
  balance: { total: money(1_000_000_000), free: money(900_000_000) },
  cashShort: { now: null, worst: null },
  profit: money(-12_340_000),
  counts: {
    inputs: {},
    requests: {},
    ordersCreated: 1,
    ordersReplaced: 2,
    ordersCancelled: 3,
    fills: 7,
    sharesFilled: shares(70_00),
    sharesInferred: shares(0),
    amountFilled: money(30_000_000),
    takes: 0,
    amountTaken: money(0),
    refusals: {},
    pacedMs: 0,
    differences: {},
    malformedFrames: 0,
    resyncs: 0,
    decisions: 5,
  },
  recentFills: [],
  notices: [],
  ...changes,
});

const drawn = (columns: number, shown: EngineView = view(), rows = 40): readonly string[] => {
  const frame: ScreenFrame = { title: 'demo', view: shown, elapsedMs: 12_000, links: [], hint: 'Ctrl-C' };
  return drawScreen(frame, { rows, columns }, PLAIN);
};
const lineOf = (columns: number, shown?: EngineView): string =>
  drawn(columns, shown).find((line) => line.startsWith('  A cand'))!;

describe('the screen', () => {
  it('shows books and quotes with their sizes where there is room', () => {
    expect(lineOf(130).replaceAll(/ +/g, ' ')).toBe(
      ' A candidate with a ve… 0.47 x120 / 0.495 x80 0.4812 0.47 x10 +1 0.50 x25 -40 -12.34 7',
    );
  });

  it.each([80, 88, 89, 100, 112, 113, 121])(
    'in %i columns cuts no line of a market, and keeps quotes, inventory and profit',
    (columns) => {
      const [header] = drawn(columns).filter((line) => line.startsWith('market'));
      for (const line of [header!, lineOf(columns)]) expect(line.length).toBeLessThanOrEqual(columns);
      for (const part of ['0.47', '0.495', '+1', '0.50', '-40', '-12.34'])
        expect(lineOf(columns)).toContain(part);
    },
  );

  it.each([80, 95, 121, 140])('in %i columns says why a market is not quoted', (columns) => {
    const halted = view({ markets: [market({ halted: 'fill-breaker', quotes: [] })] });
    expect(lineOf(columns, halted)).toContain('fill-breaker');
    expect(lineOf(columns, halted).length).toBeLessThanOrEqual(columns);
    expect(lineOf(columns, halted)).toContain('-12.34');
  });

  it('leaves out the lists at the bottom before any market', () => {
    const notices = [
      { at: 0 as never, level: 'warning', code: 'x', text: 'something', marketId: null } as const,
    ];
    expect(drawn(80, view({ notices })).join('\n')).toContain('something');
    const low = drawn(80, view({ notices }), 10);
    expect(low.join('\n')).not.toContain('something');
    expect(low.some((line) => line.startsWith('  A cand'))).toBe(true);
  });

  it('names the market that a notice is about', () => {
    const about = (market: number) => [
      { at: 0 as never, level: 'info', code: 'x', text: 'it happened', marketId: marketId(market) } as const,
    ];
    expect(drawn(80, view({ notices: about(Number(view().markets[0]!.marketId)) })).join('\n')).toContain(
      `${view().markets[0]!.title}: it happened`,
    );
    expect(drawn(80, view({ notices: about(99_999) })).join('\n')).toContain('market 99999: it happened');
  });

  it('shows no heading without anything below it', () => {
    const notices = [
      { at: 0 as never, level: 'warning', code: 'x', text: 'something', marketId: null } as const,
    ];
    const heights = Array.from({ length: 12 }, (_, index) => 8 + index);
    const lonely = heights.filter((rows) => {
      const lines = drawn(80, view({ notices }), rows);
      return lines.includes('notices') && !lines.some((line) => line.includes('something'));
    });
    expect(lonely).toEqual([]);
    expect(drawn(80, view({ notices }), 20)).toContain('notices');
  });

  it('breaks notices and alarms between words rather than cutting off what to do', () => {
    const text = `${'it happened and '.repeat(8)}now do this`;
    const notices = [{ at: 0 as never, level: 'warning', code: 'x', text, marketId: null } as const];
    const shown = view({ notices, alarms: [{ code: 'k', text }], killed: 'loss limit' });
    const lines = drawn(80, shown);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => /now do this ?$/.test(line))).toHaveLength(2);
    expect(lines).toContain(`${' '.repeat(21)}happened and now do this`);
  });

  it('says how a latched kill switch is reset', () => {
    const text = drawn(80, view({ killed: 'loss limit' }))
      .slice(1, 3)
      .join(' ');
    expect(text).toContain('oddsmith resume <file>, behind a fence oddsmith guard clear <file>');
    expect(drawn(80).join(' ')).not.toContain('resume');
  });

  it('keeps in sight what only a person can mend', () => {
    const alarms = [{ code: 'keys', text: 'the venue refuses the keys while orders rest' }];
    expect(drawn(80, view({ alarms }))[1]).toContain('refuses the keys');
  });
});

describe('a status line', () => {
  it('says what is not quoted and why, each reason once', () => {
    const reasons = { Rain: 'closing-soon', Wind: null, Snow: 'closing-soon' };
    const markets = Object.entries(reasons).map(([title, halted], place) =>
      market({ marketId: marketId(place + 1), title, halted }),
    );
    expect(statusLine(view({ markets }), 0)).toContain('not quoted: Rain, Snow (closing-soon)');
    expect(statusLine(view(), 0)).not.toContain('not quoted');
    expect(statusLine(view({ markets, phase: 'stopping' }), 0)).not.toContain('not quoted');
  });

  it('says by which rule orders are refused, each rule once', () => {
    const markets = ['Rain', 'Snow'].map((title, place) =>
      market({ marketId: marketId(place + 1), title, refusedBy: 'order-size' }),
    );
    expect(statusLine(view({ markets }), 0)).toContain('orders refused: Rain, Snow (order-size)');
    expect(statusLine(view(), 0)).not.toContain('refused');
  });

  it('says why the connection is not there', () => {
    const connection = { state: 'unavailable', reason: 'connect ECONNREFUSED 127.0.0.1:4010' };
    expect(statusLine(view({ connection }), 0)).toContain(
      'unavailable (connect ECONNREFUSED 127.0.0.1:4010)',
    );
  });

  it('carries alarms and the kill switch', () => {
    const shown = view({ killed: 'loss limit', alarms: [{ code: 'k', text: 'blocked' }] });
    expect(statusLine(shown, 0)).toMatch(/ALARM: blocked {2}KILLED: loss limit$/);
  });
});

describe('markets with the same title', () => {
  const fill = { at: 0, marketId: marketId(2), side: 'bid', position: 'long', ...level(4_500, 3) } as never;
  const shown = view({
    markets: [
      market({ marketId: marketId(1), title: 'Yes', eventTitle: 'Rain?' }),
      market({ marketId: marketId(2), title: 'Yes', eventTitle: 'Snow?', halted: 'closed' }),
      market({ marketId: marketId(3), title: 'No', eventTitle: 'Snow?' }),
    ],
    recentFills: [fill],
  });

  it('are told apart by their events wherever these do not stand above them', () => {
    expect(drawn(130, shown).join('\n')).toContain('bought 3 long Snow? Yes at 0.45');
    expect(statusLine(shown, 0)).toContain('inventory Rain? Yes -40, Snow? Yes -40, No -40');
    expect(statusLine(shown, 0)).toContain('not quoted: Snow? Yes (closed)');
    expect(newFillLines(shown, 6)[0]).toContain('long Snow? Yes at');
    const end = { kind: 'end', outcome: 'clean', text: 'over' } as never;
    expect(summaryLines(shown, end, 0, null).join('\n')).toContain('    Snow? Yes: 0 long, 40 short');
  });

  it('and events, too, by their numbers', () => {
    const twins = shown.markets.map((each) => ({ ...each, eventTitle: 'Same?' }));
    expect(statusLine({ ...shown, markets: twins }, 0)).toContain('Same? Yes (1) -40, Same? Yes (2) -40');
  });
});

describe('an event', () => {
  const costing = (worst: number, title = 'Who wins?') =>
    view({
      markets: [market({ eventTitle: title })],
      events: [{ eventId: market().eventId, worst: money(worst), maxLoss: money(300_000_000) }],
    });

  it('says what it costs at worst, once it may cost anything', () => {
    expect(drawn(100, costing(-88_500_000)).join('\n')).toContain('Who wins?  at worst -88.50 of 300.00');
    expect(drawn(100, costing(0)).join('\n')).not.toContain('at worst');
  });

  it('shortens its title for that, and leaves it out where there is no room for both', () => {
    const long = 'Who wins the cup of the year, with extra time?';
    const [line] = drawn(60, costing(-88_500_000, long)).filter((one) => one.includes('at worst'));
    expect(line).toMatch(/^Who wins the cup.*at worst -88\.50 of 300\.00$/);
    expect(drawn(40, costing(-88_500_000, long)).join('\n')).not.toContain('at worst');
  });
});

describe('a book', () => {
  it('on which nothing stands is called empty, whatever it lacks otherwise by its reason', () => {
    const book = { ageMs: 1, bid: null, ask: null };
    expect(
      lineOf(
        130,
        view({
          markets: [market({ book: { ...book, freshness: 'live', reason: 'live', readAgeMs: null } })],
        }),
      ),
    ).toContain('empty');
    expect(
      lineOf(
        130,
        view({
          markets: [
            market({ book: { ...book, freshness: 'stale', reason: 'book-crossed', readAgeMs: null } }),
          ],
        }),
      ),
    ).toContain('stale');
  });
});

describe('a strategy instance that a fault stopped', () => {
  const fault = 'Error: no idea (mine.ts:3:9)';
  const instances = [
    { name: 'quiet', strategy: 'mine', fault },
    { name: 'loud', strategy: 'fixed-spread', fault: null },
  ];
  const end = { kind: 'end', outcome: 'clean', text: 'over' } as never;

  it('stays in sight, with what to do', () => {
    const text = drawn(200, view({ instances })).join('\n');
    expect(text).toContain(`strategy instance quiet is stopped: ${fault}; oddsmith resume <file>`);
    expect(text).not.toContain('instance loud');
    expect(statusLine(view({ instances }), 0)).toContain(`STOPPED: strategy instance quiet: ${fault}`);
  });

  it('takes a line of bounded length, however many markets there are, and urgent words are in it', () => {
    const markets = Array.from({ length: 500 }, (_, at) =>
      marketView({
        marketId: marketId(at),
        title: `Market ${at} ${'of many '.repeat(20)}`,
        halted: `reason ${at}`,
      }),
    );
    const line = statusLine(view({ markets, killed: 'loss limit' }), 0);
    expect(line.length).toBeLessThan(2_100);
    expect(line).toMatch(/…  KILLED: loss limit$/);
    const short = markets.map((market) => ({ ...market, title: 'M' }));
    expect(statusLine(view({ markets: short }), 0)).toContain('and 495 more');
  });

  it('is named at the end, and that nothing was quoted where it was the only one', () => {
    const told = (some: EngineView['instances']) =>
      summaryLines(view({ instances: some }), end, 0, null).join('\n');
    expect(told(instances)).toContain(`  STOPPED  strategy instance quiet: ${fault}`);
    expect(told(instances)).not.toContain('nothing was quoted any more');
    expect(told(instances.slice(0, 1))).toContain('nothing was quoted any more');
    expect(told([])).not.toContain('STOPPED');
    const json = summaryFacts(view({ instances }), end, 0, null);
    expect(json.stopped).toEqual([{ instance: 'quiet', strategy: 'mine', fault }]);
  });
});
