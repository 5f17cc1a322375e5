const FIRST_SHIFT = 1_024;

/**
 * First in, first out, each in constant time on average. A map can do the same, but walks over everything deleted
 * since it last grew to find its first entry.
 */
export class Fifo<Item> {
  private items: Item[] = [];
  private head = 0;

  push(item: Item): void {
    this.items.push(item);
  }

  /** @returns the oldest item, undefined when there is none */
  first(): Item | undefined {
    return this.items[this.head];
  }

  /** Takes the oldest item out. */
  shift(): void {
    this.head += 1;
    if (this.head < FIRST_SHIFT || 2 * this.head < this.items.length) return;
    this.items = this.items.slice(this.head);
    this.head = 0;
  }
}
