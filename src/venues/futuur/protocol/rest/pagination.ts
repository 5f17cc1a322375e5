/** The pagination wrapper of listings (specification 2.6). */
import { Type, type Static, type TSchema } from 'typebox';
import { writeForm, type Pair, Count, nullable } from '../shape.js';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MOST } from '../profile.js';

export const Pagination = Type.Object({
  total: Count,
  next: nullable(Type.String()),
  previous: nullable(Type.String()),
  page_size: Count,
  offset: Count,
});
export type Pagination = Static<typeof Pagination>;

export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ pagination: Pagination, results: Type.Array(item) });

/** Where a listing was asked for, and how much there is. */
export interface PageRequest {
  /** Address without query, as the client wrote it. */
  readonly url: string;
  /** All query parameters received. */
  readonly pairs: readonly Pair[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** Page size and offset in force: the default size is 20, which 0 asks for, too; the largest is 100. */
export function pageWindow(request: PageRequest): { readonly size: number; readonly offset: number } {
  const asked = request.limit ?? 0;
  const size = asked === 0 ? PAGE_SIZE_DEFAULT : Math.min(asked, PAGE_SIZE_MOST);
  return { size, offset: request.offset ?? 0 };
}

/** The `pagination` member for a listing of `total` records, with the addresses of its neighbours. */
export function pagination(request: PageRequest, total: number): Pagination {
  const { size, offset } = pageWindow(request);
  return {
    total,
    next: offset + size < total ? pageUrl(request, size, offset + size) : null,
    previous: offset > 0 ? pageUrl(request, size, Math.max(offset - size, 0)) : null,
    page_size: size,
    offset,
  };
}

/** Offset of the next page, null on the last one. Reads no URL, so a proxy's host name cannot mislead. */
export const nextOffset = ({ next, offset, page_size: size }: Pagination): number | null =>
  next === null || size === 0 ? null : offset + size;

function pageUrl({ url, pairs }: PageRequest, size: number, offset: number): string {
  const others = pairs.filter(([name]) => name !== 'limit' && name !== 'offset');
  return `${url}?${writeForm([...others, ['limit', String(size)], ['offset', String(offset)]])}`;
}
