/** Trades that one market may be told of more often than they happened. */
import { ROW, type TapeBlock } from './tape-block.js';

/** One trade, and where it stood among those of its time. */
interface Told {
  readonly says: string;
  /** How many books of the time stood before it. */
  readonly books: number;
  /** Whether the row before was a trade that says the same. */
  readonly isRepeat: boolean;
}

/** A market, and its trades at one time. */
interface Moment {
  at: number;
  books: number;
  trades: Told[];
  /** Trades of all its times that are told again. */
  again: number;
}

/** Memory must not grow with a moment: of one so large the next part is looked at by itself. */
const MOST_TOLD = 16_384;

/**
 * Two recordings that were merged by time tell each moment twice: its trades, its book, and again. A trade counts as
 * told again where a book of its time stands between it and its like, or where the trades of its time are one list
 * several times over. Of several orders of one size that one taker meets neither is true: they stand together, before the
 * book that they led to.
 */
export class DuplicateTrades {
  private repeated = 0;
  private readonly moments: Moment[] = [];
  /** What the row before says where it is a trade; it may have been the last one of its block. */
  private before: string | null = null;

  /**
   * What there was, in sentences for people.
   * @param mayBe whether trades of a market, by its place, can have been told twice at all
   */
  notes(mayBe: (place: number) => boolean): readonly string[] {
    this.moments.forEach((moment) => this.close(moment));
    const again = this.moments.reduce((sum, moment, place) => sum + (mayBe(place) ? moment.again : 0), 0);
    const { repeated } = this;
    return [
      repeated === 0
        ? ''
        : `${repeated} trades say what the line before says; they are taken for trades of their own`,
      again === 0
        ? ''
        : `${again} trades are told again at their time, as if two recordings of it had been merged; they are taken for trades ` +
          'of their own: if they are not, their volume counts twice, and more is filled than could be',
    ].filter((note) => note !== '');
  }

  take(block: TapeBlock, row: number): void {
    const kind = block.kind[row]!;
    const before = this.before;
    this.before = null;
    if (kind === ROW.trade) this.trade(block, row, before);
    else this.between(this.moments[block.market[row]!], kind, block.at[row]!);
  }

  private trade(
    { at, market, first, word, prices, shares }: TapeBlock,
    row: number,
    before: string | null,
  ): void {
    const place = market[row]!;
    const time = at[row]!;
    const level = first[row]!;
    const moment = (this.moments[place] ??= { at: time, books: 0, trades: [], again: 0 });
    if (moment.at !== time || moment.trades.length === MOST_TOLD) this.close(moment);
    moment.at = time;
    const says = `${prices[level]!} ${shares[level]!} ${word[row]!}`;
    const whole = `${time} ${place} ${says}`;
    this.before = whole;
    moment.trades.push({ says, books: moment.books, isRepeat: whole === before });
  }

  /** A row that is no trade. Books count once trades of their time stood before them. */
  private between(moment: Moment | undefined, kind: number, time: number): void {
    if (moment === undefined || moment.trades.length === 0 || moment.at !== time) return;
    if (kind === ROW.book) moment.books += 1;
    // Rows that tell orders are numbered: none is told twice.
    if (kind === ROW.order) this.close(moment);
  }

  /** Everything of this time came. */
  private close(moment: Moment): void {
    const { trades } = moment;
    moment.trades = [];
    moment.books = 0;
    if (trades.length < 2) return;
    const period = periodOf(trades);
    const isDuplicate = behindBooks(trades);
    trades.forEach(({ isRepeat }, place) => {
      const isListed = place >= period && !(isRepeat && period === 1);
      if (isDuplicate[place] === true || isListed) moment.again += 1;
      else if (isRepeat) this.repeated += 1;
    });
  }
}

/** Which trades have a like, one each, before the last book that stands before them. */
function behindBooks(trades: readonly Told[]): readonly boolean[] {
  if (trades.at(-1)!.books === 0) return [];
  const told = new Map<string, number>();
  let open = new Map<string, number>();
  let group = 0;
  return trades.map(({ says, books }) => {
    if (books !== group) open = new Map(told);
    group = books;
    told.set(says, (told.get(says) ?? 0) + 1);
    const left = open.get(says) ?? 0;
    if (left > 0) open.set(says, left - 1);
    return left > 0;
  });
}

/**
 * Length of the shortest list that, told several times, is this one; its own where there is none. By the borders of its
 * beginnings: Knuth, Morris and Pratt 1977.
 */
function periodOf(trades: readonly Told[]): number {
  const borders = [0];
  for (let end = 1, border = 0; end < trades.length; end++) {
    const { says } = trades[end]!;
    while (border > 0 && says !== trades[border]!.says) border = borders[border - 1]!;
    if (says === trades[border]!.says) border += 1;
    borders.push(border);
  }
  const period = trades.length - borders.at(-1)!;
  return trades.length % period === 0 ? period : trades.length;
}
