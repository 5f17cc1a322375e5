/**
 * Puts the lines of a tape into the venue's order and shows its markets without the recorder's own orders. Public frames,
 * private frames and answers arrive in no mutual order, but most say when they were made.
 */
import { type EventId, type MarketId, marketId } from '../../domain/ids.js';
import type { Answer, AnswerBody } from '../../domain/answers.js';
import type { BookInput, Input, OrderInput, EventStatusInput } from '../../domain/inputs.js';
import type { Levels } from '../../domain/levels.js';
import type { RecordedLine } from '../../domain/recorded.js';
import { type Micros, PRICE_ONE } from '../../domain/units.js';
import { type CurrencyMode, CURRENCY_MODES } from '../../domain/vocabulary.js';
import type { VolumeGrowth } from '../../venues/simulated/models/inferred-prints.js';
import { TOP_N_DEFAULT } from '../../venues/futuur/protocol/profile.js';
import { frameInput } from '../../venues/futuur/protocol/read/frames.js';
import type { TapeLine, RestRecord } from '../tape/records.js';
import { jsonObject } from '../log/segment.js';
import { MarketData } from '../tape/market-data.js';
import { type TapeEvent, MarketReading } from './market-reading.js';
import { type TapedOrderNews, TapedOrders, OwnOrderScope, type OwnOrderStart } from './own-orders.js';
import { UntimedLines, VenueOrder, VenueTime } from './venue-time.js';
import { readBook } from '../../venues/futuur/protocol/read/book.js';

/** What the reading needs of the start of a run. */
export type RunStart = OwnOrderStart & {
  /** Left out: one that took the orders of the run. */
  readonly venue?: { readonly isPaper?: true };
  readonly events: readonly {
    readonly id: EventId;
    readonly markets: readonly { readonly id: MarketId }[];
  }[];
};

interface Held {
  /** Venue time. */
  readonly at: Micros;
  /** Own orders change before the book that shows the change; both may carry the same millisecond. */
  readonly rank: number;
  readonly release: () => readonly TapeEvent[];
}

/** What is known of the volume of an event. */
interface EventVolume {
  total: number | null;
  /** Books received since the volume was last stated: their trades may explain its growth. */
  waiting: HeldBook[];
  /** Growth that no book explains yet: it may have overtaken its book. */
  early: VolumeGrowth | null;
}

interface HeldBook {
  /** Share units that its levels lost since the frame before, ours included. */
  readonly lost: number;
  /** null: the volume has not grown since. */
  growth: VolumeGrowth | null;
}

const OWN_FIRST = 0;
const THEN_THE_BOOK = 1;
/** Books that wait for the next volume; where none is stated, older ones are forgotten. */
const WAITING_MOST = 1_000;

export class TapeReading {
  readonly #order: VenueOrder<Held>;
  readonly #time = new VenueTime();
  readonly #beginning = new UntimedLines();
  readonly #scope = new OwnOrderScope();
  readonly #orders: TapedOrders;
  readonly #markets = new Map<MarketId, MarketReading>();
  readonly #volumes = new Map<EventId, EventVolume>();
  readonly #data = new MarketData();
  readonly #eventOf = new Map<MarketId, EventId>();
  /** Venue time at which the connection was last lost. */
  #lostAt: Micros | null = null;
  #isPaper = false;
  #released: TapeEvent[] = [];
  #late = 0;
  #read = 0;

  /** @param hold microseconds for which what was received waits for what happened before it; left out: a second */
  constructor(
    private readonly mode: CurrencyMode,
    hold?: number,
  ) {
    this.#order = new VenueOrder(hold);
    this.#orders = new TapedOrders(this.#scope, mode, (order) => this.#market(order.marketId).meets(order));
  }

  /** Books left out because they came too late to be put in order. */
  get late(): number {
    return this.#late;
  }

  /** Books read over REST that stand in for missing frames. */
  get read(): number {
    return this.#read;
  }

  /** A run begins: its start names the shared markets, and the event of each market. */
  begins(start: RunStart): void {
    this.#scope.begins(start);
    this.#isPaper = start.venue?.isPaper === true;
    this.joined(start.events);
  }

  /** These events belong to the run, too. */
  joined(events: RunStart['events']): void {
    for (const { id, markets } of events) for (const market of markets) this.#eventOf.set(market.id, id);
  }

