import type { EventId, MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { Resolution } from '../../domain/vocabulary.js';
import type { NamedMarket } from '../tape/records.js';
import { RecordingError } from '../tape/tape-files.js';
import { ROW, statusOf, type TapeBlock, type TapeMarket } from './blocks.js';
import { DuplicateTrades } from './duplicate-trades.js';
import type { AboutRecording } from './neutral.js';

/** Facts about one market of a recording. */
export interface SurveyedMarket {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly books: number;
  readonly trades: number;
  /** null if the recording has no name for it. */
  readonly title: string | null;
  /** Stated grid, or the coarsest usual one (0.01, 0.001, 0.0001) that all prices fit. In price units. */
  readonly tickUnits: number;
  /** Most levels of a side in one line. */
  readonly depth: number;
  /** Last resolution; null: none. */
  readonly resolution: Resolution | null;
  /** Number of its first line with a resolution; null: none. */
  readonly resolvedLine: number | null;
  /** Number of its first line. */
  readonly line: number;
  /** Times of its first and its last row. */
  readonly firstAt: Micros;
  readonly lastAt: Micros;
}

/** Facts about a whole recording. */
export interface SurveyFigures {
  readonly rows: number;
  readonly books: number;
  readonly firstAt: Micros;
  readonly lastAt: Micros;
  /** By the index that rows have. */
  readonly markets: readonly SurveyedMarket[];
  /** Corrections that were made before trading on it, as sentences for people. */
  readonly notes: readonly string[];
}

/** Price units of the usual grids, coarsest first. */
const GRIDS = [100, 10, 1] as const;

interface Seen {
  books: number;
  trades: number;
  /** Index in the list of grids. */
  grid: number;
  depth: number;
  resolution: Resolution | null;
  resolvedLine: number | null;
  line: number;
  firstAt: Micros;
  lastAt: Micros;
  /** Time of its last book. */
  bookAt: Micros;
  /** Trades of that time behind it. A further book of that time shows their result. */
  behind: number;
}

/** Surveys a recording block by block. */
export class Survey {
  rows = 0;
  books = 0;
  private firstAt = 0 as Micros;
  private lastAt = 0 as Micros;
  private readonly seen: Seen[] = [];
  /** Rows of markets after their resolution. */
  private belated = 0;
  /** Trades after the last book of their time. */
  private behind = 0;
  private readonly twice = new DuplicateTrades();

  /** @param markets of the recording. The list may grow while blocks come */
  constructor(private readonly markets: readonly TapeMarket[]) {}

  /** @param about facts that the recording states about itself */
  figures({ named, notes, inferred = [] }: AboutRecording): SurveyFigures {
    const { rows, books, firstAt, lastAt } = this;
    return {
      rows,
      books,
      firstAt,
      lastAt,
      markets: this.surveyed(named),
      notes: [...notes, ...this.strange(inferred)],
    };
  }

  take(block: TapeBlock): void {
    if (this.rows === 0) this.firstAt = block.at[0]! as Micros;
    this.lastAt = block.at[block.rows - 1]! as Micros;
    this.rows += block.rows;
    for (let row = 0; row < block.rows; row++) {
      this.row(block, row);
      this.twice.take(block, row);
    }
  }

  /** @param named names and grids of its markets */
  private surveyed(named: readonly NamedMarket[]): readonly SurveyedMarket[] {
    return this.markets.map(({ eventId, marketId }, place) => {
      const { grid, bookAt: _bookAt, behind: _behind, ...seen } = this.seenOf(place, 0);
      const stated = named.find((market) => market.marketId === marketId);
      const tickUnits = stated?.tickUnits ?? GRIDS[grid] ?? 1;
      return { eventId, marketId, title: stated?.title ?? null, tickUnits, ...seen };
    });
  }

  /** Doubts about the recording, and how each is treated. */
  private strange(inferred: readonly MarketId[]): readonly string[] {
    const behind = this.behind + this.seen.reduce((sum, seen) => sum + seen.behind, 0);
    return [
      this.belated === 0
        ? ''
        : `${this.belated} lines come after the resolution of their market, where nothing trades any more`,
      ...this.twice.notes((place) => !inferred.includes(this.markets[place]!.marketId)),
      behind === 0
        ? ''
        : `${behind} trades come after the book of their time; the book counts as earlier, so that they take from ` +
          'what it shows: more is filled than if it shows what they have left',
    ].filter((note) => note !== '');
  }

  private row(block: TapeBlock, row: number): void {
    const seen = this.seenOf(block.market[row]!, block.line[row]!);
    const kind = block.kind[row]!;
    const at = block.at[row]! as Micros;
    if (seen.firstAt === 0) seen.firstAt = at;
    seen.lastAt = at;
    if (seen.resolution !== null) this.belated += 1;
    if (kind === ROW.status) {
      const { resolution } = statusOf(block, row);
      seen.resolution = resolution ?? seen.resolution;
      if (resolution !== null) seen.resolvedLine ??= block.line[row]!;
      return;
    }
    const levels = kind === ROW.book ? block.bids[row]! + block.asks[row]! : 1;
    if (kind === ROW.book) {
      this.books += 1;
      seen.books += 1;
      if (seen.bookAt !== at) this.behind += seen.behind;
      seen.behind = 0;
      seen.bookAt = at;
      seen.depth = Math.max(seen.depth, block.bids[row]!, block.asks[row]!);
    } else if (kind === ROW.trade) {
      seen.trades += 1;
      if (seen.bookAt === at) seen.behind += 1;
    }
    const from = block.first[row]!;
    for (let level = from; level < from + levels; level++) this.fit(seen, block.prices[level]!);
  }

  private fit(seen: Seen, price: number): void {
    while (price % (GRIDS[seen.grid] ?? 1) !== 0) seen.grid += 1;
  }

  private seenOf(place: number, line: number): Seen {
    return (this.seen[place] ??= {
      books: 0,
      trades: 0,
      grid: 0,
      depth: 0,
      resolution: null,
      resolvedLine: null,
      line,
      firstAt: 0 as Micros,
      lastAt: 0 as Micros,
      bookAt: 0 as Micros,
      behind: 0,
    });
  }
}

/** Time between the first and the last row of a market. */
export type RecordedSpan = Pick<SurveyedMarket, 'marketId' | 'firstAt' | 'lastAt' | 'line'>;

/** A recording and its markets. */
export interface RecordedSpans {
  readonly name: string;
  readonly markets: readonly RecordedSpan[];
}

/**
 * Refuses two recordings of one market at the same time: trades would appear twice, and books would alternate.
 * @throws RecordingError with the second of the two, and its line
 */
export function refuseOverlaps(recordings: readonly RecordedSpans[]): void {
  const seen = new Map<MarketId, { readonly name: string; readonly market: RecordedSpan }[]>();
  for (const { name, markets } of recordings)
    for (const market of markets) {
      const others = seen.get(market.marketId) ?? [];
      const other = others.find((one) => overlap(one.market, market));
      if (other !== undefined)
        throw new RecordingError(
          name,
          market.line,
          `market ${market.marketId} is also in ${other.name} at the same time; expected one recording of a market at a time`,
        );
      seen.set(market.marketId, [...others, { name, market }]);
    }
}

/** Two recordings that meet at one time may share rows of that time, and nobody can tell which. */
const overlap = (one: RecordedSpan, other: RecordedSpan): boolean =>
  one.firstAt <= other.lastAt && other.firstAt <= one.lastAt;
