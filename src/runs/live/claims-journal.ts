/** Writes down what a run learns of whose the orders of its account are, where no answer to it tells. */
import type { OrderId } from '../../domain/ids.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { OrderNews, OwnOrder } from '../../core/execution/orders/own-order.js';
import type { ClaimedOrder, JournalRecord } from '../../core/ports/journal.js';

/**
 * Looks on at an engine. What it learns is written before anything that it leads to can leave, for an engine decides after it
 * has told. @param write takes the line
 */
export const claimsJournal = (write: (record: JournalRecord) => void): EngineObserver => ({
  heard: (news) => {
    const record = claimsIn(news);
    if (record !== null) write(record);
  },
});

/** @returns null where nothing of that kind is among the news, as mostly */
function claimsIn(news: readonly OrderNews[]): JournalRecord | null {
  if (!news.some(isClaim)) return null;
  const of = (kind: OrderNews['kind']): readonly OwnOrder[] =>
    news.flatMap((item) => (item.kind === kind && isClaim(item) ? [item.order] : []));
  return {
    kind: 'claims',
    ours: of('claimed').map(claimed),
    foreign: idsOf(of('foreign')),
    ambiguous: idsOf(of('ambiguous')),
    ended: idsOf(of('ended')),
  };
}

type Claim = Extract<OrderNews, { readonly kind: 'claimed' | 'foreign' | 'ambiguous' | 'ended' }>;

function isClaim(item: OrderNews): item is Claim {
  if (item.kind === 'ended') return isUntold(item.order);
  return item.kind === 'claimed' || item.kind === 'foreign' || item.kind === 'ambiguous';
}

/** What we cancelled or replaced an answer tells. */
const isUntold = ({ ownership, ending }: OwnOrder): boolean =>
  ownership === 'ambiguous' || (ownership === 'ours' && (ending === 'filled' || ending === 'expired'));

const idsOf = (orders: readonly OwnOrder[]): readonly OrderId[] =>
  orders.flatMap(({ orderId }) => orderId ?? []);

const claimed = (order: OwnOrder): ClaimedOrder => {
  const { orderId, eventId, marketId, side, position, currency, price, requested } = order;
  return { orderId, eventId, marketId, side, position, currency, price, shares: requested };
};