  /** A line of a tape, as {@link take} its input. */
  line(line: TapeLine): readonly TapeEvent[] {
    if (line.kind === 'input') return this.take(line.input, line.at);
    if (line.kind === 'frame') return this.take(frameInput(line.event, line.channel, line.payload), line.at);
    if (this.#beginning.isOver) this.#besides(line);
    else this.#beginning.wait(() => this.#besides(line));
    return this.#taken();
  }

  /**
   * @param at when it was received
   * @returns what is known to have happened by now, in the venue's order
   */
  take(input: Input, at: Micros): readonly TapeEvent[] {
    const stamp = stampOf(input);
    if (stamp !== null) this.#time.heard(at, stamp);
    if (stamp !== null && !this.#beginning.isOver) this.#beginning.end();
    if (this.#beginning.isOver) this.#heard(input, at);
    else this.#beginning.wait(() => this.#heard(input, at));
    return this.#taken();
  }

  /** Frames before this time here may have been missed: a book that is read counts where none came since. */
  doubt(before: Micros): void {
    this.#lostAt = Math.max(this.#lostAt ?? -Infinity, this.#time.of(before)) as Micros;
  }

  /** It is so late here, and nothing more has come: for who reads while the venue speaks. */
  passed(at: Micros): readonly TapeEvent[] {
    this.#beginning.end();
    for (const { release } of this.#order.passed(this.#time.of(at))) this.#released.push(...release());
    return this.#taken();
  }

  /** Nothing more comes. */
  finish(): readonly TapeEvent[] {
    this.#beginning.end();
    for (const { release } of this.#order.end()) this.#released.push(...release());
    return this.#taken();
  }

  /** A line that is neither frame nor input. */
  #besides(line: TapeLine): void {
    if (line.kind === 'head')
      for (const { marketId, eventId } of line.markets) this.#eventOf.set(marketId, eventId);
    if (line.kind === 'start') this.begins(line.engine);
    if (line.kind === 'recorded') this.#tell(line.line);
    if (line.kind === 'gap') this.#lostAt = this.#time.of(line.at);
    if (line.kind === 'rest') this.#reads(bookReceived(line));
  }

  #heard(input: Input, at: Micros): void {
    if (input.kind === 'book') this.#book(input);
    else if (input.kind === 'event-status') this.#prices(input, at);
    else if (input.kind === 'order') this.#report(input);
    else if (input.kind === 'link' && input.state === 'lost') this.#lostAt = this.#time.of(at);
    else if (input.kind === 'answer') {
      this.#reads(bookRead(input));
      this.#answer(input, at);
    } else if (input.kind === 'market-status')
      this.#data.read(input, this.#time.of(at)).forEach((line) => this.#tell(line));
  }

  #taken(): readonly TapeEvent[] {
    const released = this.#released;
    if (released.length > 0) this.#released = [];
    return released;
  }

  #book(book: BookInput): void {
    if (book.mode !== this.mode) return;
    const volume = this.#volumeOf(book.eventId);
    const held: HeldBook = { lost: this.#market(book.marketId).lost(book), growth: volume.early };
    volume.early = null;
    volume.waiting.push(held);
    if (volume.waiting.length > WAITING_MOST) volume.waiting.shift();
    this.#hold(book.venueTime, THEN_THE_BOOK, () => {
      const market = this.#market(book.marketId);
      if (market.isBehind(book.venueTime)) {
        this.#late += 1;
        return [];
      }
      return [market.frame(book, this.#orders.standing(book.marketId), held.growth ?? { left: 0 })];
    });
  }

  /** A book read over REST stands in for missing frames: a quiet market may show none for hours. */
  #reads(reading: BookReading | null): void {
    if (reading === null || reading.book.mode !== this.mode) return;
    const { askedAt, book } = reading;
    const eventId = this.#eventOf.get(book.marketId);
    if (eventId === undefined) return;
    const [at, lostAt] = [this.#time.of(askedAt), this.#lostAt];
    this.#hold(at, THEN_THE_BOOK, () => {
      const market = this.#market(book.marketId);
      if (!market.isUnknownSince(lostAt)) return [];
      this.#read += 1;
      return [market.read(asFrame(book, eventId, at), this.#orders.standing(book.marketId))];
    });
  }

  #report({ report, venueTime }: OrderInput): void {
    this.#hold(venueTime, OWN_FIRST, () => this.#told(this.#orders.report(report, venueTime)));
  }

  #prices(change: EventStatusInput, at: Micros): void {
    if (change.mode === this.mode) this.#volume(change);
    this.#data.read(change, this.#time.of(at)).forEach((line) => this.#tell(line));
  }

