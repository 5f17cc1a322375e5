/**
 * Brings the lines of a tape into the venue's order: public and private frames, and answers, come in no mutual order,
 * but most say when they were made.
 */
import TinyQueue from 'tinyqueue';
import type { EventId, MarketId } from '../../../domain/ids.js';
import type { BookUpdate, Input, OrderUpdate, PriceChange } from '../../../domain/inputs.js';
import { type Micros, PRICE_ONE } from '../../../domain/units.js';
import type { CurrencyMode } from '../../../domain/vocabulary.js';
import type { Closed, Happening } from './happenings.js';
import { MarketReading } from './market-reading.js';
import { type OwnNews, OwnOrders } from './own-orders.js';
import type { VolumeGrowth } from './traded-shares.js';

/** How much later than a younger message an older one may come, by the venue's clock. */
const HELD_MICROS = 500_000;

interface Held {
  readonly at: number;
  /** Order of receipt. */
  readonly n: number;
  readonly release: () => readonly Happening[];
}

/** What is known of the volume of an event. */
interface EventVolume {
  total: number | null;
  /** Books heard since the volume was told last: what they show may have made it grow. */
  waiting: HeldBook[];
  /** Growth that no book has explained yet; it may have overtaken its book. */
  early: VolumeGrowth | null;
}

interface HeldBook {
  /** Share units that its levels had lost since the frame before, ours among them. */
  readonly lost: number;
  /** null: no growth was told since. */
  growth: VolumeGrowth | null;
}

export class VenueOrder {
  readonly #held = new TinyQueue<Held>([], (a, b) => a.at - b.at || a.n - b.n);
  readonly #orders = new OwnOrders();
  readonly #markets = new Map<MarketId, MarketReading>();
  readonly #volumes = new Map<EventId, EventVolume>();
  readonly #closed = new Map<MarketId, string>();
  #newest = -Infinity;
  #count = 0;

  constructor(private readonly mode: CurrencyMode) {}

  /**
   * @param at when it was received
   * @returns what is known to have happened by now, in the venue's order
   */
  take(input: Input, at: Micros): readonly Happening[] {
    if (input.kind === 'book-update') this.#book(input);
    else if (input.kind === 'price-change') this.#prices(input);
    else if (input.kind === 'order-update') this.#report(input);
    else if (input.kind === 'answer') this.#answer(input, at);
    else return [];
    return this.#release(this.#newest - HELD_MICROS);
  }

  /** Nothing more comes. */
  finish(): readonly Happening[] {
    return this.#release(Infinity);
  }

  #book(book: BookUpdate): void {
    if (book.mode !== this.mode) return;
    const volume = this.#volumeOf(book.eventId);
    const held: HeldBook = { lost: this.#market(book.marketId).lost(book), growth: volume.early };
    volume.early = null;
    volume.waiting.push(held);
    this.#reach(book.venueTime);
    this.#hold(book.venueTime, () => {
      const market = this.#market(book.marketId);
      return [market.frame(book, this.#orders.standing(book.marketId), held.growth ?? { left: 0 })];
    });
  }

  #report({ report, venueTime }: OrderUpdate): void {
    this.#reach(venueTime);
    this.#hold(venueTime, () => this.#told(this.#orders.report(report, venueTime)));
  }

  #prices(change: PriceChange): void {
    if (change.mode === this.mode) this.#volume(change);
    this.#statuses(change);
  }

  /** What grew belongs to the youngest books that lost enough to pay for it, since the volume was told last. */
  #volume({ eventId, mode, volumePlayMoney, volumeRealMoney }: PriceChange): void {
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

  #statuses({ markets }: PriceChange): void {
    for (const { marketId, status, resolution } of markets) {
      const known = `${status} ${resolution}`;
      if (status === 'active' || this.#closed.get(marketId) === known) continue;
      this.#closed.set(marketId, known);
      const payout = resolution === 'long' ? PRICE_ONE : resolution === 'short' ? 0 : null;
      this.#hold(this.#newest, () => [
        { kind: 'closed', at: this.#newest as Micros, marketId, payout } satisfies Closed,
      ]);
    }
  }

  /** A frame that was lost is made up for by the answer; one that was not has told all of it before. */
  #answer(answer: Extract<Input, { readonly kind: 'answer' }>, at: Micros): void {
    const { outcome } = answer;
    if (outcome.ok && (outcome.body.kind === 'create-orders' || outcome.body.kind === 'replace-orders'))
      for (const item of outcome.body.items) {
        if (!item.ok || item.value.createdAt === null) continue;
        const { value: report } = item;
        const made = cutToMillisecond(item.value.createdAt);
        this.#hold(made, () => this.#told(this.#orders.report(report, made)));
      }
    this.#hold(at, () => this.#told(this.#orders.answer(answer, at)));
  }

  #told(news: readonly OwnNews[]): readonly OwnNews[] {
    for (const item of news) if (item.kind === 'filled') this.#market(item.order.marketId).filled(item);
    return news;
  }

  #hold(at: number, release: Held['release']): void {
    this.#count += 1;
    this.#held.push({ at, n: this.#count, release });
  }

  /** A message was made at this time. */
  #reach(at: number): void {
    if (at > this.#newest) this.#newest = at;
  }

  #release(until: number): readonly Happening[] {
    const happened: Happening[] = [];
    for (let next = this.#held.peek(); next !== undefined && next.at <= until; next = this.#held.peek()) {
      this.#held.pop();
      happened.push(...next.release());
    }
    return happened;
  }

  #market(id: MarketId): MarketReading {
    let market = this.#markets.get(id);
    if (market === undefined) this.#markets.set(id, (market = new MarketReading(id)));
    return market;
  }

  #volumeOf(id: EventId): EventVolume {
    let volume = this.#volumes.get(id);
    if (volume === undefined) this.#volumes.set(id, (volume = { total: null, waiting: [], early: null }));
    return volume;
  }
}

/** @returns whether there is a book that can have made the volume grow */
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

/** As frames tell times. */
const cutToMillisecond = (at: number): Micros => (Math.floor(at / 1_000) * 1_000) as Micros;
