import type { ReadRequest } from '../../../domain/effects.js';
import type { AnswerBody, RequestFailure } from '../../../domain/answers.js';
import type { Micros } from '../../../domain/units.js';
import { Agenda } from '../agenda.js';
import { NEVER } from './book.js';
import type { Books, BookSurroundings } from './books.js';
import type { MarketRecord } from '../events/catalogue.js';
import type { EventReads } from '../events/event-reads.js';
import { FRESHNESS } from './freshness.js';
import { backOffMs, Reads, type Urgency } from '../reads.js';
import { repeatMsOf } from '../settings.js';
import type { Silence } from '../silence.js';
import { type SignedBook, signedBook } from './foreign-book.js';
import { isDormant } from '../events/tradability.js';
import { earliest, laterBy, msBetween, type VenueClock } from '../time.js';

export type BookRead = Extract<AnswerBody, { kind: 'read-book' }>;

/**
 * Plans which books are read when: to begin with, to compare, one after the other in rounds, and for what lies behind our
 * own orders. A book that something contradicts comes first. Only quoted markets cost requests, and of those none that is
 * over or has not begun.
 */
export class BookWatch {
  readonly #reads: Reads;
  readonly #agenda = new Agenda();
  /** Markets with a hidden side, as the last look at them found, and when a read of them was answered last. */
  readonly #hidden = new Map<number, Micros>();
  /** For hidden markets, what the last signed read said. */
  readonly #signed = new Map<number, SignedBook>();
  /** By request, how many updates the book had seen when it was made. */
  readonly #updatesThen = new Map<number, number>();
  /** Markets found dormant: nobody looks at them until something is told of their event. */
  readonly #dormant = new Set<number>();
  /** As of which version of the reads none can leave: with thousands of markets all wait for their events at first. */
  #vainAt = -1;
  /** Pause after a read that did not help: an answer within the cache time may be the very same. */
  readonly #repeatMs: number;

  constructor(
    private readonly books: Books,
    private readonly around: BookSurroundings,
    private readonly venueClock: VenueClock,
    private readonly eventReads: Pick<EventReads, 'isHeldBack' | 'version'>,
    private readonly silence: Silence,
  ) {
    this.#reads = new Reads(around.settings);
    this.#repeatMs = repeatMsOf(around.settings);
  }

