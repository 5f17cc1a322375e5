import type { BookInput } from '../../../domain/inputs.js';
import type { Micros, PriceUnits } from '../../../domain/units.js';
import type { Catalogue } from '../events/catalogue.js';
import type { Finding, MirrorCounters } from '../findings.js';
import type { MirrorSettings } from '../settings.js';
import { earliest, laterBy, msBetween } from '../time.js';
import {
  bestLevels,
  Book,
  type BookSides,
  type Condition,
  hasTouch,
  NEVER,
  type StatedTouch,
} from './book.js';
import { FRESHNESS, type Freshness, freshnessOf } from './freshness.js';

/** What the books share with the rest of the mirror. */
export interface BookSurroundings {
  readonly catalogue: Catalogue;
  readonly settings: MirrorSettings;
  /** Markets whose quotes must be looked at again, by dense index. */
  readonly dirty: Set<number>;
  readonly counters: MirrorCounters;
  readonly report: (finding: Finding) => void;
}

/** How a read compares with the mirror's book. */
export type Verdict =
  /** It shows what the book is now, or was within the time that a read may lag behind. */
  | 'agrees'
  /** It shows what the book never was, so far: an update on its way may still explain it. */
  | 'waits'
  /** The past kept is too short to say. */
  | 'inconclusive';

const DISAGREEMENTS_TO_WITHDRAW = 2;

/**
 * The book of every market by dense index: updates applied, reads applied or compared, and how far each may be relied on.
 * A read may be seconds old (the venue caches it) and may be newer than the updates received. So it is compared with the
 * past of the book and, for the latency allowed, with its future.
 */
export class Books {
  readonly #books: Book[];

  constructor(private readonly around: BookSurroundings) {
    this.#books = around.catalogue.markets.map(({ tickUnits }) => new Book(tickUnits));
  }

  /** Adds the book of the market that comes next in the catalogue. */
  add(tickUnits: number): void {
    this.#books.push(new Book(tickUnits));
  }

  of(market: number): Book {
    return this.#books[market]!;
  }

  /** Whether channel, levels and comparisons permit to rely on the book, with the reason. Silence alone is no reason against it. */
  freshness(market: number): Freshness {
    const book = this.of(market);
    if (book.armedAt === NEVER) return FRESHNESS.channelNotJoined;
    if (book.isDistrusted) return FRESHNESS.witnessesDisagree;
    return book.confirmedAt >= book.armedAt ? freshnessOf(book.condition) : FRESHNESS.bookNotRead;
  }

  isLive(market: number): boolean {
    return this.freshness(market) === FRESHNESS.live;
  }

  /** Milliseconds since the book was known to be the venue's; infinite before the first time. */
  ageMs(market: number, now: Micros): number {
    const { confirmedAt } = this.of(market);
    return confirmedAt === NEVER ? Infinity : msBetween(confirmedAt, now);
  }

  /** The market's channel was joined: nothing from before counts, and silence is counted from now. */
  arm(market: number, at: Micros): void {
    const book = this.of(market);
    book.armedAt = at;
    book.comparedAt = NEVER;
    book.vainReads = 0;
    book.stated = null;
    book.tradedAt = null;
    book.history.forget();
    forgetComparisons(book);
  }

  /** The connection is gone: no book counts until its channel is joined again. */
  disarm(market: number): void {
    this.of(market).armedAt = NEVER;
  }

  /** The market has another grid: its book counts again once it was shown on that one. */
  changeTick(market: number, tickUnits: number, at: Micros): void {
    const book = this.of(market);
    book.tickUnits = tickUnits;
    if (book.armedAt !== NEVER) this.arm(market, at);
  }

  /** Whether a request sent then was sent on the present subscription. */
  isArmedBy(market: number, sentAt: Micros): boolean {
    const { armedAt } = this.of(market);
    return armedAt !== NEVER && sentAt >= armedAt;
  }

  /**
   * Applies an update unless a newer one was applied.
   * @returns whether it made a usable book unusable
   */
  update(market: number, input: BookInput, at: Micros): boolean {
    const book = this.of(market);
    const { counters, dirty } = this.around;
    if (input.venueTime < book.venueTime) {
      counters.framesOlder += 1;
      return false;
    }
    const wasLive = this.isLive(market);
    const hasChanged = this.#show(market, input, input.topN, at);
    book.venueTime = input.venueTime;
    book.frameAt = at;
    book.confirmedAt = at;
    book.updates += 1;
    counters.framesApplied += 1;
    if (hasChanged || !wasLive) dirty.add(market);
    return hasChanged && wasLive && book.condition !== 'sound';
  }

