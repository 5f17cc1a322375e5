/** What a user chooses of an import, and what an import counts. */

export const VENUES = ['betfair', 'kalshi', 'polymarket'] as const;
export type VenueName = (typeof VENUES)[number];

/** What a user chose. Equal sources and options give equal bytes. */
export interface ImportOptions {
  /** Venue ids of markets that are taken; empty: all. */
  readonly markets: readonly string[];
  /** Venue ids of events that are taken; empty: all. */
  readonly events: readonly string[];
  /** Unix milliseconds; null: from the beginning. */
  readonly from: number | null;
  /** Unix milliseconds, without this one; null: to the end. */
  readonly to: number | null;
  /** Most levels a side. */
  readonly levels: number;
  /** Steps of prices, in 0.00001; null: as the venue has them. */
  readonly grid: number | null;
  /** Whether prices of the no side are prices of no, or already of yes. */
  readonly noPrices: 'no' | 'yes';
  /** Ids of tokens whose side is the long one. */
  readonly tokens: readonly string[];
  /** Whether trades off the book are written. */
  readonly offBook: boolean;
  /** Whether a jump of sequence numbers closes the market until its next snapshot. */
  readonly gaps: 'ignore' | 'close';
}

export const USUAL_OPTIONS: ImportOptions = {
  markets: [],
  events: [],
  from: null,
  to: null,
  levels: 10,
  grid: null,
  noPrices: 'no',
  tokens: [],
  offBook: false,
  gaps: 'ignore',
};

/** Things that were seen or repaired, by name. */
export const COUNTED = {
  images: 'full images that equal the book before them',
  jumps: 'full images that differ from the book before them',
  restatements: 'restatements of traded volume, which are no trades',
  suspendedTrades: 'trades dropped because the market was suspended',
  offBookTrades: 'trades off the book, left out',
  mergedPrices: 'levels merged into one price of the grid',
  clampedTimes: 'times set forward because they went back',
  afterClose: 'changes after the close, left out',
  crossedBooks: 'books left out because bid and ask crossed for a moment',
  waitingChanges: 'changes left out while waiting for a full book',
  touchDiffers: 'frames whose stated best prices differ from the folded book',
  sequenceGaps: 'jumps of the sequence numbers',
  unknownFrames: 'frames of kinds that say nothing about books or trades',
  tornLines: 'last lines that were cut off',
} as const;
export type Counted = keyof typeof COUNTED;

/** A settlement: what one long share pays, or its price back. */
export type Settlement = number | 'void';
