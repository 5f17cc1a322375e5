import type { ReadRequest, VenueRequest } from '../../domain/effects.js';
import { InvariantError } from '../../domain/errors.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Answer } from '../../domain/answers.js';
import type { Input, Stamped } from '../../domain/inputs.js';
import type { EventDescription } from '../../domain/market.js';
import type { HoldingReport } from '../../domain/orders.js';
import type { Micros, Money, Shares, Ticks } from '../../domain/units.js';
import type { Currency, Position } from '../../domain/vocabulary.js';
import type { AccountPart } from './account.js';
import {
  applyAnswer,
  applyFrame,
  bookUpdated,
  eventJoined,
  leavesOut,
  marketQuoted,
  noteIssued,
  touchQuoted,
} from './inputs.js';
import type { EventRecord, MarketRecord } from './events/catalogue.js';
import type { Finding, MirrorCounters } from './findings.js';
import { type ForeignBook, foreignBook, type OwnLevel, withoutLevels } from './books/foreign-book.js';
import { FRESHNESS, type Freshness } from './books/freshness.js';
import { type MirrorBeginning, type MirrorParts, assemble } from './parts.js';
import { type Tradability, betEndOf, tradability } from './events/tradability.js';
import type { Silence } from './silence.js';
import { earliest, msBetween, type VenueClock } from './time.js';
import { NEVER } from './books/book.js';

const NO_MARKETS: readonly MarketId[] = [];
const NO_FINDINGS: readonly Finding[] = [];
const NO_REQUESTS: readonly ReadRequest[] = [];

/** A balance as far as it is known. */
export interface BalanceView {
  /** Null when the venue named none. */
  readonly amount: Money | null;
  /** `moved`: the venue said that it changed since it was read. */
  readonly freshness: 'live' | 'moved' | 'resyncing';
  /** When the request that told it was sent; null while resyncing. */
  readonly asOf: Micros | null;
}

/**
 * What the venue said, each part with its freshness: books, statuses, holdings, balances. It is fed with every input
 * in order and asks for the reads it needs; it never acts by itself. Methods that take an id throw InvariantError
 * for a market or event that neither configuration nor the venue has named.
 */
export class Mirror {
  readonly #parts: MirrorParts;

  /** @throws UsageError when the settings contradict each other */
  constructor(beginning: MirrorBeginning) {
    this.#parts = assemble(beginning);
  }

  get counters(): Readonly<MirrorCounters> {
    return this.#parts.counters;
  }

  /** Every market known, in the order it became known. */
  get markets(): readonly Readonly<MarketRecord>[] {
    return this.#parts.catalogue.markets;
  }

  /** Events with a market that is disabled now. */
  get eventsWithDisabled(): readonly EventId[] {
    return [...new Set(this.markets.filter(({ disabled }) => disabled).map(({ event }) => event.id))];
  }