  /** Assigns growth to the youngest books that lost enough shares to explain it. */
  #volume({ eventId, mode, volumePlayMoney, volumeRealMoney }: EventStatusInput): void {
    const total = mode === 'play_money' ? volumePlayMoney : volumeRealMoney;
    const volume = this.#volumeOf(eventId);
    const grown = total === null || volume.total === null ? 0 : total - volume.total;
    if (total !== null) volume.total = total;
    const { waiting } = volume;
    volume.waiting = [];
    if (grown <= 0) return;
    const growth = { left: grown };
    const isExplained = explain(waiting, growth);
    volume.early = isExplained ? null : growth;
  }

  /** An answer makes up for a frame that was lost. If none was lost, it changes nothing. */
  #answer(answer: Answer, receivedAt: Micros): void {
    const { outcome } = answer;
    if (outcome.ok && (outcome.body.kind === 'create-orders' || outcome.body.kind === 'replace-orders'))
      for (const item of outcome.body.items) {
        if (item.ok) this.#scope.named(item.value);
        if (!item.ok || item.value.createdAt === null) continue;
        const { value: report } = item;
        const made = cutToMillisecond(item.value.createdAt);
        this.#hold(made, OWN_FIRST, () => this.#told(this.#orders.report(report, made)));
      }
    const at = this.#time.of(receivedAt);
    const asked = this.#time.of(answer.sentAt ?? receivedAt);
    this.#hold(at, OWN_FIRST, () => this.#told(this.#orders.answer(answer, asked, at)));
  }

  #told(news: readonly TapedOrderNews[]): readonly TapedOrderNews[] {
    for (const item of news) if (item.kind === 'filled') this.#market(item.order.marketId).filled(item);
    return news;
  }

  #tell(line: RecordedLine): void {
    this.#hold(line.at, THEN_THE_BOOK, () => [line]);
  }

  #hold(at: Micros, rank: number, release: Held['release']): void {
    for (const due of this.#order.push({ at, rank, release })) this.#released.push(...due.release());
  }

  #market(id: MarketId): MarketReading {
    let market = this.#markets.get(id);
    if (market === undefined) this.#markets.set(id, (market = new MarketReading(id, this.#isPaper)));
    return market;
  }

  #volumeOf(id: EventId): EventVolume {
    let volume = this.#volumes.get(id);
    if (volume === undefined) this.#volumes.set(id, (volume = { total: null, waiting: [], early: null }));
    return volume;
  }
}

/** The venue's time of an input that states it. */
const stampOf = (input: Input): Micros | null =>
  input.kind === 'book' || input.kind === 'order' ? input.venueTime : null;

/** @returns whether any book explains the growth */
function explain(books: readonly HeldBook[], growth: VolumeGrowth): boolean {
  let left = growth.left;
  for (const held of books.toReversed()) {
    if (left <= 0) break;
    if (held.lost === 0 || held.growth !== null) continue;
    held.growth = growth;
    left -= held.lost * PRICE_ONE;
  }
  return left < growth.left;
}

/** The frame that would have shown the same book. */
const asFrame = (
  { marketId, mode, bids, asks }: BookReading['book'],
  eventId: EventId,
  venueTime: Micros,
): BookInput => ({
  kind: 'book',
  eventId,
  marketId,
  mode,
  topN: TOP_N_DEFAULT,
  bids: best(bids),
  asks: best(asks),
  venueTime,
});

const best = ({ prices, shares }: Levels): Levels => ({
  prices: prices.slice(0, TOP_N_DEFAULT),
  shares: shares.slice(0, TOP_N_DEFAULT),
});

/** As frames tell times. */
const cutToMillisecond = (at: number): Micros => (Math.floor(at / 1_000) * 1_000) as Micros;

type ReadBook = Extract<AnswerBody, { readonly kind: 'read-book' }>;

/** A book as it stood some time before its answer came, our own shares included. */
export interface BookReading {
  /** Wall time at which the first byte of the request left. */
  readonly askedAt: Micros;
  readonly book: ReadBook;
}

/** @returns null for what is no answer to that question, or none that can be read */
function bookRead(input: Input): BookReading | null {
  if (input.kind !== 'answer' || !input.outcome.ok || input.sentAt === null) return null;
  const { body } = input.outcome;
  return body.kind === 'read-book' ? { askedAt: input.sentAt, book: body } : null;
}

/** @returns null for what is no answer to that question, or none that can be read */
function bookReceived({ endpoint, path, sentAt, status, answer }: RestRecord): BookReading | null {
  if (endpoint !== 'book' || status !== 200 || answer === null || sentAt === null) return null;
  const { pathname, searchParams } = new URL(path, 'http://venue');
  const market = MARKET.exec(pathname);
  const mode = CURRENCY_MODES.find((one) => one === searchParams.get('currency_mode'));
  const received = jsonObject(answer);
  if (market === null || mode === undefined || received === null) return null;
  const book = readBook(received, marketId(Number(market[1])), mode);
  return book.ok ? { askedAt: sentAt, book: book.value } : null;
}

const MARKET = /\/markets\/(\d+)\/book\/$/;
