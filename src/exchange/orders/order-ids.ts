/** Where an order is: a row (positive), or the negative of its place among the finished ones. 0: unknown. */
export type Whereabouts = number;
/** How an order ended, in a word of its table that is not 0. 0: it has not, or that is not noted here. */
export type Ending = number;

/** Elders are looked through for forgotten ones whenever there are so many more. */
const SWEEP_EVERY = 4_096;

/** Cells of a slot; the fourth keeps slots from lying across two lines of the cache. */
const ID = 0;
const WHERE = 1;
const ENDING = 2;
const CELLS = 4;

/**
 * Finds orders by their ids, which are 1, 2, 3 and so on: one slot for each id modulo a power of two, so that what is
 * young, which is nearly everything that is asked for, is found at once. Who is still known when its slot is needed
 * for another becomes an elder, in a map. How an order ended is noted beside where it is, because whoever asks for an
 * order that has ended mostly wants to know just that, and every look elsewhere waits for memory.
 */
export class OrderIds {
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
    this.slots = new Int32Array(CELLS * length);
    this.mask = length - 1;
  }

  find(id: number): Whereabouts {
    const slot = this.slot(id);
    const isHere = this.slots[slot + ID] === id;
    const where = isHere ? (this.slots[slot + WHERE] as number) : (this.elders.get(id) ?? 0);
    return this.isGone(where) ? 0 : where;
  }

  /** How an order ended that is still known; elders' endings are not noted. */
  ending(id: number): Ending {
    const slot = this.slot(id);
    if (this.slots[slot + ID] !== id || this.isGone(this.slots[slot + WHERE] as number)) return 0;
    return this.slots[slot + ENDING] as number;
  }

  /** Notes where a new order is. */
  add(id: number, where: Whereabouts): void {
    const slot = this.slot(id);
    const other = this.slots[slot + ID] as number;
    if (other !== 0) this.makeElder(other, this.slots[slot + WHERE] as number);
    this.slots[slot + ID] = id;
    this.slots[slot + WHERE] = where;
    this.slots[slot + ENDING] = 0;
  }

  /** Notes that an order has ended and where it is now. */
  end(id: number, where: Whereabouts, ending: Ending): void {
    const slot = this.slot(id);
    if (this.slots[slot + ID] === id) {
      this.slots[slot + WHERE] = where;
      this.slots[slot + ENDING] = ending;
    } else this.elders.set(id, where);
  }

  private slot(id: number): number {
    return CELLS * (id & this.mask);
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
