/**
 * What the running command has to say. Events are kept in order. What the command touched is remembered, so that each
 * change of the whole command is published once, at its end. Specification 6.2 says what is published.
 */
import type { Micros, Money, PriceUnits, Shares } from '../domain/units.js';
import { CURRENCIES, CURRENCY_MODES, type CurrencyMode } from '../domain/vocabulary.js';
import type { Account, Holding } from './accounts/accounts.js';
import type { Wagers } from './accounts/wagers.js';
import type { ExchangeConfig, ExchangeEvent, HalfPriceUnits, MarketPrice } from './contract.js';
import type { Book } from './markets/book.js';
import { isTradable, type VenueEvent } from './markets/markets.js';
import type { BookSide } from './matching/index.js';

/** What publishing needs of the exchange's state. */
interface State {
  readonly now: Micros;
  readonly config: ExchangeConfig;
  readonly wagers: Wagers;
  readonly outbox: Outbox;
}

/** Things that the running command touched, each once, in the order in which it touched them. */
class Touched<Item extends { isTouched: boolean }> {
  private readonly items: Item[] = [];
  private count = 0;

  add(item: Item): void {
    if (item.isTouched) return;
    item.isTouched = true;
    this.items[this.count] = item;
    this.count += 1;
  }

  /** Publishes each and forgets them all. */
  publish(state: State, publish: (state: State, item: Item) => void): void {
    for (let at = 0; at < this.count; at++) {
      const item = this.items[at] as Item;
      item.isTouched = false;
      publish(state, item);
    }
    this.count = 0;
  }
}

export class Outbox {
  private events: ExchangeEvent[] = [];
  private readonly books = new Touched<Book>();
  /** Events of which a price or the volume changed. */
  private readonly priced = new Touched<VenueEvent>();
  private readonly holdings = new Touched<Holding>();
  private readonly accounts = new Touched<Account>();

  say(event: ExchangeEvent): void {
    this.events.push(event);
  }

  /** Call when the account's cash changes. */
  touchCash(account: Account): void {
    this.accounts.add(account);
  }

  /** Call when the holding's shares change. */
  touchShares(holding: Holding): void {
    this.holdings.add(holding);
  }

  /** Call when volume at a tick changed: only what can be seen in the best levels counts. */
  touchLevel(book: Book, side: BookSide, tick: number): void {
    if (book.published.side(side).shows(tick)) this.touchSide(book, side);
  }

  /** Call when the best levels of one side changed. */
  touchSide(book: Book, side: BookSide): void {
    book.published.side(side).isStale = true;
    this.books.add(book);
  }

  /** Call when both sides or the book's tradability may have changed. */
  touchBook(book: Book): void {
    book.published.bids.isStale = true;
    book.published.asks.isStale = true;
    this.books.add(book);
  }

  /** Call when a price or the volume of an event changed. */
  touchPrices(event: VenueEvent, mode: CurrencyMode): void {
    event.touchedModes[mode] = true;
    this.priced.add(event);
  }

  /** Publishes what the running command touched. @returns all events of the command */
  take(state: State): readonly ExchangeEvent[] {
    this.books.publish(state, publishBook);
    this.priced.publish(state, publishPrices);
    this.holdings.publish(state, publishHolding);
    this.accounts.publish(state, publishBalance);
    const { events } = this;
    this.events = [];
    return events;
  }
}

function publishBook(state: State, book: Book): void {
  const { market, mode, published } = book;
  if (published.refresh(book.matching)) {
    state.outbox.say({
      kind: 'order-book-update',
      marketId: market.id,
      eventId: market.event.id,
      mode,
      topN: state.config.topN,
      bids: published.bids.levels,
      asks: published.asks.levels,
      at: state.now,
    });
  }
  const [bid, ask] = [book.bestBid(), book.bestAsk()];
  if (isTradable(market, state.now)) publishBestPrices(state, book, bid, ask);
  publishMid(state, book, book.midPrice(bid, ask));
}

function publishBestPrices(
  { outbox }: State,
  { market, mode, published }: Book,
  bid: PriceUnits | null,
  ask: PriceUnits | null,
): void {
  if (published.bestBid === bid && published.bestAsk === ask) return;
  published.bestBid = bid;
  published.bestAsk = ask;
  outbox.say({ kind: 'best-prices-change', marketId: market.id, eventId: market.event.id, mode, bid, ask });
}

function publishMid({ outbox }: State, { market, mode }: Book, price: HalfPriceUnits | null): void {
  if (price === market.prices[mode]) return;
  market.prices[mode] = price;
  outbox.touchPrices(market.event, mode);
}

function publishPrices(state: State, event: VenueEvent): void {
  for (const mode of CURRENCY_MODES) {
    if (!event.touchedModes[mode]) continue;
    event.touchedModes[mode] = false;
    publishPricesIn(state, event, mode);
  }
}

function publishPricesIn({ outbox, now }: State, event: VenueEvent, mode: CurrencyMode): void {
  const { markets, wagers, volume } = event;
  outbox.say({
    kind: 'price-change',
    eventId: event.id,
    mode,
    status: event.status,
    wagerable: markets.some((market) => isTradable(market, now)),
    wagersPlayMoney: wagers.play_money,
    wagersRealMoney: wagers.real_money,
    volumePlayMoney: volume.play_money as Money,
    volumeRealMoney: volume.real_money as Money,
    markets: marketPrices(event, mode),
  });
  event.histories[mode].record(now, markets, mode);
}

/** The mode controls the order (specification 6.3): the likeliest first, those without a price last. */
function marketPrices({ markets }: VenueEvent, mode: CurrencyMode): MarketPrice[] {
  const sorted = markets.toSorted((a, b) => (b.prices[mode] ?? -1) - (a.prices[mode] ?? -1));
  return sorted.map(({ id, status, resolution, prices }) => ({
    marketId: id,
    status,
    resolution,
    playMoney: prices.play_money,
    realMoney: prices.real_money,
  }));
}

function publishHolding({ outbox, wagers }: State, holding: Holding): void {
  const { owner, position, currency, shares } = holding;
  if (shares === holding.published) return;
  holding.published = shares;
  const { market } = owner.book;
  const wager = wagers.of(holding);
  outbox.say({
    kind: 'position-update',
    account: owner.account.id,
    wagerId: wager.id,
    marketId: market.id,
    eventId: market.event.id,
    position,
    currency,
    shares: shares as Shares,
    purchasesAmount: (shares === 0 ? 0 : wager.cost) as Money,
  });
}

function publishBalance({ outbox, now }: State, { id, cash, published }: Account): void {
  let isChanged = false;
  for (const currency of CURRENCIES) {
    if (cash[currency] === published[currency]) continue;
    published[currency] = cash[currency];
    isChanged = true;
  }
  if (isChanged) outbox.say({ kind: 'balance-changed', account: id, at: now });
}
