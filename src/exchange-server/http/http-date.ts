import type { Micros } from '../../domain/units.js';

const MICROS_PER_SECOND = 1_000_000;
const MS_PER_SECOND = 1_000;

/** Writes the `Date` header from the exchange's own clock; the text of one second is made once. */
export class HttpDate {
  private second = Number.NaN;
  private text = '';

  of(now: Micros): string {
    const second = Math.floor(now / MICROS_PER_SECOND);
    if (second !== this.second) {
      this.second = second;
      this.text = new Date(second * MS_PER_SECOND).toUTCString();
    }
    return this.text;
  }
}
