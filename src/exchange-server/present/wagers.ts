/** Wagers (specification 2.5). */
import type { AccountId } from '../../domain/ids.js';
import { currencyUnits, money, wholeShares } from '../../domain/units.js';
import type { WagerActionView, WagerView } from '../../exchange/contract.js';
import { formatMoney } from '../../venues/futuur/protocol/decimals.js';
import type { Wager, WagerDetail } from '../../venues/futuur/protocol/rest/wagers.js';
import { formatMicroseconds } from '../../venues/futuur/protocol/timestamps.js';
import { optionalPrice } from './numbers.js';

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