  /** Whether holdings were read without a look at what is held in some disabled market: that says nothing. */
  leavesOut({ outcome }: Answer): boolean {
    return outcome.ok && leavesOut(this.#parts, outcome.body);
  }

  /** Every event known, in the order it became known. */
  get events(): readonly Readonly<EventRecord>[] {
    return this.#parts.catalogue.events;
  }

  /** Markets whose status the input may have changed: those of the event that it names; all of them where it names none. */
  spokenOf(input: Input): readonly Readonly<MarketRecord>[] {
    const { catalogue } = this.#parts;
    const event = eventNamedBy(input, (market) => catalogue.market(market)?.event.id ?? null);
    return event === null ? catalogue.markets : (catalogue.event(event)?.markets ?? []);
  }

  /** Takes in one input. What quotes depend on and has changed is told by {@link drainDirty}. */
  apply({ input, at }: Stamped): void {
    const { kind } = input;
    if (isHeard(input)) this.#parts.silence.heard(at);
    if (kind === 'book') bookUpdated(this.#parts, input, at);
    else if (kind === 'answer') this.answered(input, at);
    else if (kind === 'timer') this.beat(at);
    else if (kind !== 'command' && kind !== 'outside') applyFrame(this.#parts, input, at);
  }

  /** When routine reads come next. */
  get silence(): Silence {
    return this.#parts.silence;
  }

  /** Takes in the answer to a read; `apply` does it for an answer among the inputs. */
  answered(answer: Answer, at: Micros): void {
    const { venueClock, statuses } = this.#parts;
    if (venueClock.differsBy(answer.venueAhead ?? 0)) statuses.clockDiffers(at);
    applyAnswer(this.#parts, answer, at);
  }

  /** Looks at everything whose date has come: silence, bet windows, comparisons, routine reads. */
  beat(now: Micros): void {
    this.#parts.account.beat(now);
    this.#parts.eventReads.beat(now);
    this.#parts.statuses.beat(now);
    this.#parts.watch.beat(now);
  }

  /** When `apply` wants a timer input at the latest; null when nothing is planned. */
  nextDue(): Micros | null {
    const { account, eventReads, statuses, watch } = this.#parts;
    return earliest(account.nextDue, eventReads.nextDue, statuses.nextDue, watch.nextDue);
  }

  /** Markets whose quotes are to be looked at again since the last call, each once, in the order they were touched. */
  drainDirty(): readonly MarketId[] {
    const { dirty, catalogue } = this.#parts;
    if (dirty.size === 0) return NO_MARKETS;
    const touched = [...dirty].map((index) => catalogue.markets[index]!.id);
    dirty.clear();
    return touched;
  }

  /** What a person may want to know since the last call. */
  drainFindings(): readonly Finding[] {
    const { findings } = this.#parts;
    return findings.length === 0 ? NO_FINDINGS : findings.splice(0);
  }

  /** Whether there is no read to ask for now, as mostly. */
  get isIdle(): boolean {
    const { account, eventReads, watch } = this.#parts;
    return account.isIdle && eventReads.isIdle && watch.isIdle;
  }

  /**
   * The reads wanted now: the account first, then some events in doubt, then books to begin with, then comparisons. Each
   * stays in the list until it is issued, and comes back until it is answered.
   * @param most books to ask for, asked where anything is wanted
   */
  needs(now: Micros, most: () => number = () => Infinity): readonly ReadRequest[] {
    this.beat(now);
    const { connection, account, eventReads, watch } = this.#parts;
    if (!connection.up || this.isIdle) return NO_REQUESTS;
    return [...account.needs(), ...eventReads.needs(), ...watch.needs(now, most())];
  }

  /** Whether the read is what a market needs before it can be quoted. */
  isBeginning(read: ReadRequest): boolean {
    return read.kind === 'read-book' && this.freshness(read.marketId) === FRESHNESS.bookNotRead;
  }

  /** A request was handed to the gateway; what is no read is none of the mirror's business. */
  issued(requestId: number, request: VenueRequest): void {
    noteIssued(this.#parts, requestId, request);
  }

  /** As {@link view}, by one who quotes there: what lies behind a hidden side is to be read. */
  look(market: MarketId, own: readonly OwnLevel[], now: Micros): ForeignBook {
    const book = this.view(market, own, now);
    if (book.freshness === FRESHNESS.live || book.freshness === FRESHNESS.hidden)
      this.#parts.watch.noteHidden(this.#market(market).index, book.freshness === FRESHNESS.hidden, now);
    return book;
  }

  /**
   * The market's book without our own orders. Levels are given only while it is `live` or `hidden`. Viewing changes
   * nothing.
   * @param own what of our own orders shows, or may still show, in the book
   */
  view(market: MarketId, own: readonly OwnLevel[], now: Micros): ForeignBook {
    const record = this.#market(market);
    const { books, watch } = this.#parts;
    const freshness = this.#freshness(record);
    const ageMs = Math.min(books.ageMs(record.index, now), watch.silentAgeMs(record.index, now));
    if (freshness !== FRESHNESS.live) return withoutLevels(freshness, ageMs);
    return foreignBook(books.of(record.index), own, watch.signed(record.index), ageMs);
  }

  /** As in {@link view}, without looking at own orders: never `hidden`. */
  freshness(market: MarketId): Freshness {
    return this.#freshness(this.#market(market));
  }

  /**
   * Since when the market's levels are what they are, as far as orders are concerned: receive time of the newest
   * update, or the oldest moment that the read they come from may show. -1 before the first.
   */
  bookAt(market: MarketId): Micros {
    return this.#parts.books.of(this.#market(market).index).confirmedAt;
  }

  /** Milliseconds since a read of the book was answered last; null before the first. */
  readAgeMs(market: MarketId, now: Micros): number | null {
    const { witnessedAt } = this.#parts.books.of(this.#market(market).index);
    return witnessedAt === NEVER ? null : msBetween(witnessedAt, now);
  }

  /** Best levels of the book as last shown, own orders included, whatever its freshness; null where there is none. */
  touch(market: MarketId): { readonly bid: Ticks | null; readonly ask: Ticks | null } {
    const book = this.#parts.books.of(this.#market(market).index);
    return { bid: book.tick('bid', 0), ask: book.tick('ask', 0) };
  }

  /** The realtime connection as last heard. */
  get connection(): { readonly state: string; readonly reason: string } {
    return this.#parts.connection.latest;
  }

  /** Whether orders may stand in the market, by everything said about it and its event. */
  tradability(market: MarketId, now: Micros): Tradability {
    return tradability(this.#market(market), this.#parts.venueClock.at(now));
  }

  /** By which dates of the venue come. */
  get venueClock(): Pick<VenueClock, 'ahead' | 'at' | 'ours'> {
    return this.#parts.venueClock;
  }

  /** When betting on the market ends, by the venue's clock: the earlier of its own and its event's end; null when neither is known. */
  betEnd(market: MarketId): Micros | null {
    return betEndOf(this.#market(market));
  }

  /** The market as known now. */
  market(market: MarketId): Readonly<MarketRecord> {
    return this.#market(market);
  }

  /** The event as known now. */
  event(event: EventId): Readonly<EventRecord> {
    return this.#event(event);
  }

  balance(currency: Currency): BalanceView {
    const { account } = this.#parts;
    const asOf = account.balancesAsOf;
    const freshness = asOf === null ? 'resyncing' : account.balancesMoved ? 'moved' : 'live';
    return { amount: account.balances.get(currency) ?? null, freshness, asOf };
  }

  /** Shares that the venue says the account holds. */
  held(market: MarketId, position: Position, currency: Currency): Shares {
    return this.#parts.holdings.shares(market, position, currency);
  }

  /** Every holding the venue named, of whatever market. */
  holdings(): HoldingReport[] {
    return this.#parts.holdings.all();
  }

  /** Whether the part was read since the private channel was joined and not distrusted since. */
  isRead(part: AccountPart): boolean {
    return this.#parts.account.isRead(part);
  }

  /** Something contradicts what was read: no quoting until a request sent from now on is answered. */
  distrust(part: AccountPart, at: Micros): void {
    this.#parts.account.distrust(part, at);
    touchQuoted(this.#parts);
  }

  /** The balance may have moved since it was read: it is read again, though not for each of a burst. */
  balanceMoved(at: Micros): void {
    if (!this.#parts.account.balancesMoved) this.#parts.account.balanceChanged(at);
  }

  /** Knows the event, and those of its markets that are new, from now on. */
  join(description: EventDescription, at: Micros): void {
    eventJoined(this.#parts, description, at);
  }

  /** An instance quotes the market, or none does, from now on. */
  quote(market: MarketId, isQuoted: boolean, at: Micros): void {
    marketQuoted(this.#parts, this.#market(market), isQuoted, at);
  }

  /** The book and refusals teach the market's grid from now on. */
  learnsGrid(market: MarketId): void {
    this.#market(market).learnsGrid = true;
  }

  /** The market's prices are on another grid from now on. */
  changeTick(market: MarketId, tickUnits: number, at: Micros): void {
    const { books, watch, dirty, catalogue } = this.#parts;
    const record = catalogue.market(market);
    if (record === undefined) throw new InvariantError(`the mirror knows no market ${market}`);
    record.tickUnits = tickUnits;
    books.changeTick(record.index, tickUnits, at);
    watch.lookAt(record.index, at);
    dirty.add(record.index);
  }

  /** A person stated the market's grid: nothing teaches another one from now on. */
  fixGrid(market: MarketId): void {
    this.#market(market).learnsGrid = false;
  }

  /**
   * Refusals show a coarser grid than was known.
   * @returns whether it is taken; false where the grid is configured
   */
  learnGrid(market: MarketId, tickUnits: number, at: Micros): boolean {
    if (!this.#market(market).learnsGrid) return false;
    this.changeTick(market, tickUnits, at);
    this.#parts.findings.push({ kind: 'grid-learned', marketId: market, tickUnits });
    return true;
  }

  /** Something contradicts the event's status (a refusal, say): `unknown` until a read has told it. */
  doubt(event: EventId, at: Micros): void {
    this.#parts.statuses.doubt(this.#event(event), 'contradicted', at);
  }

  /** Connection, channels and account first: nothing of a market counts without them. */
  #freshness(market: MarketRecord): Freshness {
    const { connection, account, books } = this.#parts;
    if (!connection.up) return FRESHNESS.connectionLost;
    if (connection.joinedSince(market.event.id) === null)
      return connection.refused(market.event.id) ? FRESHNESS.channelRefused : FRESHNESS.channelNotJoined;
    if (connection.privateSince === null)
      return connection.privateRefused ? FRESHNESS.privateRefused : FRESHNESS.privateNotJoined;
    return account.isAllRead ? books.freshness(market.index) : account.missing;
  }

  #market(id: MarketId): MarketRecord {
    const market = this.#parts.catalogue.market(id);
    if (market === undefined) throw new InvariantError(`the mirror knows no market ${id}`);
    return market;
  }

  #event(id: EventId): EventRecord {
    const event = this.#parts.catalogue.event(id);
    if (event === undefined) throw new InvariantError(`the mirror knows no event ${id}`);
    return event;
  }
}

/** Whether the venue said something of its own, or did something for us. */
const isHeard = (input: Input): boolean => {
  if (input.kind === 'timer' || input.kind === 'command' || input.kind === 'outside') return false;
  return input.kind !== 'answer' || !input.outcome.ok || !input.outcome.body.kind.startsWith('read-');
};

function eventNamedBy(input: Input, eventOf: (market: MarketId) => EventId | null): EventId | null {
  if (input.kind === 'market-status')
    return input.eventId ?? (input.marketId === null ? null : eventOf(input.marketId));
  if (input.kind === 'event-status' || input.kind === 'event-live') return input.eventId;
  if (input.kind !== 'answer' || !input.outcome.ok || input.outcome.body.kind !== 'read-event') return null;
  return input.outcome.body.event.id;
}