  /**
   * Whether a read may replace the book: only one that is certainly not older than the newest update.
   * @param updatesThen updates of the book when the request was made
   */
  mayReplace(market: number, sentAt: Micros, updatesThen: number): boolean {
    const { frameAt, updates } = this.of(market);
    return frameAt <= this.#oldestShown(sentAt) && updates === updatesThen;
  }

  /** Replaces the book by a read. */
  replace(market: number, read: BookSides, sentAt: Micros, at: Micros): void {
    const book = this.of(market);
    this.#show(market, read, this.#coveredBy(book), at);
    book.confirmedAt = this.#oldestShown(sentAt);
    book.witnessedAt = at;
    trust(book);
    if (book.condition !== 'sound') book.vainReads += 1;
    this.around.counters.booksRead += 1;
    this.around.dirty.add(market);
  }

  /** Compares a read with the book, without ever changing its levels. */
  compare(market: number, read: BookSides, sentAt: Micros, at: Micros): Verdict {
    const book = this.of(market);
    const covered = this.#coveredBy(book);
    const shown = { bids: bestLevels(read.bids, covered), asks: bestLevels(read.asks, covered) };
    const verdict = this.#judge(book, shown, sentAt, at);
    book.witnessedAt = at;
    if (verdict === 'inconclusive') this.around.counters.witnessesInconclusive += 1;
    else book.comparedAt = at;
    if (verdict !== 'agrees') {
      if (book.isDistrusted) book.vainReads += 1;
      return verdict;
    }
    this.#agreed(market);
    if (book.history.isPresent(shown))
      book.confirmedAt = Math.max(book.confirmedAt, this.#oldestShown(sentAt)) as Micros;
    return verdict;
  }

  /** Counts a disagreement; two in a row withdraw the book. @returns how many in a row */
  disagreed(market: number): number {
    const book = this.of(market);
    book.unexplained = null;
    book.disagreements += 1;
    this.around.counters.witnessesDisagreed += 1;
    if (book.disagreements >= DISAGREEMENTS_TO_WITHDRAW) this.#withdraw(market);
    return book.disagreements;
  }

  /**
   * Best prices were stated, without a time and on another channel than updates: they may be late or early.
   * @returns whether an update has to explain them
   */
  touchStated(market: number, { bid, ask }: StatedTouch, at: Micros): boolean {
    const book = this.of(market);
    const { latencyMs } = this.around.settings;
    const touch = { bid, ask };
    const isKnown =
      !this.isLive(market) || book.history.recallTouch(touch, laterBy(at, -latencyMs)) !== 'unseen';
    book.stated = isKnown ? null : { bid, ask, until: laterBy(at, latencyMs) };
    return !isKnown;
  }

  /** An own order was filled, which changes the book. @returns whether an update has to tell of it */
  traded(market: number, at: Micros): boolean {
    const book = this.of(market);
    if (!this.isLive(market) || this.#isToldOf(book, at)) return false;
    book.tradedAt ??= at;
    return true;
  }

  /**
   * Counts as a disagreement what was said elsewhere and what no update has explained in time.
   * @returns when to look again; null while nothing waits
   */
  settleStated(market: number, now: Micros): Micros | null {
    const book = this.of(market);
    if (book.tradedAt !== null && this.#isToldOf(book, book.tradedAt)) book.tradedAt = null;
    const tradedUntil =
      book.tradedAt === null ? null : laterBy(book.tradedAt, this.around.settings.latencyMs);
    const until = earliest(book.stated?.until ?? null, tradedUntil);
    if (until === null || until > now) return until;
    book.stated = null;
    book.tradedAt = null;
    // The first in a row: a read decides.
    book.disagreements = Math.max(1, book.disagreements);
    this.around.counters.witnessesDisagreed += 1;
    return null;
  }

  /** Updates and fills come over different channels, apart by the latency at most. */
  #isToldOf({ frameAt }: Book, tradedAt: Micros): boolean {
    return frameAt >= laterBy(tradedAt, -this.around.settings.latencyMs);
  }

  #judge(book: Book, shown: BookSides, sentAt: Micros, now: Micros): Verdict {
    const { bookCacheMs, latencyMs } = this.around.settings;
    const recollection = book.history.recall(shown, laterBy(sentAt, -(bookCacheMs + latencyMs)));
    if (recollection === 'forgotten') return 'inconclusive';
    if (recollection === 'unseen') book.unexplained = { read: shown, until: laterBy(now, latencyMs) };
    return recollection === 'seen' ? 'agrees' : 'waits';
  }

  /** @returns whether a level or the condition changed */
  #show(market: number, sides: BookSides, covered: number, at: Micros): boolean {
    const book = this.of(market);
    this.#learnGrid(market, sides);
    const before = book.condition;
    const hasChanged = book.show(sides, Math.min(covered, this.around.settings.depth));
    // The same levels as before a reconnection are the first that count since.
    if (!hasChanged && !book.history.isEmpty) return false;
    if (book.condition !== before) this.#countFault(market, book.condition);
    if (book.condition === 'sound') book.vainReads = 0;
    book.history.note(book, at);
    if (book.stated !== null && hasTouch(book, book.stated)) book.stated = null;
    if (book.unexplained !== null && book.history.isPresent(book.unexplained.read)) {
      book.unexplained = null;
      this.#agreed(market);
    }
    return hasChanged;
  }

