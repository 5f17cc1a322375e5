/** Wagers and rebates (specification 4.11 to 4.13; facts, "Events and markets"). */
import { dayOf } from '../../../domain/days.js';
import type { AccountId, EventId, WagerId } from '../../../exchange/contract/ids.js';
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
