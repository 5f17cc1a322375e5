/**
 * A member that has one of few values, kept in a few bits of a number beside other such members: an object needs eight
 * bytes for each member, and for all of these together.
 */
export class FewValues<Value> {
  readonly #values: readonly Value[];
  readonly #shift: number;
  readonly #mask: number;

  /**
   * @param values what there is; the first is what no bits mean
   * @param behind the member whose bits come before, none for the first
   */
  constructor(values: readonly Value[], behind: FewValues<unknown> | null) {
    this.#values = values;
    this.#shift = behind === null ? 0 : behind.#shift + widthOf(behind.#values);
    this.#mask = (1 << widthOf(values)) - 1;
  }

  of(bits: number): Value {
    return this.#values[(bits >> this.#shift) & this.#mask]!;
  }

  /** @returns the bits with this member changed */
  in(bits: number, value: Value): number {
    const values = this.#values;
    let place = 0;
    // There are few, and `indexOf` costs a call.
    while (place < values.length && values[place] !== value) place += 1;
    return (bits & ~(this.#mask << this.#shift)) | (place << this.#shift);
  }
}

const widthOf = (values: readonly unknown[]): number => Math.ceil(Math.log2(values.length));
