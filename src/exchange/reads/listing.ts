import type { Page, Paging } from '../contract.js';

/** Cuts one page out of all matching records and shows its items only. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { limit, offset }: Paging,
  show: (row: Row) => Item,
): Page<Item> {
  return {
    total: rows.length,
    offset,
    pageSize: limit,
    results: rows.slice(offset, offset + limit).map(show),
  };
}

/** Orders records by a key; the id breaks ties, so that pages never overlap. */
export const byKey =
  <Row extends { readonly id: number }>(key: (row: Row) => number | string, isDescending: boolean) =>
  (a: Row, b: Row): number => {
    const order = compare(key(a), key(b)) || a.id - b.id;
    return isDescending ? -order : order;
  };

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Full-text search: every word must occur in one of the texts, without regard to case. */
export function matchesSearch(search: string | undefined, texts: readonly string[]): boolean {
  if (search === undefined) return true;
  const haystack = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => haystack.includes(word));
}
