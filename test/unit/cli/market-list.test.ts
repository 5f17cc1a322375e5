import { describe, expect, it } from 'vitest';
import { drawScreen } from '../../../src/cli/screen/dashboard.js';
import { PLAIN } from '../../../src/cli/screen/format.js';
import { MarketList } from '../../../src/cli/screen/market-list.js';
import { eventId, marketId } from '../../../src/domain/ids.js';
import { money } from '../../../src/domain/units.js';
import { engineView, marketView } from '../../support/bot/engine-view.js';

const MARKETS = Array.from({ length: 200 }, (_, at) =>
  marketView({
    marketId: marketId(at + 1),
    eventId: eventId(Math.floor(at / 10) + 1),
    eventTitle: `Event ${Math.floor(at / 10) + 1}`,
    title: `Runner ${at + 1}`,
    profit: money(at === 123 ? -9_000_000 : at),
  }),
);

const shown = (list: MarketList, lines = 22): readonly string[] =>
  list.take(MARKETS, lines).shown.map(({ title }) => title);

describe('the keys of a screen', () => {
  it('scroll to every market, and not beyond the last one', () => {
    const list = new MarketList();
    expect(list.isUntouched).toBe(true);
    const seen = new Set(shown(list));
    for (let page = 0; page < 20; page++) {
      list.press('\u001B[6~');
      for (const title of shown(list)) seen.add(title);
    }
    expect(seen.size).toBe(200);
    expect(shown(list).at(-1)).toBe('Runner 200');
    const [top] = shown(list);
    list.press('\u001B[A');
    expect(shown(list)[1]).toBe(top);
    list.press('g');
    expect(shown(list)[0]).toBe('Runner 1');
    list.press('G');
    expect(shown(list).at(-1)).toBe('Runner 200');
  });

  it('sort by the greatest profit or loss', () => {
    const list = new MarketList();
    list.press('ss');
    expect(list.told).toBe('sorted by profit');
    expect(shown(list).slice(0, 2)).toEqual(['Runner 124', 'Runner 200']);
  });

  it('filter by what is typed, until Escape', () => {
    const list = new MarketList();
    list.press('/event 7');
    expect(list.told).toContain('filter: event 7_');
    expect(new Set(shown(list)).size).toBe(10);
    list.press('\u007F20\rs');
    expect(list.told).toBe('sorted by what is not quoted in full; filter: event 20 (Esc clears it)');
    expect(list.take(MARKETS, 40).of).toBe(10);
    list.press('\u001B');
    expect(list.isUntouched).toBe(true);
  });

  it('leave Ctrl-C and Ctrl-Z what they are', () => {
    const list = new MarketList();
    expect([list.press('\u0003'), list.press('\u001A'), list.press('x')]).toEqual([
      'interrupt',
      'suspend',
      null,
    ]);
  });

  it('say on the screen where one stands', () => {
    const list = new MarketList();
    list.press('jj');
    const frame = {
      title: 'oddsmith',
      view: engineView({ markets: MARKETS }),
      elapsedMs: 0,
      links: [],
      hint: '',
    };
    const lines = drawScreen({ ...frame, list }, { rows: 24, columns: 100 }, PLAIN);
    expect(lines.length).toBeLessThan(24);
    expect(lines).toContainEqual(expect.stringMatching(/^markets 3 to \d+ of 200, sorted as in the file$/));
    expect(lines.some((line) => line.includes('Runner 3'))).toBe(true);
  });
});
