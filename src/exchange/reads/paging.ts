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
