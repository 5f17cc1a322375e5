/**
 * A screen plays a recording for one configuration and one scenario, without most of what execution needs: no budget, no
 * journal, no reads, no answers that are lost. The strategy, its modifiers and signals, latency, queues, consumption, fees and
 * limits of position and event are those of the engine. It ranks configurations; the engine confirms the best.
 */
import TinyQueue from 'tinyqueue';
import type { EngineOptions } from '../../core/engine/options.js';
import { reactionTo } from '../../core/execution/reactions.js';
import { Pauses } from '../../core/execution/sending/waiting-plans.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import { marketId as namedMarket } from '../../domain/ids.js';
import type { Micros, Money, Shares, Ticks } from '../../domain/units.js';
import { currencyUnits, PRICE_ONE } from '../../domain/units.js';
import type { Command, ForeignMoment } from '../../exchange/contract.js';
import { ASK, BID, toBookSide } from '../../exchange/matching/levels.js';
import { MatchingBook } from '../../exchange/matching/matching-book.js';
import type { OrderId } from '../../exchange/contract/ids.js';
import { executableValue } from '../../analytics/series.js';
import type { LatencyModel } from '../../venues/simulated/models/latency.js';
import type { LiquidityModels } from '../../venues/simulated/models/liquidity.js';
import { MarketData } from '../backtest/market-data.js';
import type { RowRange, RunMarket } from '../backtest/merged-recordings.js';
import { ScreenedQuoting } from './screened-quoting.js';
import { ScreenedMarket, type VenueFill } from './screened-market.js';
import type { ScreenedOrder, ScreenedPlan, WantedOrder } from './screened-orders.js';

export interface ScreenOptions {
  readonly engine: EngineOptions;
  readonly markets: readonly RunMarket[];
  readonly latency: LatencyModel;
  readonly liquidity: LiquidityModels;
  readonly crossing: ForeignMoment['crossing'];
  readonly balance: Money;
  readonly start: Micros;
  /** So long after a create the venue takes the same one again. */
  readonly copiesAfterMs: number;
}

export interface ScreenTotals {
  /** Currency units, open positions at what the book would pay. */
  readonly profit: number;
  readonly fills: number;
  /** What stopped strategies. */
  readonly faults: readonly string[];
}

/** Something that happens later; of one time requests come before news. */
interface Due {
  readonly at: number;
  readonly rank: 0 | 1;
  readonly seq: number;
  readonly happen: () => void;
}

/** Orders were gone when the request arrived: the engine's pause after that. */
const LATE_PAUSE_MS = reactionTo('unstated').pauseMs;
const REQUEST = 0;
const NEWS = 1;
const sooner = (a: Due, b: Due): number => a.at - b.at || a.rank - b.rank || a.seq - b.seq;

/** After the last row news still arrive for so long, microseconds. */
const LINGER = 2_000_000;

export class Screen {
  private readonly markets = new Map<MarketId, ScreenedMarket>();
  private readonly data: MarketData;
  private readonly due = new TinyQueue<Due>([], sooner);
  /** Markets whose book others changed at the present time. */
  private readonly moved = new Set<ScreenedMarket>();
  /** Markets that the bot has news of. */
  private readonly dirty = new Set<ScreenedMarket>();
  private readonly quoting: ScreenedQuoting;
  private now: Micros;
  private rowAt: number;
  private readonly pauses: Pauses;
  private seq = 0;
  private lastOrder = 0;
  private newsAt = 0;

  constructor(private readonly options: ScreenOptions) {
    const { engine, start, crossing } = options;
    this.now = start;
    this.rowAt = start;
    this.pauses = new Pauses(engine.scheduler);
    const slots = new Map(options.markets.map((market) => [market.marketId, market]));
    for (const event of engine.events)
      for (const description of event.markets) {
        const market = slots.get(description.id);
        if (market !== undefined) this.markets.set(description.id, this.open(market, description));
      }
    this.quoting = new ScreenedQuoting(engine, this.markets, options.balance, {
      send: (market, plan) => this.send(market, plan),
      wakeAt: (market, at) => this.wakeAt(market, at),
    });
    const target = { show: (command: Command) => this.show(command) };
    this.data = new MarketData({ markets: options.markets, mode: engine.terms.mode, crossing, target });
  }

  /** Takes rows in; times never decrease. */
  take({ rows, from, to }: RowRange): void {
    const { at } = rows.block;
    for (let row = from; row < to; row++) {
      const time = at[row]!;
      if (time > this.rowAt) {
        this.closeTime();
        this.runUntil(time);
        this.rowAt = time;
        this.now = time as Micros;
      }
      this.data.row(rows, row);
    }
  }

  finish(): ScreenTotals {
    this.closeTime();
    this.runUntil(this.rowAt + LINGER);
    let profit = 0;
    let fills = 0;
    for (const market of this.markets.values()) {
      profit += market.account.cash + this.openValue(market);
      fills += market.fills;
    }
    return { profit: currencyUnits(profit as Money), fills, faults: this.quoting.faults() };
  }

