/** Listings: which part is wanted, and the wrapper around it (specification 2.6). */
import type { Page, Paging } from '../../../exchange/contract.js';
import type { Pair } from '../../../venues/futuur/protocol/form.js';
import { pageWindow, pagination, type PageRequest } from '../../../venues/futuur/protocol/rest/pagination.js';
import { type Answer, answered } from '../answer.js';

interface PagedCall {
  readonly query: { readonly limit?: number | undefined; readonly offset?: number | undefined };
  readonly pairs: readonly Pair[];
  readonly origin: string;
  readonly path: string;
}

/** Size and offset in force. */
export function paging(call: PagedCall): Paging {
  const { size, offset } = pageWindow(pageRequest(call));
  return { limit: size, offset };
}

/** @param present one record as the wire spells it */
export const answeredPage = <Item>(
  call: PagedCall,
  page: Page<Item>,
  present: (item: Item) => object,
): Answer =>
  answered({
    pagination: pagination(pageRequest(call), page.total),
    results: page.results.map(present),
  });

/** A field to order by; a leading `-` means descending. @returns null when there is no such field */
export function readOrdering<Field extends string>(
  text: string,
  fields: readonly Field[],
): { readonly field: Field; readonly descending: boolean } | null {
  const descending = text.startsWith('-');
  const name = descending ? text.slice(1) : text;
  const field = fields.find((candidate) => candidate === name);
  return field === undefined ? null : { field, descending };
}

const pageRequest = ({ query, pairs, origin, path }: PagedCall): PageRequest => ({
  url: `${origin}${path}`,
  pairs,
  limit: query.limit,
  offset: query.offset,
});