  #countFault(market: number, condition: Condition): void {
    if (condition !== 'off-grid' && condition !== 'malformed') return;
    const { counters, catalogue, report } = this.around;
    const { id: marketId, tickUnits } = catalogue.markets[market]!;
    counters[condition === 'off-grid' ? 'booksOffGrid' : 'booksMalformed'] += 1;
    if (condition === 'malformed') return report({ kind: 'book-malformed', marketId });
    const prices = pricesOf(this.of(market));
    const price = prices.find((one) => one % tickUnits !== 0) ?? prices[0]!;
    report({ kind: 'book-off-grid', marketId, price, tickUnits, fitting: gridFor(prices, tickUnits) });
  }

  /** A price off the grid shows a finer one, where the grid is to be learned. */
  #learnGrid(market: number, sides: BookSides): void {
    const { catalogue, report } = this.around;
    const record = catalogue.markets[market]!;
    if (!record.learnsGrid) return;
    const prices = pricesOf(sides);
    if (prices.every((price) => price % record.tickUnits === 0)) return;
    const tickUnits = gridFor(prices, record.tickUnits);
    if (tickUnits === null) return;
    record.tickUnits = tickUnits;
    this.of(market).tickUnits = tickUnits;
    report({ kind: 'grid-learned', marketId: record.id, tickUnits });
  }

  #agreed(market: number): void {
    const book = this.of(market);
    book.disagreements = 0;
    this.around.counters.witnessesAgreed += 1;
    if (!book.isDistrusted) return;
    trust(book);
    this.around.dirty.add(market);
  }

  /** The venue's clock may have gone back, and every update since been dropped as older: begin anew. */
  #withdraw(market: number): void {
    const book = this.of(market);
    book.isDistrusted = true;
    book.venueTime = NEVER;
    this.around.counters.booksWithdrawn += 1;
    this.around.dirty.add(market);
  }

  /** The oldest moment that the answer to a request sent then may show. */
  #oldestShown(sentAt: Micros): Micros {
    return laterBy(sentAt, -this.around.settings.bookCacheMs);
  }

  /** Reads show the whole book: of it, as much as updates show. */
  #coveredBy({ covered }: Book): number {
    return covered || this.around.settings.depth;
  }
}

/** Ticks of 0.01, 0.001 and 0.0001, in price units. */
const USUAL_TICKS: readonly number[] = [100, 10, 1];

/** The coarsest usual tick, finer than the known one, on which all prices lie; null when there is none. */
const gridFor = (prices: readonly PriceUnits[], tickUnits: number): number | null =>
  USUAL_TICKS.find((tick) => tick < tickUnits && prices.every((price) => price % tick === 0)) ?? null;

const pricesOf = ({ bids, asks }: BookSides): readonly PriceUnits[] => [...bids.prices, ...asks.prices];

function trust(book: Book): void {
  book.isDistrusted = false;
  forgetComparisons(book);
}

function forgetComparisons(book: Book): void {
  book.unexplained = null;
  book.disagreements = 0;
}
