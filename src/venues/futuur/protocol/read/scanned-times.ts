import { dayOfDate } from '../../../../domain/days.js';
import type { Micros } from '../../../../domain/units.js';
import { instantOf, LAST_INSTANT, secondsOfDay } from '../timestamps.js';
import type { Quote } from './json-marks.js';
import { type Expected, expected, type TextScan } from './text-scan.js';

const MARKS = {
  dash: expected('-'),
  hour: expected('T'),
  colon: expected(':'),
  point: expected('.'),
};

/** Times of one kind, told to the millisecond as realtime events do, or to the microsecond as answers do. Most are of the same minute as the one before. */
export class ScannedTimes {
  /** The minute that was read last, as text and as time. */
  readonly #minute = expected('1970-01-01T00:00:');
  readonly #end: Expected;
  #start = 0 as Micros;

  /** @param quote what stands around each */
  constructor(quote: Quote) {
    this.#end = expected(`Z${quote}`);
  }

  /** Passes a time and the quote behind it. */
  read(scan: TextScan): Micros {
    const start = scan.tries(this.#minute) ? this.#start : this.#next(scan);
    const second = scan.digits(2);
    const millisecond = scan.pass(MARKS.point).digits(3);
    const microsecond = scan.tries(this.#end) ? 0 : this.#finer(scan);
    if (second > 59) scan.lose();
    return Math.min(start + 1_000 * (1_000 * second + millisecond) + microsecond, LAST_INSTANT) as Micros;
  }

  #finer(scan: TextScan): number {
    const digits = scan.digits(3);
    scan.pass(this.#end);
    return digits;
  }

  #next(scan: TextScan): Micros {
    const year = scan.digits(4);
    const month = scan.pass(MARKS.dash).digits(2);
    const days = dayOfDate(year, month, scan.pass(MARKS.dash).digits(2));
    const hour = scan.pass(MARKS.hour).digits(2);
    const seconds = secondsOfDay(hour, scan.pass(MARKS.colon).digits(2), 0);
    scan.pass(MARKS.colon);
    const start = instantOf(days, seconds, 0);
    if (start === null) scan.lose();
    if (!scan.isLost) {
      scan.learn(this.#minute);
      this.#start = start!;
    }
    return start ?? (0 as Micros);
  }
}
