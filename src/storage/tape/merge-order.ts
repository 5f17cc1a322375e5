/** Several sources of lines as one, in the order of their times. */
import type { MarketId } from '../../domain/ids.js';

/**
 * Takes what comes next from the source whose next item is the oldest; on a tie from the one that was named first.
 * @param sources each in order of time, some items at a time; all are closed at the end, and when the reader stops early
 */
export async function* inTimeOrder<Item>(
  sources: readonly AsyncIterable<readonly Item[]>[],
  timeOf: (item: Item) => number,
): AsyncGenerator<{ readonly item: Item; readonly source: number }> {
  const cursors = sources.map((source) => new Cursor(source));
  try {
    for (const cursor of cursors) await cursor.advance();
    for (;;) {
      const times = cursors.map(({ next }) => (next === null ? Infinity : timeOf(next)));
      const source = times.indexOf(Math.min(...times));
      const item = cursors[source]?.next ?? null;
      if (item === null) return;
      yield { item, source };
      await cursors[source]!.advance();
    }
  } finally {
    for (const cursor of cursors) await cursor.close();
  }
}

class Cursor<Item> {
  next: Item | null = null;
  readonly #batches: AsyncIterator<readonly Item[]>;
  #batch: readonly Item[] = [];
  #at = 0;

  constructor(source: AsyncIterable<readonly Item[]>) {
    this.#batches = source[Symbol.asyncIterator]();
  }

  async advance(): Promise<void> {
    while (this.#at >= this.#batch.length) {
      const { value, done } = await this.#batches.next();
      if (done === true) return void (this.next = null);
      this.#batch = value;
      this.#at = 0;
    }
    this.next = this.#batch[this.#at++]!;
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}

/**
 * Checks recordings while they are merged: a market is in one of them at a time. Two that take turns would show its
 * trades twice.
 */
export class OneSourcePerMarket {
  readonly #sources = new Map<MarketId, number[]>();

  /** @param names of the recordings, by their place */
  constructor(private readonly names: readonly string[]) {}

  /**
   * @param source place of the one that has the market now; lines come in the order of the merge
   * @returns what is wrong, for people; null when nothing is
   */
  check(market: MarketId, source: number): string | null {
    const sources = this.#sources.get(market) ?? [];
    const last = sources.at(-1);
    if (last === source) return null;
    if (last !== undefined && sources.includes(source))
      return `market ${market} stands in ${this.names[last]} at the same time; a market has one recording at a time`;
    this.#sources.set(market, [...sources, source]);
    return null;
  }
}
