import type { BookUpdate } from '../../../domain/inputs.js';
import type { Levels } from '../../../domain/levels.js';
import { type Micros, type PriceUnits, type Shares, ticksToPrice } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import { BookHistory } from './book-history.js';
import { BookLevels, CONDITION, type Condition, fingerprint } from './book-levels.js';
import { BookMemory, BYTE, NEVER, SMALL, TIME, type TimeField, WORD } from './book-memory.js';
import type { Catalogue } from '../events/catalogue.js';
import type { MirrorCounters } from '../counters.js';
import type { DirtyMarkets } from '../dirty-markets.js';
import { laterBy, msBetween } from '../durations.js';
import type { Finding } from '../findings.js';
import { FRESHNESS, type Freshness, freshnessOf } from './freshness.js';
import type { MirrorSettings } from '../settings.js';
import { type Verdict, Witnesses } from './witnesses.js';

/** What the books share with the rest of the mirror. */
export interface BookSurroundings {
  readonly catalogue: Catalogue;
  readonly settings: MirrorSettings;
  readonly dirty: DirtyMarkets;
  readonly counters: MirrorCounters;
  readonly report: (finding: Finding) => void;
}

/** Both sides as a message or a read shows them. */
export interface ShownBook {
  readonly bids: Levels;
  readonly asks: Levels;
}

const DISAGREEMENTS_TO_WITHDRAW = 2;

/** The book of every market by dense index: updates applied, reads applied or compared, and how far each may be relied on. */
export class Books {
  readonly levels: BookLevels;
  readonly #memory: BookMemory;
  readonly #history: BookHistory;
  readonly #witnesses: Witnesses;
  readonly #maxAge: number;

