/** Finds trades that a recording may contain several times. */
import { ROW, type TapeBlock } from './blocks.js';

/** A trade, among those of its market and time. */
interface Told {
  readonly says: string;
  /** Books of that time before it. */
  readonly books: number;
  /** Whether the row before is an equal trade. */
  readonly isRepeat: boolean;
}

/** The trades of a market at one time. */
interface Moment {
  at: number;
  books: number;
  trades: Told[];
  /** Duplicates, over all its times. */
  again: number;
}

/** Limits the memory. Further trades of one time form another group. */
const MOST_TOLD = 16_384;

/**
 * Finds trades that look like duplicates. A file that was merged from two recordings contains each time twice. A trade is a
 * duplicate in two cases:
 * - An equal trade of its time comes before it, with a book of that time in between.
 * - The trades of its time are one list, repeated.
 *
 * Equal trades in a row are no duplicates: one taker met several orders of one size.
 */
export class DuplicateTrades {
  private repeated = 0;
  private readonly moments: Moment[] = [];
  /** The row before, when it was a trade. */
  private before: string | null = null;

  take({ kind, at, market, first, word, prices, shares }: TapeBlock, row: number): void {
    const [time, place, before] = [at[row]!, market[row]!, this.before];
    const moment = (this.moments[place] ??= { at: time, books: 0, trades: [], again: 0 });
    this.before = null;
    if (kind[row] === ROW.trade) {
      if (moment.at !== time || moment.trades.length === MOST_TOLD) this.close(moment);
      moment.at = time;
      const says = `${prices[first[row]!]} ${shares[first[row]!]} ${word[row]}`;
      this.before = `${time} ${place} ${says}`;
      moment.trades.push({ says, books: moment.books, isRepeat: this.before === before });
    } else if (moment.trades.length > 0 && moment.at === time) {
      if (kind[row] === ROW.book) moment.books += 1;
      // Rows of orders are numbered, so they have no duplicates.
      if (kind[row] === ROW.order) this.close(moment);
    }
  }

  /**
   * Returns the findings as sentences for people.
   * @param mayBe whether trades of a market, by its index, can be duplicates
   */
  notes(mayBe: (place: number) => boolean): readonly string[] {
    this.moments.forEach((moment) => this.close(moment));
    const again = this.moments.reduce((sum, moment, place) => sum + (mayBe(place) ? moment.again : 0), 0);
    const { repeated } = this;
    const direct = `${repeated} trades equal the line before; each counts as a trade`;
    const later =
      `${again} trades appear again at their time, as if two recordings had been merged; each counts as a trade ` +
      'of its own: if they are duplicates, their volume counts twice, and too much is filled';
    return [...(repeated === 0 ? [] : [direct]), ...(again === 0 ? [] : [later])];
  }

  /** Judges the trades of one time when all have come. */
  private close(moment: Moment): void {
    const { trades } = moment;
    moment.trades = [];
    moment.books = 0;
    if (trades.length < 2) return;
    const period = periodOf(trades);
    const isBehind = behindBooks(trades);
    trades.forEach(({ isRepeat }, place) => {
      const isListed = place >= period && !(isRepeat && period === 1);
      if (isBehind[place] === true || isListed) moment.again += 1;
      else if (isRepeat) this.repeated += 1;
    });
  }
}

/** Pairs each trade with an equal one before the last book that precedes it. */
function behindBooks(trades: readonly Told[]): readonly boolean[] {
  const told = new Map<string, number>();
  let open = new Map<string, number>();
  let group = 0;
  return trades.map(({ says, books }) => {
    if (books !== group) open = new Map(told);
    group = books;
    told.set(says, (told.get(says) ?? 0) + 1);
    const left = open.get(says) ?? 0;
    open.set(says, left - 1);
    return left > 0;
  });
}

/** Length of the shortest list whose repetition is this list. */
function periodOf(trades: readonly Told[]): number {
  const isPeriod = (length: number): boolean =>
    trades.length % length === 0 && trades.every(({ says }, at) => says === trades[at % length]!.says);
  let length = 1;
  while (!isPeriod(length)) length += 1;
  return length;
}
