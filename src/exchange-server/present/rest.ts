import {
  type Micros,
  type PriceUnits,
  PRICE_ONE,
  probability,
  currencyUnits,
  wholeShares,
  money,
} from '../../domain/units.js';
import type {
  HalfPriceUnits,
  AccountView,
  AuthorView,
  BookLevelView,
  BookView,
  EventView,
  PriceHistoryView,
  MarketView,
  OrderView,
  WagerActionView,
  WagerView,
} from '../../exchange/contract.js';
import { formatMicroseconds } from '../../venues/futuur/protocol/timestamps.js';
import { type Currency, type CurrencyMode, CURRENCIES, modeOf } from '../../domain/vocabulary.js';
import { formatMoney, formatShares } from '../../venues/futuur/protocol/decimals.js';
import type { BalanceRow, RegisteredUser } from '../../venues/futuur/protocol/rest/account.js';
import type {
  Book,
  BookLevel,
  PriceHistory,
  Tax,
  ListedEvent,
  ListedMarket,
} from '../../venues/futuur/protocol/rest/events.js';
import type { BatchOrder, ListedOrder } from '../../venues/futuur/protocol/rest/orders.js';
import type { AccountId } from '../../exchange/contract/ids.js';
import type { Wager, WagerDetail } from '../../venues/futuur/protocol/rest/wagers.js';

export const optionalPrice = (price: PriceUnits | null): number | null =>
  price === null ? null : probability(price);

/** A mid-price, which may lie between two price units. */
const midPrice = (price: HalfPriceUnits): number => price / (2 * PRICE_ONE);

export const optionalMidPrice = (price: HalfPriceUnits | null): number | null =>
  price === null ? null : midPrice(price);

export const optionalTime = (time: Micros | null): string | null =>
  time === null ? null : formatMicroseconds(time);

interface MidPrices {
  readonly playMoney: HalfPriceUnits | null;
  readonly realMoney: HalfPriceUnits | null;
}

/** Long mid-price per currency code; currencies without a price are left out. */
export function priceByCurrency({ playMoney, realMoney }: MidPrices): Record<string, number> {
  const prices: Record<string, number> = {};
  for (const currency of CURRENCIES) {
    const price = modeOf(currency) === 'play_money' ? playMoney : realMoney;
    if (price !== null) prices[currency] = midPrice(price);
  }
  return prices;
}

/** The currency that stands for a mode's one book; the real currencies trade at par. */
export const bookCurrency = (mode: CurrencyMode): Currency => (mode === 'play_money' ? 'OOM' : 'USDC');

/** Accounts and balances (specification 2.1, 2.2). */

export const userPrivate = (account: AccountView): RegisteredUser => ({
  id: account.id,
  username: account.username,
  email: account.email,
  wallet: Object.fromEntries(balanceRows(account).map(({ currency, amount }) => [currency, amount])),
  email_confirmed: account.emailConfirmed,
  real_currency_enabled: account.realCurrencyEnabled,
  kyc_status: account.kycStatus,
  ...(account.dateJoined === null ? {} : { date_joined: formatMicroseconds(account.dateJoined) }),
  is_wallet_user: String(account.walletUser),
});

/** A user as others see them: in comments, and where a wager refers to them. */
export const userPublic = ({ id, username, winRate, wagersCount, netEarnings }: AuthorView) => ({
  id,
  username,
  picture: null,
  win_rate: winRate,
  wagers_count: wagersCount,
  net_earnings: currencyUnits(netEarnings),
});

/** One row per currency of the venue, held or not. */
export const balanceRows = (account: AccountView): readonly BalanceRow[] =>
  CURRENCIES.map((currency: Currency) => ({ currency, amount: formatMoney(account.wallet[currency]) }));

/** Books, price history and tax (specification 2.7, 2.8). */

export const book = (view: BookView): Book => ({
  bid: view.bids.map(bookLevel),
  ask: view.asks.map(bookLevel),
});

const bookLevel = (level: BookLevelView): BookLevel => ({
  price: probability(level.price),
  total_shares: wholeShares(level.shares),
  total_amount: currencyUnits(level.amount),
  total_fees: currencyUnits(level.fees),
  cumulative_shares: wholeShares(level.cumulativeShares),
  cumulative_amount: currencyUnits(level.cumulativeAmount),
  cumulative_fees: currencyUnits(level.cumulativeFees),
  ...userColumns(level),
});

/** Present in signed answers only. What is requested and unfilled is what stands there: the two columns are alike. */
const userColumns = ({ userShares }: BookLevelView): Partial<BookLevel> =>
  userShares === null
    ? {}
    : {
        total_user_shares: wholeShares(userShares),
        total_user_shares_requested: wholeShares(userShares),
      };

export const priceHistory = (view: PriceHistoryView): PriceHistory => ({
  currency_mode: view.mode,
  time_interval: view.interval,
  history: view.points.map((point) => ({
    timestamp: formatMicroseconds(point.at),
    outcomes: point.outcomes.map(({ marketId, title, price }) => ({
      outcome_id: marketId,
      name: title,
      price: midPrice(price),
    })),
  })),
});

export const tax = ({ tax: rates }: EventView): Tax => ({
  tax_play_money: rates.play_money,
  tax_real_money: rates.real_money,
});

