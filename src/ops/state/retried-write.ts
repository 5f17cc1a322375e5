/** A write that is repeated until it succeeds. Failures in a row are reported once. */
export class RetriedWrite {
  #hasFailed = false;

  constructor(private readonly report: (error: unknown) => void) {}

  /** @returns whether the write succeeded */
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
