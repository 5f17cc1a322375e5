import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../src/domain/ids.js';
import type { Micros } from '../../../src/domain/units.js';
import { chooseMarkets, watchedAfter } from '../../../src/runs/selection.js';
import { checkBotSettings, type Chosen, SettingsSource } from '../../../src/settings/index.js';

const NOW = 1_767_225_600_000_000 as Micros;
const HOUR = 3_600_000_000;

const settingsOf = (events: string, instances: string) =>
  checkBotSettings(
    SettingsSource.parse(
      `backtest: { recordings: [a] }\nevents: ${events}\ninstances: ${instances}\n`,
      'bot.yaml',
      {},
    ),
  ).settings;

/** A venue with events 1 to 4 of two markets each; the second one of each is closed at event 4, and wide elsewhere. */
function venue() {
  const books: string[] = [];
  const ok = (value: object) => Promise.resolve({ ok: true, value, sentAt: NOW } as never);
  const event = (id: number) => ({
    id: eventId(id),
    title: '',
    slug: '',
    status: 'open',
    resolutionMode: null,
    isLive: false,
    betStart: null,
    betEnd: NOW + id * HOUR,
    eventStart: null,
    eventEnd: null,
    categories: ['Sports'],
    volume: { play_money: id, real_money: null },
    markets: [1, 2].map((at) => ({
      id: marketId(id * 10 + at),
      eventId: eventId(id),
      title: '',
      status: id === 4 && at === 2 ? 'resolved' : 'active',
      disabled: false,
      betEnd: null,
    })),
  });
  const reads = {
    events: () => ok({ events: [1, 2, 3, 4].map(event), total: 4, nextOffset: null }),
    event: (id: string) => ok(event(Number(id))),
    book: (id: string) => {
      books.push(id);
      return ok({
        bids: { prices: [5_000], shares: [1_250] },
        asks: { prices: [id.endsWith('1') ? 5_100 : 6_000], shares: [300] },
      });
    },
  };
  return { books, reads };
}

describe('what the venue chooses for a file', () => {
  it('are open markets of whole events, and of each selection those that nobody named before', async () => {
    const { reads, books } = venue();
    const settings = settingsOf(
      '[{ id: 4, markets: all }]',
      '[{ name: a, strategy: fixed-spread, events: [4] }, { name: b, strategy: fixed-spread, select: { max: 3 } }, ' +
        '{ name: c, strategy: fixed-spread, select: { max: 5, closesBefore: +90m } }]',
    );
    const { whole, selected } = await chooseMarkets(reads, settings, NOW);
    expect(whole.map((one) => one.marketId)).toEqual(['41']);
    expect(selected['b']!.map((one) => one.marketId)).toEqual(['31', '32', '21']);
    expect(selected['c']!.map((one) => one.marketId)).toEqual(['11', '12']);
    expect(books).toEqual([]);
  });

  it('reads books where a spread is asked for, until there are enough', async () => {
    const { reads, books } = venue();
    const settings = settingsOf(
      '[]',
      '[{ name: a, strategy: fixed-spread, select: { max: 2, maxSpread: 0.02 } }]',
    );
    const { selected } = await chooseMarkets(reads, settings, NOW);
    expect(selected['a']!.map((one) => one.marketId)).toEqual(['41', '31']);
    expect(books).toEqual(['41', '31', '32']);
  });

  it('keeps a market that still fits before others with more turnover, and drops one that does not', async () => {
    const { reads } = venue();
    const settings = settingsOf(
      '[]',
      '[{ name: a, strategy: fixed-spread, select: { max: 2, closesAfter: +90m } }]',
    );
    const at = (event: number, id: number) => ({ eventId: eventId(event), marketId: marketId(id) });
    const before: Chosen = { whole: [], selected: { a: [at(1, 11), at(2, 22)] }, watched: [] };
    const { selected } = await chooseMarkets(reads, settings, NOW, before);
    expect(selected['a']!.map((one) => one.marketId)).toEqual(['22', '41']);
  });

  it('keeps in sight what an earlier run chose', () => {
    const settings = settingsOf('[]', '[{ name: a, strategy: fixed-spread, select: {} }]');
    const at = (id: number) => ({ eventId: eventId(1), marketId: marketId(id) });
    const before: Chosen = { whole: [], selected: { a: [at(11), at(12)] }, watched: [at(13), at(12)] };
    const now: Chosen = { whole: [], selected: { a: [at(11)] }, watched: [] };
    expect(watchedAfter(before, settings, now).map((one) => one.marketId)).toEqual(['12', '13']);
  });
});
