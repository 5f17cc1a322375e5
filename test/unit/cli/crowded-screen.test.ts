import { describe, expect, it } from 'vitest';
import { drawScreen } from '../../../src/cli/screen/dashboard.js';
import { COLOURED, type Paint, PLAIN } from '../../../src/cli/screen/format.js';
import { TerminalBlock } from '../../../src/cli/screen/terminal.js';
import { eventId, marketId } from '../../../src/domain/ids.js';
import { money, priceUnits, shares } from '../../../src/domain/units.js';
import type { EngineView, MarketStateView } from '../../../src/core/engine/observing/view.js';
import { engineView, marketView } from '../../support/bot/engine-view.js';
import { Window } from '../../support/screen/window.js';

const level = (price: number, whole: number) => ({ price: priceUnits(price), shares: shares(whole * 100) });
const FLAT = { long: shares(0), short: shares(0) };

/** @param changes of single markets, by their place */
const crowd = (count: number, changes: Readonly<Record<number, Partial<MarketStateView>>> = {}): EngineView =>
  engineView({
    markets: Array.from({ length: count }, (_, place) =>
      marketView({
        marketId: marketId(place + 1),
        eventId: eventId(Math.floor(place / 10) + 1),
        eventTitle: `Event ${Math.floor(place / 10) + 1}`,
        title: `Runner ${place + 1}`,
        book: {
          freshness: 'live',
          reason: 'live',
          ageMs: 1,
          readAgeMs: null,
          bid: level(4_700, 120),
          ask: level(4_950, 80),
        },
        inventory: FLAT,
        ...changes[place],
      }),
    ),
    notices: [{ at: 0 as never, level: 'warning', code: 'x', text: 'something', marketId: null }],
  });

const LINKS = ['metrics', 'health', 'ready'].map((name) => ({ name, url: `http://127.0.0.1:9464/${name}` }));

interface Shown {
  readonly view: EngineView;
  readonly rows: number;
  readonly columns: number;
  readonly paint?: Paint;
}

function draw(block: TerminalBlock, view: EngineView, paint: Paint = PLAIN): void {
  const hint = 'Ctrl-C withdraws all quotes, proves it and exits';
  block.draw(
    drawScreen({ title: 'oddsmith house', view, elapsedMs: 12_000, links: LINKS, hint }, block.size, paint),
  );
}

/** What a person sees after some refreshes. */
function seen({ view, rows, columns, paint }: Shown): { lines: readonly string[]; scrolled: number } {
  const window = new Window(rows, columns);
  const block = new TerminalBlock(window.stream);
  for (let refresh = 0; refresh < 3; refresh++) draw(block, view, paint);
  return { lines: window.lines, scrolled: window.scrolled.length };
}

const SIZES = [
  [24, 80],
  [15, 60],
  [10, 40],
  [5, 20],
  [50, 200],
] as const;

