import type { Money, PriceUnits, Shares } from '../../domain/units.js';
import { PRICE_ONE } from '../../domain/units.js';
import type { WagerStatus } from '../../domain/vocabulary.js';
import type { OrderId } from '../../domain/ids.js';
import { currencyOf, positionAt } from '../codes.js';
import type { WagerActionView, WagerView } from '../contract.js';
import { feeReserve } from '../money/fees.js';
import type { Floor } from '../floor.js';
import { opposite } from '../matching/index.js';
import { ownShares } from '../orders/own-orders.js';
import { sellingSide, sweep } from '../books/sweep.js';
import { ACTION_TYPES, PURCHASE, type ActionRow } from '../wagers/action-table.js';
import type { Wager } from '../wagers/wager.js';

/** Every field of specification 2.5 as it stands now. */
export function wagerView(floor: Floor, wager: Wager): WagerView {
  const { holding } = wager;
  const { market } = holding.stake.book;
  const isOpen = wager.status === 'purchased';
  const amountOnSell = isOpen ? amountOnSellOf(floor, wager) : 0;
  const paid = wager.purchased + wager.fees;
  const earnings = wager.status === 'cancelled' ? 0 : wager.received + amountOnSell - paid;
  return {
    id: wager.id,
    account: holding.stake.account.id,
    status: statusOf(wager),
    eventId: market.event.id,
    marketId: market.id,
    position: positionAt(holding.position),
    currency: currencyOf(holding.currency),
    shares: wager.shares as Shares,
    totalAmount: wager.purchased as Money,
    purchasesAmount: wager.cost as Money,
    activePurchases: isLastBought(floor, wager) ? purchasesOf(floor, wager) : [],
    roi: paid > 0 ? earnings / paid : 0,
    earnings: earnings as Money,
    amountOnWin: (PRICE_ONE * wager.shares) as Money,
    amountOnSell: amountOnSell as Money,
    lastProfit: wager.lastProfit as Money | null,
    lastSellAmount: wager.lastSellAmount as Money | null,
    lastPurchase: wager.lastPurchase,
    lastUpdate: wager.lastUpdate,
    lastAction: wager.lastAction === 0 ? null : actionView(floor.wagers.actions.read(wager.lastAction)),
    actionsCount: wager.actionsCount,
  };
}

/** All actions still known, oldest first. */
export const actionsOf = (floor: Floor, wager: Wager): WagerActionView[] =>
  Array.from(floor.wagers.actions.of(wager), actionView);

/** An open wager of a disabled market shows `disabled`. */
export const statusOf = ({ status, holding }: Wager): WagerStatus =>
  status === 'purchased' && holding.stake.book.market.disabled ? 'disabled' : status;

/** What others in the book would pay for all shares now, after the taker fee. */
function amountOnSellOf(floor: Floor, { shares, holding }: Wager): number {
  const { stake, position } = holding;
  const { book } = stake;
  const side = sellingSide(position);
  const sold = sweep(book, side, position, shares, ownShares(floor, stake, opposite(side)));
  return sold.amount - feeReserve(0, sold.shares, book.fees.taker);
}

/** The account bought no other outcome of the event later. */
function isLastBought(floor: Floor, wager: Wager): boolean {
  if (wager.status !== 'purchased') return false;
  const { account, book } = wager.holding.stake;
  const { event } = book.market;
  const siblings = floor.stakes
    .ofAccount(account)
    .filter((stake) => stake.book.market.event === event)
    .flatMap((stake) => stake.allHoldings());
  return siblings.every(
    (holding) => holding.wager === 0 || floor.wagers.at(holding.wager).lastPurchase <= wager.lastPurchase,
  );
}

const purchasesOf = (floor: Floor, wager: Wager): WagerActionView[] =>
  actionsOf(floor, wager).filter(({ type }) => type === ACTION_TYPES[PURCHASE]);

const actionView = (row: ActionRow & { readonly id: number }): WagerActionView => ({
  id: row.id,
  type: ACTION_TYPES[row.type] as WagerActionView['type'],
  shares: row.shares as Shares,
  price: row.price === 0 ? null : (row.price as PriceUnits),
  amount: row.amount as Money,
  fee: row.fee as Money,
  orderId: row.orderId === 0 ? null : (row.orderId as OrderId),
  at: row.at,
});
