import type { MarketId } from './ids.js';
import { MarketRow } from './market-row.js';

/** Values of any kind by market id; see {@link MarketRow}. */
export class MarketTable<Value> extends MarketRow<Value> {
  #row: (Value | undefined)[] = [];

  get(id: MarketId): Value | undefined {
    const place = id - this.first;
    if (place >= 0 && place < this.#row.length) return this.#row[place];
    return this.far.size === 0 ? undefined : this.far.get(id);
  }

  delete(id: MarketId): void {
    const place = id - this.first;
    if (place >= 0 && place < this.#row.length) this.#row[place] = undefined;
    else this.far.delete(id);
  }

  protected put(place: number, value: Value): void {
    this.#row[place] = value;
  }

  protected lengthen(length: number, before: number): void {
    const row: (Value | undefined)[] = Array.from({ length }, () => undefined);
    this.#row.forEach((value, place) => (row[before + place] = value));
    this.#row = row;
  }
}