  get nextDue(): Micros | null {
    return earliest(this.#reads.nextRetry, this.#agenda.next);
  }

  /** What the last signed read said of a market with a hidden side. */
  signed(market: number): SignedBook | undefined {
    const signed = this.#signed.get(market);
    return signed?.tickUnits === this.around.catalogue.markets[market]!.tickUnits ? signed : undefined;
  }

  disconnected(): void {
    this.#reads.clear();
    this.#signed.clear();
  }

  /** How old a read of the book would be that was left out; infinite where none was. */
  silentAgeMs(market: number, now: Micros): number {
    const turn = this.silence.lastTurn(market, now);
    return turn === null ? Infinity : msBetween(turn, now) + this.around.settings.bookCacheMs;
  }

  /** The market is to be looked at from then on. */
  lookAt(market: number, at: Micros): void {
    this.#agenda.plan(market, at);
  }

  /** What was said of the market is looked at once an update must have explained it. */
  lookLater(market: number, at: Micros): void {
    this.#agenda.plan(market, laterBy(at, this.around.settings.latencyMs));
  }

  /** Something was told of the market's event, or its bet window opened: a dormant one may be awake by now. */
  reconsider(market: number, at: Micros): void {
    if (this.#dormant.delete(market)) this.#agenda.plan(market, at);
  }

  /** A look at the market found a side hidden, or none. */
  noteHidden(market: number, isHidden: boolean, now: Micros): void {
    if ((!isHidden && this.#hidden.size === 0) || this.#hidden.has(market) === isHidden) return;
    if (!isHidden) {
      this.#hidden.delete(market);
      this.#signed.delete(market);
      return;
    }
    this.#hidden.set(market, NEVER);
    this.#agenda.plan(market, now);
  }

  get isIdle(): boolean {
    return this.#reads.isIdle;
  }

  /** The books to read now, at most `limit`, of no event that is held back. What has become needless meanwhile is not asked for. */
  needs(now: Micros, limit: number): ReadRequest[] {
    const requests: ReadRequest[] = [];
    const { markets } = this.around.catalogue;
    const version = this.#reads.version + this.eventReads.version;
    if (limit <= 0 || version === this.#vainAt) return requests;
    const ready = this.#reads.ready(limit, (one) => !this.eventReads.isHeldBack(markets[one]!.event));
    if (ready.length === 0) this.#vainAt = version;
    for (const index of ready) {
      const market = markets[index]!;
      if (!this.#isDormant(market, now) && this.#nextRead(index).at <= now)
        requests.push({ kind: 'read-book', marketId: market.id, mode: this.around.settings.mode });
      else this.#giveUp(market, now);
    }
    return requests;
  }

  issued(requestId: number, request: Extract<ReadRequest, { kind: 'read-book' }>): void {
    const market = this.around.catalogue.market(request.marketId);
    if (market === undefined) return;
    this.#reads.issued(requestId, market.index);
    this.#updatesThen.set(requestId, this.books.of(market.index).updates);
  }

  /** Applies a read where it may replace the book, compares it otherwise. */
  answered(requestId: number, read: BookRead, sentAt: Micros, at: Micros): void {
    const updatesThen = this.#updatesThen.get(requestId) ?? 0;
    const index = this.#ended(requestId);
    if (index === null || !this.#reads.succeeded(index, sentAt)) return;
    if (!this.books.isArmedBy(index, sentAt)) return;
    const market = this.around.catalogue.markets[index]!;
    if (!this.books.isLive(index) && this.books.mayReplace(index, sentAt, updatesThen))
      this.books.replace(index, read, sentAt, at);
    else this.books.compare(index, read, sentAt, at);
    this.#keepSigned(index, signedBook(read, market.tickUnits, this.around.settings.depth), at);
    this.#look(market, at);
  }

  /** @returns whether the request was one of these */
  failed(requestId: number, failure: RequestFailure, now: Micros): boolean {
    const index = this.#ended(requestId);
    if (index !== null) this.#reads.failed(index, failure, now);
    return index !== null;
  }

  /** Looks at every market whose date has come. */
  beat(now: Micros): void {
    this.#reads.beat(now);
    for (let index = this.#agenda.take(now); index !== null; index = this.#agenda.take(now))
      this.#look(this.around.catalogue.markets[index]!, now);
  }

  /** Asks for what is due, and plans the next look. */
  #look(market: MarketRecord, now: Micros): void {
    const { index } = market;
    if (!market.quoted || this.books.of(index).armedAt === NEVER) return;
    this.#settleWaiting(market, now);
    const stated = this.books.settleStated(index, now);
    if (this.#isDormant(market, now)) return this.#rest(index);
    if (stated !== null) this.#agenda.plan(index, stated);
    if (this.books.of(index).unexplained !== null) return;
    const { at, urgency } = this.#nextRead(index);
    if (at <= now) return this.#want(index, now, urgency);
    const { comparedAt } = this.books.of(index);
    const { witnessEveryMs } = this.around.settings;
    // Only the routine comparison: whatever else is due hangs on it.
    if (comparedAt === NEVER || at !== laterBy(comparedAt, witnessEveryMs)) this.#agenda.plan(index, at);
    else this.silence.plan(index, comparedAt, witnessEveryMs, (due) => this.#agenda.plan(index, due));
  }

  /** A read that no update explained within the latency allowed has disagreed. */
  #settleWaiting(market: MarketRecord, now: Micros): void {
    const { unexplained, bids, asks } = this.books.of(market.index);
    if (unexplained === null) return;
    if (unexplained.until > now) return this.#agenda.plan(market.index, unexplained.until);
    const inARow = this.books.disagreed(market.index);
    const [mirror, venue] = [{ bids, asks }, unexplained.read];
    this.around.report({ kind: 'witness-disagreed', marketId: market.id, inARow, mirror, venue });
  }

  /** When the next read of this book is due, and how much hangs on it. */
  #nextRead(market: number): { readonly at: Micros; readonly urgency: Urgency } {
    const state = this.books.freshness(market);
    const { armedAt, witnessedAt, frameAt, vainReads, disagreements } = this.books.of(market);
    if (state === FRESHNESS.live)
      return { at: this.#nextWitness(market), urgency: disagreements > 0 ? 'resync' : 'witness' };
    // Updates that keep coming must not put off for ever the read that decides about a distrusted book.
    const frame = state === FRESHNESS.witnessesDisagree ? armedAt : frameAt;
    const since = Math.max(armedAt, frame) as Micros;
    const isFirst = witnessedAt < since && vainReads === 0;
    const pauseMs = isFirst ? 0 : backOffMs(vainReads, this.#repeatMs, this.around.settings.retryMostMs);
    const cached = laterBy(since, this.around.settings.bookCacheMs);
    return { at: Math.max(cached, laterBy(witnessedAt, pauseMs)) as Micros, urgency: 'resync' };
  }

  /** A contradicted book is compared at once, all others in rounds: each has its place, so that they do not come together. */
  #nextWitness(market: number): Micros {
    const { witnessEveryMs, hiddenEveryMs } = this.around.settings;
    const { disagreements, witnessedAt, comparedAt, armedAt } = this.books.of(market);
    // A read shows the past. Where the cache is long, an early repetition would bring the very same answer.
    if (disagreements > 0) return laterBy(witnessedAt, this.#repeatMs);
    const place = (market + 1) / this.around.catalogue.markets.length;
    let at =
      comparedAt === NEVER
        ? laterBy(Math.max(armedAt, witnessedAt) as Micros, Math.ceil(witnessEveryMs * place))
        : laterBy(comparedAt, witnessEveryMs);
    const hiddenRead = this.#hidden.get(market);
    if (hiddenRead !== undefined) at = Math.min(at, laterBy(hiddenRead, hiddenEveryMs)) as Micros;
    return at;
  }

  #ended(requestId: number): number | null {
    this.#updatesThen.delete(requestId);
    return this.#reads.ended(requestId);
  }

  #isDormant(market: MarketRecord, now: Micros): boolean {
    return isDormant(market, this.venueClock.at(now));
  }

  #rest(market: number): void {
    this.#dormant.add(market);
    this.#reads.drop(market);
  }

  #want(market: number, now: Micros, urgency: Urgency): void {
    if (!this.#reads.wants(market)) this.#reads.want(market, now, urgency);
    else if (urgency === 'resync') this.#reads.hurry(market);
  }

  #giveUp(market: MarketRecord, now: Micros): void {
    this.#reads.drop(market.index);
    this.#look(market, now);
  }

  #keepSigned(market: number, signed: SignedBook | null, at: Micros): void {
    if (!this.#hidden.has(market)) return;
    this.#hidden.set(market, at);
    if (signed === null) return;
    this.#signed.set(market, signed);
    this.around.dirty.add(market);
  }
}
