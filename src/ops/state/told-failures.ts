/**
 * Writes that a disk may turn down, each tried again with the next occasion: the first that fails is told, and not those
 * after it until one has succeeded.
 */
export class ToldFailures {
  #hasFailed = false;

  constructor(private readonly tell: (error: unknown) => void) {}

  /** @returns whether it was written */
  attempt(write: () => void): boolean {
    try {
      write();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.tell(error);
      this.#hasFailed = true;
    }
    return !this.#hasFailed;
  }
}
