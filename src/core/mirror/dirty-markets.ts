const NONE: readonly number[] = [];

/** Markets whose quotes must be looked at again: each once, in the order they were touched. */
export class DirtyMarkets {
  #marks = new Uint8Array(64);
  #touched = new Int32Array(64);
  #count = 0;

  /** @param market dense index */
  touch(market: number): void {
    if (this.#marks[market] === 1) return;
    if (market >= this.#marks.length) this.#grow(market);
    this.#marks[market] = 1;
    this.#touched[this.#count++] = market;
  }

  /** Hands the touched ones over and begins anew. */
  drain(): readonly number[] {
    if (this.#count === 0) return NONE;
    // Mostly it is one, and an array that is pushed to makes room for seventeen.
    const touched = this.#count === 1 ? [this.#touched[0]!] : [...this.#touched.subarray(0, this.#count)];
    for (const market of touched) this.#marks[market] = 0;
    this.#count = 0;
    return touched;
  }

  #grow(market: number): void {
    const marks = new Uint8Array(2 * (market + 1));
    const touched = new Int32Array(marks.length);
    marks.set(this.#marks);
    touched.set(this.#touched);
    [this.#marks, this.#touched] = [marks, touched];
  }
}
