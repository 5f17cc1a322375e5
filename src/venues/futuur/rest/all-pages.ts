import type { Micros } from '../../../domain/units.js';
import type { Outcome } from '../../outcome.js';

/** One page of a listing and where the next begins; null on the last one. */
export interface ListingPage<Item> {
  readonly items: readonly Item[];
  readonly nextOffset: number | null;
}

/** How a listing is read page by page. */
export interface Listing<Item> {
  readonly page: (offset: number) => Promise<Outcome<ListingPage<Item>>>;
  /** What makes a record the same in two pages. */
  readonly keyOf: (item: Item) => string | number;
}

/** Records by which a page reaches back into the one before. */
const OVERLAP = 20;
/** Passes over a listing that keeps changing under the reader. */
const PASSES = 3;
/** More pages than any account has: a server that always names a next page. */
const PAGES = 1_000;

/**
 * All pages of a listing, or a failure: a part of one proves nothing and is never given. Records that leave the
 * listing meanwhile shift the later ones towards its beginning, so pages overlap; two neighbours that have no record
 * in common may have lost some in between, and the pass begins anew. `sentAt` is that of the first page.
 */
export async function allPages<Item>(listing: Listing<Item>): Promise<Outcome<readonly Item[]>> {
  let begun: Micros | null = null;
  for (let pass = 0; pass < PASSES; pass++) {
    const outcome = await onePass(listing);
    if (!outcome.ok) return outcome;
    begun ??= outcome.sentAt;
    if (outcome.value !== 'shifted') return { ok: true, value: outcome.value, sentAt: begun };
  }
  return { ok: false, failure: { kind: 'unknown', reason: 'the listing kept changing' }, sentAt: begun };
}

async function onePass<Item>({ page, keyOf }: Listing<Item>): Promise<Outcome<readonly Item[] | 'shifted'>> {
  const found = new Map<string | number, Item>();
  let neighbour: ReadonlySet<string | number> = new Set();
  let first: Micros | null = null;
  let offset = 0;
  for (let count = 0; count < PAGES; count++) {
    const outcome = await page(offset);
    if (!outcome.ok) return outcome;
    const { items, nextOffset } = outcome.value;
    const sentAt = (first ??= outcome.sentAt);
    const keys = items.map(keyOf);
    if (neighbour.size > 0 && !keys.some((key) => neighbour.has(key)))
      return { ...outcome, value: 'shifted', sentAt };
    items.forEach((item) => found.set(keyOf(item), item));
    if (nextOffset === null) return { ok: true, value: [...found.values()], sentAt };
    neighbour = new Set(keys);
    offset = Math.max(nextOffset - Math.min(OVERLAP, Math.floor(items.length / 2)), offset + 1);
  }
  return { ok: false, failure: { kind: 'unknown', reason: `more than ${PAGES} pages` }, sentAt: first };
}
