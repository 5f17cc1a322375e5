/** Where an order is: a row (positive), or the negative of its place among the finished ones. 0: unknown. */
export type Whereabouts = number;

/** Elders are looked through for forgotten ones whenever there are so many more. */
const SWEEP_EVERY = 4_096;

/**
 * Finds orders by their ids, which are 1, 2, 3 and so on: one slot for each id modulo a power of two, so that what is
 * young, which is nearly everything that is asked for, is found at once. Who is still known when its slot is needed
 * for another becomes an elder, in a map.
 */
export class OrderIds {
  /** Pairs of id and whereabouts. */
  private readonly slots: Int32Array;
  private readonly mask: number;
  private readonly elders = new Map<number, Whereabouts>();
  private sweepAt = SWEEP_EVERY;

  /**
   * @param expected about so many latest orders are found in their slots
   * @param isKnown  whether a place among the finished orders is still kept
   */
  constructor(
    expected: number,
    private readonly isKnown: (place: number) => boolean,
  ) {
    const length = 2 ** Math.ceil(Math.log2(Math.max(expected, 2)));
    this.slots = new Int32Array(2 * length);
    this.mask = length - 1;
  }

  find(id: number): Whereabouts {
    const slot = 2 * (id & this.mask);
    const where = this.slots[slot] === id ? (this.slots[slot + 1] as number) : (this.elders.get(id) ?? 0);
    return this.isGone(where) ? 0 : where;
  }

  /** Notes where a new order is. */
  add(id: number, where: Whereabouts): void {
    const slot = 2 * (id & this.mask);
    const other = this.slots[slot] as number;
    if (other !== 0) this.makeElder(other, this.slots[slot + 1] as number);
    this.slots[slot] = id;
    this.slots[slot + 1] = where;
  }

  /** Notes that an order is now somewhere else. */
  move(id: number, where: Whereabouts): void {
    const slot = 2 * (id & this.mask);
    if (this.slots[slot] === id) this.slots[slot + 1] = where;
    else this.elders.set(id, where);
  }

  private makeElder(id: number, where: Whereabouts): void {
    if (this.isGone(where)) return;
    this.elders.set(id, where);
    if (this.elders.size >= this.sweepAt) this.sweep();
  }

  private sweep(): void {
    for (const [id, where] of this.elders) if (this.isGone(where)) this.elders.delete(id);
    this.sweepAt = this.elders.size + SWEEP_EVERY;
  }

  private isGone(where: Whereabouts): boolean {
    return where < 0 && !this.isKnown(-where);
  }
}
