import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../src/domain/ids.js';
import type { Micros } from '../../../src/domain/units.js';
import { type MarketFilter, offeredMarkets } from '../../../src/runs/offered-markets.js';
import type { ListedDescription } from '../../../src/venues/futuur/protocol/read/events.js';

const NOW = 1_767_225_600_000_000 as Micros;
const HOUR = 3_600_000_000;
const ALL: MarketFilter = {
  search: null,
  categories: [],
  closesAfter: null,
  closesBefore: null,
  minVolume: null,
  maxSpread: null,
  limit: 50,
};

const event = (id: number, changes: Partial<ListedDescription> = {}): ListedDescription => ({
  id: eventId(id),
  title: `Event ${id}`,
  slug: '',
  status: 'open',
  resolutionMode: 'exclusive',
  isLive: false,
  betStart: null,
  betEnd: null,
  eventStart: null,
  eventEnd: null,
  categories: ['Politics'],
  volume: { play_money: id, real_money: null },
  markets: [0, 1].map((at) => ({
    id: marketId(id * 10 + at),
    eventId: eventId(id),
    title: `Market ${at}`,
    tickUnits: 1,
    status: 'active',
    disabled: false,
    betStart: null,
    betEnd: null,
    resolution: null,
    longLabel: 'Yes',
    shortLabel: 'No',
  })),
  ...changes,
});

/** A venue whose markets ending in 0 are a cent wide, the others ten. */
function venue(events: readonly ListedDescription[]) {
  const asked: string[] = [];
  const ok = (value: object) => Promise.resolve({ ok: true, value, sentAt: NOW } as never);
  const rest = {
    events: ({ search, offset = 0 }: { readonly search?: string; readonly offset?: number }) => {
      asked.push(`events ${search ?? ''} from ${offset}`);
      const next = offset + 2 < events.length ? offset + 2 : null;
      return ok({ events: events.slice(offset, offset + 2), total: events.length, nextOffset: next });
    },
    book: (id: string) => {
      asked.push(`book ${id}`);
      const ask = id.endsWith('0') ? 5_100 : 6_000;
      return ok({
        bids: { prices: [5_000], shares: [1_250] },
        asks: id === '31' ? { prices: [], shares: [] } : { prices: [ask], shares: [300] },
      });
    },
  };
  const offer = (filter: Partial<MarketFilter> = {}) =>
    offeredMarkets(rest, 'play_money', { ...ALL, ...filter }, NOW);
  const ids = async (filter: Partial<MarketFilter> = {}) =>
    (await offer(filter)).events.flatMap(({ markets }) => markets.map((market) => market.marketId));
  return { asked, offer, ids };
}

describe('what a venue offers', () => {
  it('is every open market of all pages, most traded event first, with its best prices', async () => {
    const { offer, asked } = venue([event(1), event(2), event(3)]);
    const { events, unread } = await offer({ search: 'rain' });
    expect(asked.slice(0, 2)).toEqual(['events rain from 0', 'events rain from 2']);
    expect(events.map((one) => one.eventId)).toEqual(['3', '2', '1']);
    expect(unread).toBe(0);
    expect(events[2]!.markets[0]).toEqual({
      marketId: '10',
      title: 'Market 0',
      bid: 0.5,
      bidShares: 12.5,
      ask: 0.51,
      askShares: 3,
      spread: 0.01,
    });
    expect(events[0]!.markets[1]).toMatchObject({ ask: null, askShares: 0, spread: null });
  });

  it('leaves out what is not open', async () => {
    const over = event(2, { status: 'stopped' });
    const closed = event(3, { betEnd: (NOW - 1) as Micros });
    const part = event(4);
    const [first, second] = part.markets;
    const markets = [
      { ...first!, status: 'paused' as const },
      { ...second!, disabled: true },
    ];
    expect(await venue([event(1), over, closed, { ...part, markets }]).ids()).toEqual(['10', '11']);
  });

  it.each<[Partial<MarketFilter>, readonly string[]]>([
    [{ categories: ['politics'] }, ['20', '21', '10', '11']],
    [{ categories: ['Sports'] }, ['30', '31']],
    [{ closesAfter: (NOW + 2 * HOUR) as Micros }, ['30', '31', '10', '11']],
    [{ closesBefore: (NOW + 2 * HOUR) as Micros }, ['20', '21']],
    [{ minVolume: 2 }, ['30', '31', '20', '21']],
    [{ maxSpread: 0.05 }, ['30', '20', '10']],
    [{ maxSpread: 0.1 }, ['30', '20', '21', '10', '11']],
  ])('is filtered by %o', async (filter, ids) => {
    const soon = { betEnd: (NOW + HOUR) as Micros };
    const later = { betEnd: (NOW + 3 * HOUR) as Micros, categories: ['Sports'] };
    expect(await venue([event(1), event(2, soon), event(3, later)]).ids(filter)).toEqual(ids);
  });

  it('asks for no more books than it was told to, and says how many it left', async () => {
    const { offer, asked } = venue([event(1), event(2)]);
    const { unread } = await offer({ limit: 3 });
    expect(unread).toBe(1);
    expect(asked.filter((one) => one.startsWith('book'))).toEqual(['book 20', 'book 21', 'book 10']);
  });

  it('has no minimum of a turnover that the venue does not tell', async () => {
    const silent = event(1, { volume: { play_money: null, real_money: null } });
    expect(await venue([silent]).ids({ minVolume: 1 })).toEqual([]);
    expect((await venue([silent]).offer()).events[0]!.volume).toBeNull();
  });
});
