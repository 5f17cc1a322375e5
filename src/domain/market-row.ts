import type { MarketId } from './ids.js';

/** How far apart the least and the greatest id of the row may be, for each market there is. */
const ROOM = 16;
const FEW = 64;

/**
 * Values by market id, found faster than in a map and in less memory. The venue counts its markets up, so that those of
 * a run lie close together: they stand in a row by id, where looking one up costs one place in memory and no hashing.
 * Ids too far from the others go into a map after all. Not for ids that nobody has checked.
 */
export abstract class MarketRow<Value> {
  protected readonly far = new Map<MarketId, Value>();
  /** The market of the row's first place. */
  protected first = 0;
  #length = 0;
  #markets = 0;

  set(id: MarketId, value: Value): void {
    if (!this.#isInRow(id) && !this.far.has(id)) this.#add(id);
    if (this.#isInRow(id)) this.put(id - this.first, value);
    else this.far.set(id, value);
  }

  protected abstract put(place: number, value: Value): void;

  /** Makes the row that long. @param before places that come before what stands there */
  protected abstract lengthen(length: number, before: number): void;

  #isInRow(id: MarketId): boolean {
    return id >= this.first && id < this.first + this.#length;
  }

  /** Makes the row longer for a market outside of it, where that is worth it. */
  #add(id: MarketId): void {
    this.#markets += 1;
    const first = this.#length === 0 ? id : Math.min(id, this.first);
    const end = this.#length === 0 ? id + 1 : Math.max(id + 1, this.first + this.#length);
    const most = ROOM * Math.max(FEW, this.#markets);
    if (end - first <= most) this.#stretch(first, Math.min(most, Math.ceil(1.25 * (end - first))));
  }

  #stretch(first: number, length: number): void {
    this.lengthen(length, this.#length === 0 ? 0 : this.first - first);
    this.first = first;
    this.#length = length;
    for (const [id, value] of this.far)
      if (this.#isInRow(id)) {
        this.put(id - first, value);
        this.far.delete(id);
      }
  }
}
