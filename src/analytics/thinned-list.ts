/** Keeps every n-th of a growing list, n doubling whenever the room is full: bounded, and the same for the same list. */
export class ThinnedList<Item> {
  #items: Item[] = [];
  #seen = 0;
  #every = 1;

  /** @param room most items kept; even */
  constructor(private readonly room: number) {}

  add(item: Item): void {
    if (this.#seen % this.#every === 0) this.#items.push(item);
    this.#seen += 1;
    if (this.#items.length < this.room) return;
    this.#items = this.#items.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }

  /** One in how many is kept. */
  get every(): number {
    return this.#every;
  }

  get items(): readonly Item[] {
    return this.#items;
  }
}
