/** Where an order is: a row (positive), or the negative of its place among the finished ones. 0: unknown. */
export type Whereabouts = number;

/** Elders are looked through for forgotten ones whenever there are so many more. */
const SWEEP_EVERY = 4_096;

/**
 * Finds orders by their ids, which are 1, 2, 3 and so on: one slot for each id modulo a power of two, so that what is
 * young, which is nearly everything that is asked for, is found at once. Who is still known when its slot is needed
 * again becomes an elder, in a map.
 */
export class OrderIds {
  private readonly slots: Float64Array;
  private readonly owners: Float64Array;
  private readonly mask: number;
  private readonly elders = new Map<number, Whereabouts>();
  private sweepAt = SWEEP_EVERY;

  /**
   * @param expected ids of about so many latest orders are found in their slots
   * @param isKnown  whether a place among the finished orders is still kept
   */
  constructor(
    expected: number,
    private readonly isKnown: (where: Whereabouts) => boolean,
  ) {
    const length = 2 ** Math.ceil(Math.log2(Math.max(expected, 2)));
    this.slots = new Float64Array(length);
    this.owners = new Float64Array(length);
    this.mask = length - 1;
  }

  find(id: number): Whereabouts {
    const slot = id & this.mask;
    const where = this.owners[slot] === id ? this.slots[slot] : this.elders.get(id);
    return where !== undefined && where !== 0 && this.isKnown(where) ? where : 0;
  }

  /** Notes a new order, or one that moved. */
  set(id: number, where: Whereabouts): void {
    const slot = id & this.mask;
    const owner = this.owners[slot] as number;
    if (owner > id) {
      this.elders.set(id, where);
      return;
    }
    if (owner !== id && owner !== 0) this.makeElder(owner, this.slots[slot] as number);
    this.owners[slot] = id;
    this.slots[slot] = where;
  }

  private makeElder(id: number, where: Whereabouts): void {
    if (!this.isKnown(where)) return;
    this.elders.set(id, where);
    if (this.elders.size >= this.sweepAt) this.sweep();
  }

  private sweep(): void {
    for (const [id, where] of this.elders) if (!this.isKnown(where)) this.elders.delete(id);
    this.sweepAt = this.elders.size + SWEEP_EVERY;
  }
}
