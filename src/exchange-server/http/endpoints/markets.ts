/** Books, price history, tax, events and markets (specification 4.14 to 4.16; facts, "Events and markets"). */
import type { EventId, MarketId } from '../../../exchange/contract/ids.js';
import type { EventOrdering, EventQuery } from '../../../exchange/contract.js';
import type { QueryValues } from '../../../venues/futuur/protocol/query.js';
import type { ENDPOINTS } from '../../../venues/futuur/protocol/rest/endpoints.js';
import { book, priceHistory, tax, listedEvent, readMarket } from '../../present/rest.js';
import { type Answer, answered, refused } from '../answer.js';
import type { Call, EndpointHandlers, EndpointParts } from '../call.js';
import { answeredPage, paging, readOrdering, refusedOrdering } from './paging.js';

type MarketEndpoint = 'book' | 'market' | 'priceHistory' | 'tax' | 'events' | 'event';

export const marketEndpoints = ({
  exchange,
  bookCache,
}: EndpointParts): Pick<EndpointHandlers, MarketEndpoint> => ({
  book: (call) => {
    const { currency_mode: mode, position = 'long' } = call.query;
    const viewer = call.caller?.accountId ?? null;
    const read = (): Answer => {
      const view = exchange.book(call.id as MarketId, mode, position, viewer);
      return view === null ? refused('NotFound') : answered(book(view));
    };
    return bookCache.answer(`${call.id} ${mode} ${position} ${viewer}`, read, staleLifetime(call));
  },
  market: ({ id }) => {
    const market = exchange.market(id as MarketId);
    return market === null ? refused('NotFound') : answered(readMarket(market));
  },
  priceHistory: ({ id, query }) => {
    const view = exchange.priceHistory(id as EventId, query.currency_mode, query.time_interval ?? null);
    return view === null ? refused('NotFound') : answered(priceHistory(view));
  },
  tax: ({ id }) => {
    const event = exchange.event(id as EventId);
    return event === null ? refused('NotFound') : answered(tax(event));
  },
  events: (call) => {
    const ordering = readOrdering(call.query.ordering, ORDERINGS);
    if (ordering === null) return refusedOrdering(ORDERINGS);
    const page = exchange.events({ ...eventQuery(call.query), ordering, ...paging(call) });
    return answeredPage(call, page, listedEvent);
  },
  event: ({ id }) => {
    const event = exchange.event(id as EventId);
    return event === null ? refused('NotFound') : answered(listedEvent(event));
  },
});

/** How old a book `stale_book` may serve unless the rule says. */
const STALE_BOOK_MS = 5_000;

const staleLifetime = ({ fault }: Call<'book'>): number | undefined =>
  fault?.kind === 'stale_book' ? (fault.ms ?? STALE_BOOK_MS) : undefined;

const ORDERINGS: readonly EventOrdering[] = ['id', 'title', 'bet_end_date', 'volume'];

type EventsQuery = QueryValues<(typeof ENDPOINTS)['events']['query']>;

const eventQuery = (query: EventsQuery): Omit<EventQuery, 'limit' | 'offset' | 'ordering'> => ({
  categories: query.categories,
  mode: query.currency_mode,
  live: query.live,
  pendingResolution: query.pending_resolution,
  resolvedOnly: query.resolved_only,
  search: query.search,
  tag: query.tag,
});
