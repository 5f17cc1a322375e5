/** Trades that a recording may contain more often than they happened. */
import { ROW, type TapeBlock } from './tape-block.js';

/** One trade, and its place among those of its time. */
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
  /** Duplicates, of all its times. */
  again: number;
}

/** Bounds the memory: of more trades at one time the next ones are looked at by themselves. */
const MOST_TOLD = 16_384;

/**
 * Finds trades that look like duplicates. Two recordings merged by time state each time twice: its trades, its book, and
 * again. So a trade counts as a duplicate when a book of its time stands between it and an equal one, or when the
 * trades of its time are one list several times over. Several equal orders that one taker meets are neither: their trades
 * stand together, before the book that shows their result.
 */
export class DuplicateTrades {
  private repeated = 0;
  private readonly moments: Moment[] = [];
  /** The row before, when it was a trade; it may have been the last one of its block. */
  private before: string | null = null;

  /**
   * What was found, in sentences for people.
   * @param mayBe whether trades of a market, by its place, can be duplicates at all
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

  /** A row that is no trade. Books count when trades of their time stand before them. */
  private between(moment: Moment | undefined, kind: number, time: number): void {
    if (moment === undefined || moment.trades.length === 0 || moment.at !== time) return;
    if (kind === ROW.book) moment.books += 1;
    // Rows of orders are numbered, so there are no duplicates.
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

/** Which trades have an equal one, each its own, before the last book in front of them. */
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
 * Length of the shortest list that gives this one when it is repeated; the whole length where there is none (borders of
 * prefixes: Knuth, Morris and Pratt 1977).
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
