/** Where an order is: a row (positive), or the negative of its place among the finished ones. 0: unknown. */
export type Whereabouts = number;

/** What a whereabouts leads to. */
export interface OrderPlaces {
  /** @returns the id of the order that is there, 0 when it is not known any more */
  idAt(where: Whereabouts): number;
}

/** Elders are looked through for forgotten ones whenever there are so many more. */
const SWEEP_EVERY = 4_096;

/**
 * Finds orders by their ids, which are 1, 2, 3 and so on: one slot for each id modulo a power of two, so that what is
 * young, which is nearly everything that is asked for, is found at once. Who is still known when its slot is needed
 * for another becomes an elder, in a map.
 */
export class OrderIds {
  private readonly slots: Float64Array;
  private readonly mask: number;
  private readonly elders = new Map<number, Whereabouts>();
  private sweepAt = SWEEP_EVERY;

  /** @param expected about so many latest orders are found in their slots */
  constructor(
    expected: number,
    private readonly places: OrderPlaces,
  ) {
    const length = 2 ** Math.ceil(Math.log2(Math.max(expected, 2)));
    this.slots = new Float64Array(length);
    this.mask = length - 1;
  }

  find(id: number): Whereabouts {
    const where = this.slots[id & this.mask] as number;
    return this.places.idAt(where) === id ? where : this.findElder(id);
  }

  /** Notes where a new order is. */
  add(id: number, where: Whereabouts): void {
    const slot = id & this.mask;
    const other = this.slots[slot] as number;
    this.slots[slot] = where;
    const otherId = this.places.idAt(other);
    if (otherId !== 0) this.makeElder(otherId, other);
  }

  /** Notes that an order is not where it was. */
  move(id: number, from: Whereabouts, to: Whereabouts): void {
    const slot = id & this.mask;
    if (this.slots[slot] === from) this.slots[slot] = to;
    else this.elders.set(id, to);
  }

  private findElder(id: number): Whereabouts {
    const where = this.elders.get(id) ?? 0;
    return this.places.idAt(where) === id ? where : 0;
  }

  private makeElder(id: number, where: Whereabouts): void {
    this.elders.set(id, where);
    if (this.elders.size >= this.sweepAt) this.sweep();
  }

  private sweep(): void {
    for (const [id, where] of this.elders) if (this.places.idAt(where) !== id) this.elders.delete(id);
    this.sweepAt = this.elders.size + SWEEP_EVERY;
  }
}
