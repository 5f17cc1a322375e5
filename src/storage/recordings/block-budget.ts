import type { TapeBlock } from './tape-block.js';

/** How many bytes of decoded blocks may still be held, by all recordings that share the budget. */
export class BlockBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** @returns whether so much may be held besides what is held already; if not, nothing is taken */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** So much is held no longer. */
  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

/** Blocks of one recording: all of them, or none once one does not fit into the budget. */
export class KeptBlocks {
  #blocks: TapeBlock[] | null = [];

  constructor(private readonly budget: BlockBudget) {}

  /** null: they did not fit. */
  get blocks(): readonly TapeBlock[] | null {
    return this.#blocks;
  }

  add(block: TapeBlock): void {
    if (this.#blocks === null) return;
    if (this.budget.take(bytesOf(block))) this.#blocks.push(block);
    else this.drop();
  }

  /** Holds nothing any more, and nothing that comes. */
  drop(): void {
    for (const block of this.#blocks ?? []) this.budget.giveBack(bytesOf(block));
    this.#blocks = null;
  }
}

function bytesOf({ at, kind, market, first, bids, asks, word, line, prices, shares }: TapeBlock): number {
  const columns = [at, kind, market, first, bids, asks, word, line, prices, shares];
  return columns.reduce((sum, column) => sum + column.byteLength, 0);
}
