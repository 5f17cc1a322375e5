/** `GET /wagers/`, `GET /wagers/{id}/`, `GET /events/{id}/wagers/` (specification 4.11 to 4.13). */
import type { AccountId, WagerId } from '../../domain/ids.js';
import { currencyOf, modeCode } from '../codes.js';
import type { EventWagerQuery, Page, WagerDetailView, WagerQuery, WagerView } from '../contract.js';
import type { Floor } from '../floor.js';
import type { Wager } from '../wagers/wager.js';
import { pageOf } from './paging.js';
import { actionsOf, statusOf, wagerView } from './wager-views.js';
import { modeOf } from '../../domain/vocabulary.js';

/** Newest first. */
export function listWagers(floor: Floor, query: WagerQuery): Page<WagerView> {
  const wagers = floor.wagers.list.filter((wager) => isWanted(floor, wager, query)).reverse();
  return pageOf(wagers, query, (wager) => wagerView(floor, wager));
}

/** null: unknown, or neither the viewer's nor public. */
export function readWager(floor: Floor, id: WagerId, viewer: AccountId | null): WagerDetailView | null {
  const wager = floor.wagers.find(id);
  if (wager === null || !isVisible(wager, viewer)) return null;
  return { ...wagerView(floor, wager), actions: actionsOf(floor, wager) };
}

/** The viewer's own, newest first; null: unknown event. */
export function listEventWagers(floor: Floor, query: EventWagerQuery): readonly WagerView[] | null {
  const event = floor.markets.event(query.eventId);
  if (event === null) return null;
  const wagers = floor.wagers.list.filter(({ holding }) => {
    const { account, book } = holding.stake;
    return account.id === query.viewer && book.market.event === event && book.mode === modeCode(query.mode);
  });
  return wagers
    .filter((wager) => isOfAge(wager, query))
    .reverse()
    .map((wager) => wagerView(floor, wager));
}

function isOfAge(wager: Wager, { active, pastBets }: EventWagerQuery): boolean {
  if (active !== undefined) return isActive(wager) === active;
  return pastBets === true || isActive(wager);
}

const isActive = (wager: Wager): boolean => statusOf(wager) === 'purchased';
const ownerOf = ({ holding }: Wager): AccountId => holding.stake.account.id;

function isWanted(floor: Floor, wager: Wager, query: WagerQuery): boolean {
  const { holding } = wager;
  const { event } = holding.stake.book.market;
  const mode = modeOf(currencyOf(holding.currency));
  return (
    isOfInterest(floor, wager, query) &&
    isVisible(wager, query.viewer) &&
    (query.active !== true || isActive(wager)) &&
    (query.pastBets !== true || !isActive(wager)) &&
    (query.eventId ?? event.id) === event.id &&
    (query.mode ?? mode) === mode
  );
}

/** Whose wagers: a named user's, those of followed users, one's own, or everybody's when nobody signed. */
function isOfInterest(floor: Floor, wager: Wager, { viewer, user, following }: WagerQuery): boolean {
  const owner = ownerOf(wager);
  if (user !== undefined) return owner === user;
  if (viewer === null) return following !== true;
  if (following === true) return floor.accounts.get(viewer).config.following.includes(owner);
  return owner === viewer;
}

const isVisible = (wager: Wager, viewer: AccountId | null): boolean =>
  ownerOf(wager) === viewer || wager.holding.stake.account.config.publicWagers;
