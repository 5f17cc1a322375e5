/** Markets whose quotes must be looked at again: each once, in the order they were touched. */
export class DirtyMarkets {
  #marks = new Uint8Array(64);
  #touched: number[] = [];

  /** @param market dense index */
  touch(market: number): void {
    if (this.#marks[market] === 1) return;
    if (market >= this.#marks.length) this.#grow(market);
    this.#marks[market] = 1;
    this.#touched.push(market);
  }

  /** Hands the touched ones over and begins anew. */
  drain(): readonly number[] {
    const touched = this.#touched;
    if (touched.length === 0) return touched;
    for (const market of touched) this.#marks[market] = 0;
    this.#touched = [];
    return touched;
  }

  #grow(market: number): void {
    const marks = new Uint8Array(2 * (market + 1));
    marks.set(this.#marks);
    this.#marks = marks;
  }
}
