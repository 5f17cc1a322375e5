/** Wagers and rebates (specification 4.11 to 4.13; facts, "Events and markets"). */
import { dayOf } from '../../../domain/days.js';
import type { AccountId, EventId, WagerId } from '../../../exchange/contract/ids.js';
import type { EventWagerQuery, RebateQuery, WagerQuery } from '../../../exchange/contract.js';
import type { QueryValues } from '../../../venues/futuur/protocol/query.js';
import type { ENDPOINTS } from '../../../venues/futuur/protocol/rest/endpoints.js';
import { readTimestamp, TimestampError } from '../../../venues/futuur/protocol/timestamps.js';
import { currencyUnits } from '../../../domain/units.js';
import { wager, wagerAction, wagerDetail } from '../../present/rest.js';
import { answered, refused, refusedFields } from '../answer.js';
import type { EndpointHandlers, EndpointParts } from '../call.js';
import { answeredPage, paging } from './paging.js';

type WagerEndpoint = 'wagers' | 'wager' | 'wagerActions' | 'eventWagers' | 'rebates';

export const wagerEndpoints = ({ exchange }: EndpointParts): Pick<EndpointHandlers, WagerEndpoint> => ({
  wagers: (call) => {
    const viewer = call.caller?.accountId ?? null;
    if (call.query.following === true && viewer === null) return refused('NotAuthenticated');
    const page = exchange.wagers({ ...wagerQuery(call.query), viewer, ...paging(call) });
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
    const views = exchange.eventWagers(eventWagerQuery(caller.accountId, id, query));
    return views === null ? refused('NotFound') : answered(views.map((view) => wager(view, origin)));
  },
  rebates: ({ caller, query }) => {
    const day = query.date === undefined ? undefined : readDay(query.date);
    if (day === null) return refusedFields({ date: ['must be a calendar day such as 2026-01-31'] });
    const rebated = exchange.rebates(rebateQuery(caller.accountId, day, query.event));
    return answered({ rebated_fee_usd: currencyUnits(rebated) });
  },
});

type WagersQuery = QueryValues<(typeof ENDPOINTS)['wagers']['query']>;

const wagerQuery = (query: WagersQuery): Omit<WagerQuery, 'viewer' | 'limit' | 'offset'> => ({
  ...(query.active === undefined ? {} : { active: query.active }),
  ...(query.past_bets === undefined ? {} : { pastBets: query.past_bets }),
  ...(query.event === undefined ? {} : { eventId: query.event as EventId }),
  ...(query.user === undefined ? {} : { user: query.user as AccountId }),
  ...(query.following === undefined ? {} : { following: query.following }),
  ...(query.currency_mode === undefined || query.currency_mode === '' ? {} : { mode: query.currency_mode }),
});

type EventWagersQuery = QueryValues<(typeof ENDPOINTS)['eventWagers']['query']>;

const eventWagerQuery = (viewer: AccountId, event: number, query: EventWagersQuery): EventWagerQuery => ({
  viewer,
  eventId: event as EventId,
  mode: query.currency_mode ?? 'play_money',
  ...(query.active === undefined ? {} : { active: query.active }),
  ...(query.past_bets === undefined ? {} : { pastBets: query.past_bets }),
});

const rebateQuery = (
  account: AccountId,
  day: number | undefined,
  event: number | undefined,
): RebateQuery => ({
  account,
  ...(day === undefined ? {} : { day }),
  ...(event === undefined ? {} : { eventId: event as EventId }),
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
