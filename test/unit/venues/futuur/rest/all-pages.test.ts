import { describe, expect, it } from 'vitest';
import { micros } from '../../../../../src/domain/units.js';
import type { ListingPage } from '../../../../../src/venues/futuur/rest/all-pages.js';
import { allPages } from '../../../../../src/venues/futuur/rest/all-pages.js';
import type { Outcome } from '../../../../../src/venues/outcome.js';

const PAGE = 100;
const idOf = (id: number): number => id;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** A listing on a server; `meanwhile` happens after each page. */
function server(
  initial: readonly number[],
  meanwhile: (records: number[], pages: number) => void = () => undefined,
) {
  const records = [...initial];
  const offsets: number[] = [];
  const page = (offset: number): Promise<Outcome<ListingPage<number>>> => {
    const items = records.slice(offset, offset + PAGE);
    const nextOffset = offset + PAGE < records.length ? offset + PAGE : null;
    offsets.push(offset);
    meanwhile(records, offsets.length);
    return Promise.resolve({ ok: true, value: { items, nextOffset }, sentAt: micros(offsets.length) });
  };
  return { page, keyOf: idOf, offsets, records };
}

describe('all pages of a listing', () => {
  it.each([0, 1, PAGE, PAGE + 1, 250])('are %i records, once each', async (count) => {
    expect(await allPages(server(upTo(count)))).toEqual({ ok: true, value: upTo(count), sentAt: 1 });
  });

  it('overlap, so that a few records that leave hide none', async () => {
    const listing = server(upTo(250), (records, pages) => {
      if (pages === 1) records.splice(0, 15);
    });
    expect(await allPages(listing)).toMatchObject({ ok: true, value: upTo(250) });
    expect(listing.offsets).toEqual([0, 80, 160]);
  });

  it('are read anew when so many left that two neighbours have nothing in common', async () => {
    const listing = server(upTo(250), (records, pages) => {
      if (pages === 1) records.splice(0, 30);
    });
    expect(await allPages(listing)).toMatchObject({ ok: true, value: upTo(250).slice(30), sentAt: 1 });
    expect(listing.offsets).toEqual([0, 80, 0, 80, 160]);
  });

  it('are a failure when the listing keeps changing', async () => {
    const listing = server(upTo(2_000), (records) => records.splice(0, 40));
    expect(await allPages(listing)).toMatchObject({
      ok: false,
      failure: { kind: 'unknown', reason: 'the listing kept changing' },
      sentAt: 1,
    });
  });

  it('are a failure when one page fails, whatever came before', async () => {
    const listing = server(upTo(250));
    const page = (offset: number): Promise<Outcome<ListingPage<number>>> =>
      offset === 0
        ? listing.page(offset)
        : Promise.resolve({ ok: false, failure: { kind: 'unknown', reason: 'time-out' }, sentAt: micros(9) });
    expect(await allPages({ page, keyOf: idOf })).toMatchObject({
      ok: false,
      failure: { reason: 'time-out' },
    });
  });

  it('are a failure when there is always a next page', async () => {
    const page = (offset: number): Promise<Outcome<ListingPage<number>>> => {
      const items = upTo(PAGE).map((id) => id + offset);
      return Promise.resolve({ ok: true, value: { items, nextOffset: offset + PAGE }, sentAt: micros(1) });
    };
    expect(await allPages({ page, keyOf: idOf })).toMatchObject({
      failure: { reason: 'more than 1000 pages' },
    });
  });
});
