/** `GET /wagers/`, `GET /wagers/{id}/`, `GET /events/{id}/wagers/` (specification 2.5, 4.11 to 4.13). */
import type { AccountId, WagerId } from '../contract/ids.js';
import { PRICE_ONE, type Money, type Shares } from '../../domain/units.js';
import type { WagerStatus } from '../../domain/vocabulary.js';
import type { Wager } from '../accounts/wagers.js';
import type { EventWagerQuery, Page, WagerDetailView, WagerQuery, WagerView } from '../contract.js';
import { sellingSide, sweep } from '../markets/book.js';
import { opposite } from '../matching/index.js';
import { feeReserve } from '../money/ledger.js';
import type { State } from '../state.js';
import { pageOf } from './listing.js';

/** Newest first. */
export function listWagers(state: State, query: WagerQuery): Page<WagerView> {
  const wagers = state.wagers.list.filter((wager) => isWanted(state, wager, query)).reverse();
  return pageOf(wagers, query, (wager) => wagerView(state, wager));
}

/** null: unknown, or neither the viewer's nor public. */
export function readWager(state: State, id: WagerId, viewer: AccountId | null): WagerDetailView | null {
  const wager = state.wagers.find(id);
  if (wager === null || !isVisible(wager, viewer)) return null;
  return { ...wagerView(state, wager), actions: [...wager.actions] };
}

/** The viewer's own, newest first; null: unknown event. */
export function listEventWagers(state: State, query: EventWagerQuery): readonly WagerView[] | null {
  const event = state.markets.event(query.eventId);
  if (event === null) return null;
  return state.wagers.list
    .filter(({ holding: { owner } }) => {
      const { account, book } = owner;
      return account.id === query.viewer && book.market.event === event && book.mode === query.mode;
    })
    .filter((wager) => isOfAge(wager, query))
    .reverse()
    .map((wager) => wagerView(state, wager));
}

function isOfAge(wager: Wager, { active, pastBets }: EventWagerQuery): boolean {
  if (active !== undefined) return isActive(wager) === active;
  return pastBets === true || isActive(wager);
}

const isActive = (wager: Wager): boolean => statusOf(wager) === 'purchased';
const ownerOf = ({ holding }: Wager): AccountId => holding.owner.account.id;

function isWanted(state: State, wager: Wager, query: WagerQuery): boolean {
  const { market, mode } = wager.holding.owner.book;
  return (
    isOfInterest(state, wager, query) &&
    isVisible(wager, query.viewer) &&
    (query.active !== true || isActive(wager)) &&
    (query.pastBets !== true || !isActive(wager)) &&
    (query.eventId ?? market.event.id) === market.event.id &&
    (query.mode ?? mode) === mode
  );
}

/** Whose wagers: a named user's, those of followed users, one's own, or everybody's when nobody signed. */
function isOfInterest(state: State, wager: Wager, { viewer, user, following }: WagerQuery): boolean {
  const owner = ownerOf(wager);
  if (user !== undefined) return owner === user;
  if (viewer === null) return following !== true;
  if (following === true) return state.accounts.get(viewer).config.following.includes(owner);
  return owner === viewer;
}

const isVisible = (wager: Wager, viewer: AccountId | null): boolean =>
  ownerOf(wager) === viewer || wager.holding.owner.account.config.publicWagers;

/** Every field of specification 2.5 as it stands now. */
function wagerView(state: State, wager: Wager): WagerView {
  const { owner, position, currency } = wager.holding;
  const { market } = owner.book;
  const isOpen = wager.status === 'purchased';
  const amountOnSell = isOpen ? amountOnSellOf(wager) : 0;
  const paid = wager.purchased + wager.fees;
  const earnings = wager.status === 'cancelled' ? 0 : wager.received + amountOnSell - paid;
  return {
    id: wager.id,
    account: owner.account.id,
    status: statusOf(wager),
    eventId: market.event.id,
    marketId: market.id,
    position,
    currency,
    shares: wager.shares as Shares,
    totalAmount: wager.purchased as Money,
    purchasesAmount: wager.cost as Money,
    activePurchases: isLastBought(state, wager)
      ? [...wager.actions].filter(({ type }) => type === 'purchase')
      : [],
    roi: paid > 0 ? earnings / paid : 0,
    earnings: earnings as Money,
    amountOnWin: (PRICE_ONE * wager.shares) as Money,
    amountOnSell: amountOnSell as Money,
    lastProfit: wager.lastProfit as Money | null,
    lastSellAmount: wager.lastSellAmount as Money | null,
    lastPurchase: wager.lastPurchase,
    lastUpdate: wager.lastUpdate,
    lastAction: wager.actions.last() ?? null,
    actionsCount: wager.actionsCount,
  };
}

/** An open wager of a disabled market shows `disabled`. */
const statusOf = ({ status, holding }: Wager): WagerStatus =>
  status === 'purchased' && holding.owner.book.market.disabled ? 'disabled' : status;

/** What others in the book would pay for all shares now, after the taker fee. */
function amountOnSellOf({ shares, holding: { owner, position } }: Wager): number {
  const side = sellingSide(position);
  const sold = sweep(owner.book, side, position, shares, owner.ownShares(opposite(side)));
  return sold.amount - feeReserve(0, sold.shares, owner.book.fees.taker);
}

/** The account bought no other outcome of the event later. */
function isLastBought({ wagers }: State, wager: Wager): boolean {
  if (wager.status !== 'purchased') return false;
  const { account, book } = wager.holding.owner;
  const { event } = book.market;
  const siblings = [...account.inBook.values()].filter((owner) => owner.book.market.event === event);
  return siblings
    .flatMap((owner) => owner.holdings())
    .every((holding) => holding.wager === 0 || wagers.of(holding).lastPurchase <= wager.lastPurchase);
}