  constructor(private readonly around: BookSurroundings) {
    this.#memory = new BookMemory(around.settings.depth, around.catalogue.markets.length);
    this.levels = new BookLevels(this.#memory);
    this.#history = new BookHistory(this.#memory);
    this.#witnesses = new Witnesses(this.#memory, this.#history, around.settings);
    this.#maxAge = around.settings.maxBookAgeMs * 1_000;
    for (const { tickUnits } of around.catalogue.markets) this.add(tickUnits);
  }

  /** Bytes that one market's book takes. */
  get bytesPerBook(): number {
    return this.#memory.bytesPerBook;
  }

  /** Makes room for the market that comes next in the catalogue. */
  add(tickUnits: number): void {
    this.#memory.add(tickUnits);
  }

  /** Whether the levels, their age and the comparisons permit to rely on the book. */
  isLive(market: number, now: Micros): boolean {
    const { numbers, bytes, layout } = this.#memory;
    const time = market * layout.strideNumbers;
    const byte = market * layout.strideBytes + layout.bytes;
    const armed = numbers[time + TIME.armed]!;
    const confirmed = numbers[time + TIME.confirmed]!;
    return (
      bytes[byte + BYTE.condition] === CONDITION.sound &&
      bytes[byte + BYTE.distrusted] === 0 &&
      armed !== NEVER &&
      confirmed >= armed &&
      now - confirmed < this.#maxAge
    );
  }

  /** The same with the reason; connection and account are judged elsewhere. */
  freshness(market: number, now: Micros): Freshness {
    if (this.isLive(market, now)) return FRESHNESS.live;
    const armed = this.#memory.time(market, TIME.armed);
    const confirmed = this.#memory.time(market, TIME.confirmed);
    if (armed === NEVER) return FRESHNESS.channelNotJoined;
    if (this.#memory.byte(market, BYTE.distrusted) !== 0) return FRESHNESS.witnessesDisagree;
    if (confirmed >= armed && this.levels.condition(market) !== CONDITION.sound)
      return freshnessOf(this.levels.condition(market));
    return now - Math.max(confirmed, armed) >= this.#maxAge ? FRESHNESS.tooOld : FRESHNESS.bookNotRead;
  }

  /** Milliseconds since the book was known to be the venue's; infinite before the first time. */
  ageMs(market: number, now: Micros): number {
    const confirmed = this.#memory.time(market, TIME.confirmed);
    return confirmed === NEVER ? Infinity : msBetween(confirmed as Micros, now);
  }

  /** @returns -1 for never */
  time(market: number, field: TimeField): Micros {
    return this.#memory.time(market, field) as Micros;
  }

  /** The market's channel was joined: nothing from before counts, and silence is counted from now. */
  arm(market: number, at: Micros): void {
    this.#memory.setTime(market, TIME.armed, at);
    this.#history.forget(market);
    this.#witnesses.forget(market);
  }

  /** The market has another grid: its book counts again once it was told on that one. */
  changeTick(market: number, tickUnits: number, at: Micros): void {
    this.#memory.setSmall(market, SMALL.tickUnits, tickUnits);
    if (this.#memory.time(market, TIME.armed) !== NEVER) this.arm(market, at);
  }

  /** Whether a request sent then was sent on the present subscription. */
  isArmedBy(market: number, sentAt: Micros): boolean {
    const armed = this.#memory.time(market, TIME.armed);
    return armed !== NEVER && sentAt >= armed;
  }

  /** The connection is gone: no book counts until its channel is joined again. */
  disarm(market: number): void {
    this.#memory.setTime(market, TIME.armed, NEVER);
  }

  /**
   * Applies an update unless a newer one was applied.
   * @returns whether it made a usable book unusable
   */
  update(market: number, input: BookUpdate, at: Micros): boolean {
    const { numbers, words, layout } = this.#memory;
    const time = market * layout.strideNumbers;
    if (input.venueTime < numbers[time + TIME.venue]!) {
      this.around.counters.framesOlder += 1;
      return false;
    }
    const wasLive = this.isLive(market, at);
    const changed = this.#write(market, input, input.topN, at);
    numbers[time + TIME.venue] = input.venueTime;
    numbers[time + TIME.frame] = at;
    numbers[time + TIME.confirmed] = at;
    words[market * layout.strideWords + layout.words + WORD.updates]! += 1;
    this.around.counters.framesApplied += 1;
    if (changed || !wasLive) this.around.dirty.touch(market);
    return changed && wasLive && !this.levels.isSound;
  }

  /** Updates applied so far, modulo 2^32. */
  updates(market: number): number {
    return this.#memory.word(market, WORD.updates);
  }

  /**
   * Whether a read may replace the book: only one that is certainly not older than the newest update.
   * @param updatesThen `updates` when its request was made
   */
  mayReplace(market: number, sentAt: Micros, updatesThen: number): boolean {
    const isNewest = this.#memory.time(market, TIME.frame) <= this.#sampledFrom(sentAt);
    return isNewest && this.updates(market) === updatesThen;
  }

  /** Replaces the book by a read. */
  replace(market: number, read: ShownBook, sentAt: Micros, at: Micros): void {
    this.#write(market, read, this.#coveredBy(market), at);
    this.#memory.setTime(market, TIME.confirmed, this.#sampledFrom(sentAt));
    this.#memory.setTime(market, TIME.witnessed, at);
    this.#trust(market);
    this.around.counters.booksRead += 1;
    this.around.dirty.touch(market);
  }

  /** Compares a read with the book, without ever changing its levels. */
  compare(market: number, read: ShownBook, sentAt: Micros, at: Micros): Verdict {
    const hash = fingerprint(read.bids, read.asks, this.#coveredBy(market));
    const verdict = this.#witnesses.judge(market, hash, sentAt, at);
    this.#memory.setTime(market, TIME.witnessed, at);
    if (verdict === 'inconclusive') this.around.counters.witnessesInconclusive += 1;
    if (verdict !== 'agrees') return verdict;
    this.#agreed(market);
    if (this.#history.isPresent(market, hash)) this.#confirm(market, this.#sampledFrom(sentAt));
    return verdict;
  }

  /** Comparisons in a row that failed. */
  disagreements(market: number): number {
    return this.#memory.small(market, SMALL.disagreements);
  }

  /** When a read that nothing has explained yet becomes a disagreement; null when none waits. */
  waitsUntil(market: number): Micros | null {
    return this.#witnesses.waitsUntil(market);
  }

  /** Counts a disagreement; two in a row withdraw the book. @returns how many in a row */
  disagreed(market: number): number {
    const inARow = this.#witnesses.disagreed(market);
    this.around.counters.witnessesDisagreed += 1;
    if (inARow >= DISAGREEMENTS_TO_WITHDRAW) this.#withdraw(market);
    return inARow;
  }

  /** The levels shown, for a report. */
  shown(market: number): ShownBook {
    return { bids: this.#shownSide(market, 'bid'), asks: this.#shownSide(market, 'ask') };
  }

  #write(market: number, book: ShownBook, covered: number, at: Micros): boolean {
    const { levels } = this;
    const changed = levels.write(market, book.bids, book.asks, covered);
    // The same levels as before a reconnection are the first that count since.
    if (!changed && !this.#history.isEmpty(market)) return false;
    if (levels.newCondition !== null) this.#countFault(market, levels.newCondition);
    const hash = levels.fingerprint;
    this.#history.note(market, hash, at);
    if (this.#witnesses.explains(market, hash)) this.#agreed(market);
    return changed;
  }

  #countFault(market: number, condition: Condition): void {
    if (condition !== CONDITION.offGrid && condition !== CONDITION.malformed) return;
    const reason = condition === CONDITION.offGrid ? 'off-grid' : 'malformed';
    this.around.counters[condition === CONDITION.offGrid ? 'booksOffGrid' : 'booksMalformed'] += 1;
    const marketId = this.around.catalogue.markets[market]!.id;
    this.around.report({ kind: 'book-unusable', marketId, reason });
  }

  #agreed(market: number): void {
    this.#witnesses.agreed(market);
    this.around.counters.witnessesAgreed += 1;
    if (this.#memory.byte(market, BYTE.distrusted) === 0) return;
    this.#trust(market);
    this.around.dirty.touch(market);
  }

  #confirm(market: number, at: Micros): void {
    if (at > this.#memory.time(market, TIME.confirmed)) this.#memory.setTime(market, TIME.confirmed, at);
  }

  #trust(market: number): void {
    this.#memory.setByte(market, BYTE.distrusted, 0);
    this.#witnesses.forget(market);
  }

  /** The venue's clock may have gone back, and every update since been dropped as older: begin anew. */
  #withdraw(market: number): void {
    this.#memory.setByte(market, BYTE.distrusted, 1);
    this.#memory.setTime(market, TIME.venue, NEVER);
    this.around.counters.booksWithdrawn += 1;
    this.around.dirty.touch(market);
  }

  /** The oldest moment that an answer to a request sent then may show. */
  #sampledFrom(sentAt: Micros): Micros {
    return laterBy(sentAt, -this.around.settings.bookCacheMs);
  }

  /** Reads show the whole book: of it, as much as updates show. */
  #coveredBy(market: number): number {
    return this.levels.covered(market) || this.around.settings.depth;
  }

  #shownSide(market: number, side: Side): Levels {
    const tickUnits = this.#memory.small(market, SMALL.tickUnits);
    const prices: PriceUnits[] = [];
    const shares: Shares[] = [];
    for (let level = 0; level < this.levels.count(market, side); level++) {
      prices.push(ticksToPrice(this.levels.tick(market, side, level), tickUnits));
      shares.push(this.levels.shares(market, side, level));
    }
    return { prices, shares };
  }
}
