/** What is to be done, by time; at one time in the order in which it was put there. */
export class Agenda {
  readonly #items: { readonly at: number; readonly act: () => void }[] = [];
  #latest = -Infinity;

  /** @param behind how long after its time something may still be put there */
  constructor(private readonly behind: number) {}

  add(at: number, act: () => void): void {
    const place = this.#items.findLastIndex((item) => item.at <= at) + 1;
    this.#items.splice(place, 0, { at, act });
  }

  /** Does all before which nothing can come any more. @param now latest time of what was recorded so far */
  run(now: number): void {
    this.#latest = Math.max(this.#latest, now);
    this.#runUntil(this.#latest - this.behind);
  }

  /** Nothing more will come. */
  end(): void {
    this.#runUntil(Infinity);
  }

  #runUntil(time: number): void {
    while (this.#items.length > 0 && this.#items[0]!.at <= time) this.#items.shift()!.act();
  }
}
