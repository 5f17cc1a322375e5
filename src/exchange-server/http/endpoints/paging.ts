/** Listings: which part is wanted, and the wrapper around it (specification 2.6). */
import type { Page, Paging } from '../../../exchange/contract.js';
import type { Pair } from '../../../venues/futuur/protocol/shape.js';
import { pageWindow, pagination, type PageRequest } from '../../../venues/futuur/protocol/rest/pagination.js';
import { type Answer, answered, refusedFields } from '../answer.js';

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

/** A field to order by; a leading `-` means descending. @returns undefined: none is named; null: there is no such field */
export function readOrdering<Field extends string>(
  text: string | undefined,
  fields: readonly Field[],
): { readonly field: Field; readonly descending: boolean } | null | undefined {
  if (text === undefined || text === '') return undefined;
  const descending = text.startsWith('-');
  const field = fields.find((candidate) => candidate === (descending ? text.slice(1) : text));
  return field === undefined ? null : { field, descending };
}

export const refusedOrdering = (fields: readonly string[]): Answer =>
  refusedFields({ ordering: [`must be one of ${fields.join(', ')}`] });

const pageRequest = ({ query, pairs, origin, path }: PagedCall): PageRequest => ({
  url: `${origin}${path}`,
  pairs,
  limit: query.limit,
  offset: query.offset,
});