  private openValue({ account, book, resolution, terms }: ScreenedMarket): number {
    const held = { long: account.holding('long').shares, short: account.holding('short').shares };
    if (resolution !== null || (held.long === 0 && held.short === 0)) return 0;
    const depth = {
      bids: foreignDepth(book, BID, terms.tickUnits),
      asks: foreignDepth(book, ASK, terms.tickUnits),
    };
    return executableValue(held, depth, terms.takerFee);
  }

  private open(
    { depth, tickUnits, eventId, marketId }: RunMarket,
    description: ScreenedMarket['description'],
  ) {
    const { liquidity, crossing, engine } = this.options;
    const top = PRICE_ONE / tickUnits;
    const book = new MatchingBook({
      minTick: 1 as Ticks,
      maxTick: (top - 1) as Ticks,
      foreign: { depth, ...liquidity, crossing: crossing ?? 'fill' },
    });
    return new ScreenedMarket(description, { ...engine.terms, eventId, marketId, tickUnits }, book, depth);
  }

  /** What a row of the recording does to the venue. */
  private show(command: Command): void {
    if (command.kind === 'foreign-moment') this.moment(command);
    else if (command.kind === 'foreign-order') this.orderOfOthers(command);
    else if (command.kind === 'set-market-status') this.status(command.marketId, command.status === 'active');
    else if (command.kind === 'resolve-event')
      for (const { marketId, resolution } of command.resolutions) this.resolve(marketId, resolution);
    else if (command.kind === 'set-live') this.setLive(String(command.eventId) as EventId, command.isLive);
  }

  private moment({ marketId, prints, book }: ForeignMoment): void {
    const market = this.known(marketId);
    for (const { takerSide, tick, shares } of prints) {
      market.book.recordPrint(toBookSide(takerSide), tick as Ticks, shares);
      this.traded(market, market.restingFills());
    }
    if (book === null) return void this.moved.add(market);
    market.book.recordBook(book.bids, book.asks);
    this.traded(market, market.restingFills());
    if (prints.length > 0 || market.book.othersChanged(BID) || market.book.othersChanged(ASK))
      this.moved.add(market);
  }

  /** One order of others, in a recording that tells each. */
  private orderOfOthers({ marketId, side, ...order }: Extract<Command, { kind: 'foreign-order' }>): void {
    const market = this.known(marketId);
    market.book.recordOrder(toBookSide(side), order);
    this.traded(market, market.restingFills());
    this.moved.add(market);
  }

  private status(id: string | number, isOpen: boolean): void {
    const market = this.known(id);
    market.isOpenAtVenue = isOpen;
    this.tell(market, () => (market.isOpen = isOpen && market.resolution === null));
  }

  private resolve(id: string | number, resolution: ScreenedMarket['resolution']): void {
    const market = this.known(id);
    market.isOpenAtVenue = false;
    for (const order of market.orders) market.book.cancel(order.id);
    this.tell(market, () => {
      market.orders = [];
      market.isOpen = false;
      market.resolution = resolution;
      if (resolution !== null) market.account.resolve(resolution);
    });
  }

  private setLive(event: EventId, isLive: boolean): void {
    const of = [...this.markets.values()].filter(({ terms }) => terms.eventId === event);
    this.tell(of[0]!, () => {
      this.quoting.setLive(event, isLive);
      for (const market of of) this.dirty.add(market);
    });
  }

  /** All rows of one time are in: the venue publishes what they changed. */
  private closeTime(): void {
    this.now = this.rowAt as Micros;
    this.data.close();
    for (const market of this.moved) this.publish(market);
    this.moved.clear();
  }

  private publish(market: ScreenedMarket): void {
    const levels = market.othersLevels();
    this.tell(market, () => (market.seen = levels));
  }

  /** Our orders traded at the venue: the bot hears of it. */
  private traded(market: ScreenedMarket, fills: readonly VenueFill[]): void {
    if (fills.length === 0) return;
    this.tell(market, () => {
      for (const fill of fills)
        for (const part of market.hear(fill, this.now)) this.quoting.filled(market, part, this.now);
    });
  }

  /** News of a market reach the bot after the feed's latency, and never overtake each other. */
  private tell(market: ScreenedMarket, news: () => void): void {
    this.newsAt = Math.max(this.newsAt, this.now + this.options.latency.feed());
    this.later(this.newsAt, NEWS, () => {
      news();
      this.dirty.add(market);
    });
  }

  private later(at: number, rank: Due['rank'], happen: () => void): void {
    this.due.push({ at, rank, seq: this.seq++, happen });
  }

  private wakeAt(market: ScreenedMarket, at: number): void {
    if (at === Infinity || at === market.wakesAt) return;
    market.wakesAt = at;
    this.later(Math.max(at, this.now + 1), NEWS, () => {
      if (market.wakesAt !== at) return;
      market.wakesAt = Infinity;
      this.dirty.add(market);
    });
  }

  /** Everything that happens before a time. News of one time are one observation. */
  private runUntil(time: number): void {
    for (;;) {
      const next = this.due.peek();
      if (this.dirty.size > 0 && (next === undefined || next.at > this.now)) this.look();
      const first = this.due.peek();
      if (first === undefined || first.at >= time) return;
      this.due.pop();
      this.now = first.at as Micros;
      first.happen();
    }
  }

