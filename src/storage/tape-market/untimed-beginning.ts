/** So many lines wait at most: a market in which nothing moves may show no frame for hours. */
const MOST = 10_000;

/**
 * What a tape tells before any of its frames tells the venue's time. When that happened shows only with the first frame
 * that does, so it waits for it: taken by the time of the machine, which may be ahead, all that comes later would lie in
 * its past. Where too much waits, or nothing more comes, the time of the machine has to do.
 */
export class UntimedBeginning {
  #waiting: (() => void)[] = [];
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  wait(act: () => void): void {
    this.#waiting.push(act);
    if (this.#waiting.length === MOST) this.end();
  }

  /** Does in its order what waits; nothing waits from now on. */
  end(): void {
    this.#isOver = true;
    for (const act of this.#waiting.splice(0)) act();
  }
}
