/** Publishes, at the end of a command, what the command changed as a whole. Specification 6.2 says when. */
import type { Money, PriceUnits, Shares } from '../domain/units.js';
import { CURRENCIES, CURRENCY_MODES, type CurrencyMode } from '../domain/vocabulary.js';
import type { Account } from './accounts/accounts.js';
import type { Holding } from './accounts/book-accounts.js';
import type { ExchangeEvent, HalfPriceUnits, MarketPrice } from './contract.js';
import type { Book } from './markets/book.js';
import { isTradable, type VenueEvent } from './markets/markets.js';
import type { Amounts } from './money/ledger.js';
import type { State } from './state.js';

/** Publishes what the running command touched. @returns all events of the command */
export function publishChanges(state: State): readonly ExchangeEvent[] {
  const { outbox } = state;
  for (const book of outbox.books) publishBook(state, book);
  for (const [event, modes] of outbox.prices)
    for (const mode of CURRENCY_MODES) if (modes.has(mode)) publishPrices(state, event, mode);
  for (const [holding, before] of outbox.sharesBefore) publishHolding(state, holding, before);
  for (const [account, before] of outbox.cashBefore) publishBalance(state, account, before);
  return outbox.take();
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
  if (isTradable(market, state.now)) publishBestPrices(state, book, book.bestBid(), book.bestAsk());
  publishMid(state, book, book.midPrice());
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

function publishPrices({ outbox, now }: State, event: VenueEvent, mode: CurrencyMode): void {
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

function publishHolding({ outbox, wagers }: State, holding: Holding, before: number): void {
  if (holding.shares === before) return;
  const { owner, position, currency, shares } = holding;
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

function publishBalance({ outbox, now }: State, { id, cash }: Account, before: Amounts): void {
  if (CURRENCIES.some((currency) => cash[currency] !== before[currency]))
    outbox.say({ kind: 'balance-changed', account: id, at: now });
}