  private look(): void {
    const markets = [...this.dirty];
    this.dirty.clear();
    for (const woken of this.quoting.look(markets, this.now)) this.dirty.add(woken);
  }

  /**
   * One request leaves: cancels, else moves, else creates. The rest is planned again after its answer.
   * @returns when it may leave, where it has to wait; else infinite
   */
  private send(market: ScreenedMarket, { cancels, moves, creates }: ScreenedPlan): number {
    if (market.isBusy || cancels.length + moves.length + creates.length === 0) return Infinity;
    const sentAt = this.now;
    const isQuote = cancels.length === 0;
    const waitsUntil = this.waitsUntil(market, isQuote && moves.length === 0 ? creates : [], isQuote);
    if (waitsUntil > sentAt) return waitsUntil;
    if (cancels.length > 0) {
      for (const order of cancels) order.state = 'cancelling';
      this.request(market, () => cancels.map((order) => this.cancel(market, order)));
    } else if (moves.length > 0) {
      for (const { order } of moves) order.state = 'updating';
      this.request(market, () => moves.map(({ order, to }) => this.move(market, order, to, sentAt)));
    } else {
      const created = creates.map((wanted) => this.orderOf(wanted));
      market.orders.push(...created);
      for (const one of creates) market.createdAt.set(nameOf(one), sentAt);
      this.request(market, () => created.map((order) => this.create(market, order)));
    }
    return Infinity;
  }

  /** After a refusal a market pauses; the venue takes the same create twice only after a while. */
  private waitsUntil(market: ScreenedMarket, creates: readonly WantedOrder[], isQuote: boolean): number {
    const { marketId } = market.terms;
    const copies = creates.map((one) => market.createdAt.get(nameOf(one)) ?? -Infinity);
    return Math.max(
      this.pauses.until(marketId, isQuote ? 'quote' : 'cancel'),
      Math.max(...copies, -Infinity) + this.options.copiesAfterMs * 1_000,
    );
  }

  private orderOf({ side, sells, tick, shares }: WantedOrder): ScreenedOrder {
    this.lastOrder += 1;
    const id = this.lastOrder as OrderId;
    return { id, side, sells, tick, remaining: shares, filled: 0, state: 'creating', bornAt: this.now };
  }

  /** @param act what the request does at the venue; what it returns is done when the answer comes: false where it was refused */
  private request(market: ScreenedMarket, act: () => readonly (() => boolean)[]): void {
    const { latency } = this.options;
    market.isBusy = true;
    this.later(this.now + latency.request(), REQUEST, () => {
      const answers = act();
      this.later(this.now + latency.response(), NEWS, () => {
        market.isBusy = false;
        const isWhole = answers.map((answer) => answer()).every(Boolean);
        if (isWhole) this.pauses.succeeded(market.terms.marketId, this.now);
        else this.pauses.failed(market.terms.marketId, LATE_PAUSE_MS, this.now);
        this.dirty.add(market);
      });
    });
  }

  private cancel(market: ScreenedMarket, order: ScreenedOrder): () => boolean {
    const found = market.book.cancel(order.id) > 0;
    return () => {
      forget(market, order);
      return found;
    };
  }

  private move(market: ScreenedMarket, order: ScreenedOrder, to: WantedOrder, sentAt: Micros): () => boolean {
    const { book, isOpenAtVenue } = market;
    const isWhole = isOpenAtVenue && book.has(order.id) && book.sharesOf(order.id) === order.remaining;
    if (!isWhole)
      return () => {
        order.state = 'live';
        if (order.remaining <= 0) forget(market, order);
        return false;
      };
    const more = to.shares - order.remaining;
    book.replace(order.id, to.tick, to.shares);
    this.traded(market, market.takenFills(order.id, order.side));
    return () => {
      order.state = 'live';
      order.tick = to.tick;
      order.bornAt = sentAt;
      order.filled = 0;
      order.remaining = (order.remaining + more) as Shares;
      return true;
    };
  }

  private create(market: ScreenedMarket, order: ScreenedOrder): () => boolean {
    if (!market.isOpenAtVenue)
      return () => {
        forget(market, order);
        return false;
      };
    market.book.add(order.id, order.side, order.tick, order.remaining);
    this.traded(market, market.takenFills(order.id, order.side));
    return () => {
      if (order.state === 'creating') order.state = 'live';
      return true;
    };
  }

  private known(id: string | number): ScreenedMarket {
    return this.markets.get(namedMarket(String(id)))!;
  }
}

const nameOf = ({ side, sells, tick, shares }: WantedOrder): string => `${side} ${sells} ${tick} ${shares}`;

function forget(market: ScreenedMarket, order: ScreenedOrder): void {
  market.orders = market.orders.filter((one) => one !== order);
}

function foreignDepth(book: MatchingBook, side: typeof BID | typeof ASK, tickUnits: number) {
  const levels = [...book.levels(side)].filter(({ foreign }) => foreign > 0);
  return {
    prices: levels.map(({ tick }) => tick * tickUnits),
    shares: levels.map(({ foreign }) => foreign),
  } as never;
}
