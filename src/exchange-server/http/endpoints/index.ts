/** `GET /me/`, `POST /me/safe/`, `GET /me/balances/` (specification 4.1 to 4.3), and what strangers see of a user. */
import type { AccountId, EventId, WagerId, MarketId } from '../../../exchange/contract/ids.js';
import { invariant } from '../../../domain/errors.js';
import type { AccountView, EventOrdering, EventQuery } from '../../../exchange/contract.js';
import {
  walletRegistration,
  channelAuthorizationRequest,
} from '../../../venues/futuur/protocol/rest/account.js';
import {
  balanceRows,
  userPrivate,
  userPublic,
  wager,
  wagerAction,
  wagerDetail,
  book,
  priceHistory,
  tax,
  listedEvent,
  readMarket,
} from '../../present/rest.js';
import { answered, refused, refusedFields, type Answer } from '../answer.js';
import type { EndpointHandlers, EndpointParts, Call } from '../call.js';
import { parseChannel } from '../../../venues/futuur/protocol/realtime/channels.js';
import { channelSignature } from '../../../venues/futuur/protocol/signing.js';
import { dayOf } from '../../../domain/days.js';
import { readTimestamp, TimestampError } from '../../../venues/futuur/protocol/timestamps.js';
import { currencyUnits } from '../../../domain/units.js';
import { answeredPage, paging, readOrdering, refusedOrdering } from './paging.js';
import type { QueryValues } from '../../../venues/futuur/protocol/query.js';
import type { ENDPOINTS } from '../../../venues/futuur/protocol/rest/endpoints.js';
import { batchEndpoints, orderEndpoints } from './orders.js';

function accountEndpoints({
  exchange,
  funnel,
}: EndpointParts): Pick<EndpointHandlers, 'me' | 'registerWallet' | 'balances' | 'user'> {
  const account = (id: AccountId): AccountView => {
    const view = exchange.account(id);
    invariant(view !== null, `account ${id} has a key and no record`);
    return view;
  };
  return {
    me: ({ caller }) => {
      const { is_wallet_user: _isWalletUser, ...user } = userPrivate(account(caller.accountId));
      return answered(user);
    },
    registerWallet: ({ caller, body: { value } }) => {
      if (!walletRegistration.accepts(value)) return refusedFields(walletRegistration.problems(value));
      const { safe_address: safeAddress, chain_id: chainId } = value;
      funnel.execute({ kind: 'register-safe', account: caller.accountId, safeAddress, chainId });
      return answered(userPrivate(account(caller.accountId)));
    },
    user: ({ id }) => {
      const author = exchange.author(id as AccountId);
      return author === null ? refused('NotFound') : answered(userPublic(author));
    },
    balances: ({ caller, query: { currency } }) => {
      const rows = balanceRows(account(caller.accountId));
      const wanted = currency?.toUpperCase();
      return answered(wanted === undefined ? rows : rows.filter((row) => row.currency === wanted));
    },
  };
}

/** `POST /v2.0/pusher/auth/` (specification 4.17; facts, "Signing"). */

const channelEndpoints = ({ application }: EndpointParts): Pick<EndpointHandlers, 'authorizeChannel'> => ({
  authorizeChannel: ({ caller, form }) => {
    const request: unknown = Object.fromEntries(form);
    if (!channelAuthorizationRequest.accepts(request)) {
      return refusedFields(channelAuthorizationRequest.problems(request));
    }
    const { socket_id: socketId, channel_name: name } = request;
    const channel = parseChannel(name);
    const isOwn = channel.kind === 'user' && Number(channel.userId) === caller.accountId;
    if (!isOwn) return refused('PermissionDenied');
    return answered({ auth: channelSignature(application.key, application.secret, socketId, name) });
  },
});

/** Wagers and rebates (specification 4.11 to 4.13; facts, "Events and markets"). */

type WagerEndpoint = 'wagers' | 'wager' | 'wagerActions' | 'eventWagers' | 'rebates';

const wagerEndpoints = ({ exchange }: EndpointParts): Pick<EndpointHandlers, WagerEndpoint> => ({
  wagers: (call) => {
    const viewer = call.caller?.accountId ?? null;
    if (call.query.following === true && viewer === null) return refused('NotAuthenticated');
    const { active, past_bets: pastBets, following, event, user, currency_mode: mode } = call.query;
    const page = exchange.wagers({
      viewer,
      active,
      pastBets,
      following,
      eventId: event as EventId | undefined,
      user: user as AccountId | undefined,
      mode: mode === '' ? undefined : mode,
      ...paging(call),
    });
    return answeredPage(call, page, (view) => wager(view, call.origin));
  },
  wager: ({ caller, id, origin }) => {
    const view = exchange.wager(id as WagerId, caller?.accountId ?? null);
    return view === null ? refused('NotFound') : answered(wagerDetail(view, origin));
  },
  wagerActions: ({ caller, id }) => {
    const view = exchange.wager(id as WagerId, caller?.accountId ?? null);
    return view === null ? refused('NotFound') : answered(view.actions.map(wagerAction));
  },
  eventWagers: ({ caller, id, query, origin }) => {
    const { active, past_bets: pastBets, currency_mode: mode = 'play_money' } = query;
    const viewer = caller.accountId;
    const views = exchange.eventWagers({ viewer, eventId: id as EventId, mode, active, pastBets });
    return views === null ? refused('NotFound') : answered(views.map((view) => wager(view, origin)));
  },
  rebates: ({ caller, query }) => {
    const day = query.date === undefined ? undefined : readDay(query.date);
    if (day === null) return refusedFields({ date: ['must be a calendar day such as 2026-01-31'] });
    const eventId = query.event as EventId | undefined;
    const rebated = exchange.rebates({ account: caller.accountId, day, eventId });
    return answered({ rebated_fee_usd: currencyUnits(rebated) });
  },
});

/** Days since 1970-01-01 of a calendar day, null when there is none. */
function readDay(text: string): number | null {
  try {
    return /^\d{4}-\d\d-\d\d$/.test(text) ? dayOf(readTimestamp(text, 'date')) : null;
  } catch (error) {
    if (error instanceof TimestampError) return null;
    throw error;
  }
}

/** Books, price history, tax, events and markets (specification 4.14 to 4.16; facts, "Events and markets"). */

type MarketEndpoint = 'book' | 'market' | 'priceHistory' | 'tax' | 'events' | 'event';

const marketEndpoints = ({ exchange, bookCache }: EndpointParts): Pick<EndpointHandlers, MarketEndpoint> => ({
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

export type { EndpointParts } from '../call.js';

/** Every endpoint of the specification and the few beyond it. */
export const endpointHandlers = (parts: EndpointParts): EndpointHandlers => ({
  ...accountEndpoints(parts),
  ...orderEndpoints(parts),
  ...batchEndpoints(parts),
  ...wagerEndpoints(parts),
  ...marketEndpoints(parts),
  ...channelEndpoints(parts),
});
