import type { MarketId } from '../../domain/ids.js';

/** @returns the source whose next line is the oldest; on a tie the one that was named first; null when all are at their end */
export function earliest<Source extends { readonly next: { readonly at: number } | null }>(
  sources: readonly Source[],
): Source | null {
  let first: Source | null = null;
  let firstAt = Infinity;
  for (const source of sources) {
    const at = source.next?.at ?? Infinity;
    if (at >= firstAt) continue;
    first = source;
    firstAt = at;
  }
  return first;
}

interface Named {
  readonly name: string;
}

/**
 * Watches recordings while they are merged: each tells of a market while no other does. Two that take turns would show
 * its trades twice.
 */
export class OneSourcePerMarket {
  readonly #sources = new Map<MarketId, Named[]>();

  /**
   * @param source who tells of the market now; lines come in the order of the merge
   * @returns what is wrong, for people; null when nothing is
   */
  check(market: MarketId, source: Named): string | null {
    const sources = this.#sources.get(market) ?? [];
    const last = sources.at(-1);
    if (last === source) return null;
    if (last !== undefined && sources.includes(source))
      return `market ${market} stands in ${last.name} at the same time; a market has one recording at a time`;
    this.#sources.set(market, [...sources, source]);
    return null;
  }
}
