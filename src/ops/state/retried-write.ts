/** A write that is tried again with the next occasion. A row of failures is reported once, when it begins. */
export class RetriedWrite {
  #hasFailed = false;

  constructor(private readonly report: (error: unknown) => void) {}

  /** @returns whether it was written */
  attempt(write: () => void): boolean {
    try {
      write();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.report(error);
      this.#hasFailed = true;
    }
    return !this.#hasFailed;
  }
}