/** Events and their markets (facts, "Events and markets"). */

export const listedEvent = (event: EventView): ListedEvent => ({
  id: event.id,
  title: event.title,
  slug: event.slug,
  status: event.status,
  category: [event.category],
  markets: event.markets.map(listedMarket),
  bet_start_date: optionalTime(event.betStart),
  bet_end_date: optionalTime(event.betEnd),
  event_start_date: optionalTime(event.eventStart),
  event_end_date: optionalTime(event.eventEnd),
  resolve_date: optionalTime(event.resolvedAt),
  resolution_mode: event.resolutionMode,
  description: event.description,
  is_binary: event.isBinary,
  is_live: event.isLive,
  volume_play_money: currencyUnits(event.volumePlayMoney),
  volume_real_money: currencyUnits(event.volumeRealMoney),
});

/** A market by itself, with the id of its event. */
export const readMarket = (market: MarketView): object => ({
  event: market.eventId,
  ...listedMarket(market),
});

const listedMarket = (market: MarketView): ListedMarket => ({
  id: market.id,
  title: market.title,
  price: priceByCurrency(market),
  status: market.status,
  long_label: market.longLabel,
  short_label: market.shortLabel,
  resolution: market.resolution === null ? null : String(market.resolution),
  order: market.order,
  disabled: market.disabled,
  bet_start_date: optionalTime(market.betStart),
  bet_end_date: optionalTime(market.betEnd),
});

/** Orders as the wire spells them: two shapes, one for listings, one for batches (specification 2.3). */

/** First table: listings and the single creation. */
export const listedOrder = (order: OrderView): ListedOrder => ({
  id: order.id,
  market: order.marketId,
  side: order.side,
  currency: order.currency,
  price: optionalPrice(order.price),
  shares: wholeShares(order.shares),
  amount: currencyUnits(order.amount),
  position: order.position,
  status: order.status,
  expired_at: optionalTime(order.expiresAt),
  created_at: formatMicroseconds(order.createdAt),
});

/** Second table: results of batch create and batch update. */
export const batchOrder = (order: OrderView): BatchOrder => ({
  id: order.id,
  event: String(order.eventId),
  market: String(order.marketId),
  price: optionalPrice(order.price),
  shares: wholeShares(order.shares),
  shares_requested: wholeShares(order.shares),
  shares_filled: formatShares(order.filled),
  currency: order.currency,
  side: order.side,
  position: order.position,
  expired_at: optionalTime(order.expiresAt),
  status: order.status,
  created: formatMicroseconds(order.createdAt),
});

/** Wagers (specification 2.5). */

const ROI_PLACES = 4;

/** @param origin scheme and host of the references: `http://127.0.0.1:4010` */
export const wager = (view: WagerView, origin: string): Wager => ({
  id: view.id,
  status: view.status,
  status_display: titled(view.status),
  ...references(view, origin),
  position: view.position,
  position_display: titled(view.position),
  currency: view.currency,
  ...amounts(view),
  last_profit: view.lastProfit === null ? null : currencyUnits(view.lastProfit),
  ...(view.lastSellAmount === null ? {} : { last_sell_amount: currencyUnits(view.lastSellAmount) }),
  last_purchase: formatMicroseconds(view.lastPurchase),
  last_update: formatMicroseconds(view.lastUpdate),
  last_action: view.lastAction === null ? null : wagerAction(view.lastAction),
  actions_count: view.actionsCount,
});

/** The action history stands as a reference. */
export const wagerDetail = (view: WagerView, origin: string): WagerDetail => ({
  ...wager(view, origin),
  actions: `${origin}/wagers/${view.id}/actions/`,
});

type References = Pick<Wager, 'user' | 'event' | 'market'>;

const references = ({ account, eventId, marketId }: WagerView, origin: string): References => ({
  user: userReference(account, origin),
  event: `${origin}/events/${eventId}/`,
  market: `${origin}/markets/${marketId}/`,
});

const userReference = (account: AccountId, origin: string): string => `${origin}/users/${account}/`;

/** Every real currency counts at par, so shares in the event's canonical currency are the shares. */
const amounts = (view: WagerView) => ({
  shares: wholeShares(view.shares),
  shares_in_canonical: wholeShares(view.shares),
  total_amount: formatMoney(view.totalAmount),
  purchases_amount: currencyUnits(view.purchasesAmount),
  active_purchases_amount: formatMoney(
    money(view.activePurchases.reduce((sum, { amount }) => sum + amount, 0)),
  ),
  active_purchases: view.activePurchases.map(wagerAction),
  roi: view.roi.toFixed(ROI_PLACES),
  earnings: formatMoney(view.earnings),
  amount_on_win: formatMoney(view.amountOnWin),
  amount_on_sell: formatMoney(view.amountOnSell),
});

/** An entry of the history; its members are ours, the specification shows none. */
export const wagerAction = (action: WagerActionView) => ({
  id: action.id,
  type: action.type,
  shares: wholeShares(action.shares),
  price: optionalPrice(action.price),
  amount: currencyUnits(action.amount),
  fee: currencyUnits(action.fee),
  order: action.orderId,
  created: formatMicroseconds(action.at),
});

const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