describe('a screen with more markets than rows', () => {
  it.each(SIZES)(
    'of %i rows and %i columns pushes nothing out and keeps its status line',
    (rows, columns) => {
      const { lines, scrolled } = seen({ view: crowd(25), rows, columns });
      expect(scrolled).toBe(0);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines[0]).toContain('● connected');
    },
  );

  it('says how many it leaves out, and where all of them are', () => {
    const { lines } = seen({ view: crowd(25), rows: 24, columns: 80 });
    const markets = lines.filter((line) => line.includes('Runner '));
    expect(lines).toContain(`… ${25 - markets.length} more markets (all of them in /metrics)`);
    expect(markets.length).toBeGreaterThan(5);
    for (const { url } of LINKS) expect(lines.join('\n')).toContain(url);
    expect(lines.at(-1)).toContain('Ctrl-C');
  });

  it('shows those first that are not quoted, then those with shares, each where it stands otherwise', () => {
    const view = crowd(25, {
      4: { inventory: { long: shares(500), short: shares(0) } },
      17: { halted: 'fill-breaker', quotes: [] },
      24: { refusedBy: 'order-size', inventory: { long: shares(0), short: shares(700) } },
      2: { halted: 'event-resolved', tradability: 'closed' },
      3: { instance: null },
    });
    const { lines } = seen({ view, rows: 24, columns: 80 });
    const runners = lines.flatMap((line) => /^ {2}(Runner \d+)/.exec(line)?.[1] ?? []);
    expect(runners).toEqual(expect.arrayContaining(['Runner 5', 'Runner 18', 'Runner 25', 'Runner 1']));
    expect(runners).not.toContain('Runner 3');
    expect(runners).not.toContain('Runner 4');
    expect(runners).toEqual(runners.toSorted((one, other) => Number(one.slice(7)) - Number(other.slice(7))));
  });

  it('shows shares before what is held back with everything of its strategy, which is said above', () => {
    const fault = 'Error: no idea (mine.ts:3:9)';
    const stopped = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [at, { halted: 'strategy-fault' }]),
    );
    const inventory = { long: shares(500), short: shares(0) };
    const view = {
      ...crowd(25, { ...stopped, 7: { halted: 'strategy-fault', inventory }, 23: { inventory } }),
      instances: [{ name: 'demo', strategy: 'mine', fault }],
    };
    const text = seen({ view, rows: 15, columns: 80 }).lines.join('\n');
    for (const part of ['is stopped: Error', 'Runner 8', 'Runner 24']) expect(text).toContain(part);
  });

  it('says of how many that are left out something holds quotes back', () => {
    const halted = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at, { halted: 'killed' }]));
    const { lines } = seen({ view: crowd(25, halted), rows: 15, columns: 80 });
    const held = lines.filter((line) => line.includes('Runner ')).length;
    expect(lines.join('\n')).toContain(`… ${25 - held} more markets, ${20 - held} not quoted in full`);
  });

  it('keeps alarms in sight, and some markets beside them', () => {
    const alarms = Array.from({ length: 9 }, (_, at) => ({ code: `a${at}`, text: `alarm ${at}` }));
    const { lines } = seen({ view: { ...crowd(25), alarms }, rows: 15, columns: 60 });
    expect(lines[1]).toContain('alarm 0');
    expect(lines.filter((line) => line.includes('Runner ')).length).toBeGreaterThan(0);
    expect(lines[0]).toContain('● connected');
  });

  it('is not pushed out by a window that is made smaller, nor torn by one that is made larger', () => {
    const window = new Window(40, 120);
    const block = new TerminalBlock(window.stream);
    draw(block, crowd(25));
    for (const [rows, columns] of [
      [24, 80],
      [15, 60],
      [10, 40],
      [30, 100],
    ] as const) {
      window.resize(rows, columns);
      const before = window.scrolled.length;
      for (let refresh = 0; refresh < 3; refresh++) draw(block, crowd(25));
      expect(window.scrolled.length).toBe(before);
      expect(window.lines.filter((line) => line.includes('● connected'))).toHaveLength(1);
    }
  });
});

describe('a screen that is too narrow', () => {
  const figures = (text: string): readonly string[] => text.match(/[+-]?\d[\d.,:]*\d|\d/g) ?? [];
  const full = crowd(2, {
    0: {
      inventory: { long: shares(0), short: shares(4_303) },
      profit: money(-1_234_567_890_000),
      book: {
        freshness: 'live',
        reason: 'live',
        ageMs: 1,
        readAgeMs: null,
        bid: level(4_712, 12_345_678),
        ask: level(4_956, 8_765_432),
      },
      quotes: [{ side: 'bid', ...level(4_711, 1_234_567), state: 'live' }],
    },
    1: { halted: 'private-feed-silent', eventTitle: 'A very long title of an event, with 2.5 goals or more' },
  });
  const whole = new Set(figures(seen({ view: full, rows: 60, columns: 300 }).lines.join('\n')));

  it.each(Array.from({ length: 160 }, (_, at) => at + 8))('in %i columns cuts no figure', (columns) => {
    // Prices and sizes of the wide picture are those of every other; the narrow ones have prices alone.
    const { lines } = seen({ view: full, rows: 60, columns });
    for (const figure of figures(lines.join('\n'))) expect(whole).toContain(figure);
  });

  it.each([80, 60, 57])('in %i columns still tells quotes, inventory and profit', (columns) => {
    const text = seen({ view: crowd(1, { 0: { profit: money(-12_340_000) } }), rows: 24, columns }).lines;
    for (const part of ['our bid', 'our ask', 'net', '-12.34']) expect(text.join('\n')).toContain(part);
  });

  it('in 40 columns still tells quotes and inventory, and why a market is not quoted', () => {
    const view = crowd(2, {
      0: { inventory: { long: shares(0), short: shares(4_303) } },
      1: { halted: 'killed' },
    });
    const text = seen({ view, rows: 24, columns: 40 }).lines.join('\n');
    for (const part of ['0.50/-', '-43.03', 'killed']) expect(text).toContain(part);
  });

  it('ends its colours, and takes wide characters for two places', () => {
    const view = crowd(1, { 0: { title: '東京証券取引所の相場', eventTitle: 'ラグビー'.repeat(20) } });
    for (const columns of [20, 30, 40, 80]) {
      const written = drawScreen(
        { title: 'oddsmith 東京', view, elapsedMs: 0, links: [], hint: 'Ctrl-C' },
        { rows: 24, columns },
        COLOURED,
      );
      const window = new Window(24, columns);
      new TerminalBlock(window.stream).draw(written);
      for (const line of window.lines) expect(line.length + wideIn(line)).toBeLessThanOrEqual(columns);
    }
  });

  const wideIn = (line: string): number =>
    (line.match(/[\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}ー]/gu) ?? []).length;
});
