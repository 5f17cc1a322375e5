/** Markets whose quotes must be looked at again: each once, in the order they were touched. */
export class DirtyMarkets {
  readonly #marks: boolean[] = [];
  #touched: number[] = [];

  /** @param market dense index */
  touch(market: number): void {
    if (this.#marks[market] === true) return;
    this.#marks[market] = true;
    this.#touched.push(market);
  }

  /** Hands the touched ones over and begins anew. */
  drain(): readonly number[] {
    const touched = this.#touched;
    if (touched.length === 0) return touched;
    for (const market of touched) this.#marks[market] = false;
    this.#touched = [];
    return touched;
  }
}
