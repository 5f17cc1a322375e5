/** Positions and rebates (specification 4.11 to 4.13; facts, "Events and markets"). */
import type { EventId } from '../../../domain/ids.js';
import type { HoldingReport } from '../../../domain/orders.js';
import type { QueryValues } from '../protocol/query.js';
import { readEventWagers, readWagerPage, type HoldingListing } from '../protocol/read/account.js';
import { ENDPOINTS, pathOf } from '../protocol/rest/endpoints.js';
import { rebates as rebatesShape, wagerDetail } from '../protocol/rest/wagers.js';
import type {
  EVENT_WAGERS_QUERY,
  REBATES_QUERY,
  Rebates,
  WagerDetail,
  WAGERS_QUERY,
} from '../protocol/rest/wagers.js';
import type { Call } from './call.js';
import { asking, asReceived } from './call.js';

/** 4.11, one page; the caller's own when signed, public ones otherwise. */
export const wagers = (query: QueryValues<typeof WAGERS_QUERY>): Call<HoldingListing> => ({
  ...asking('wagers', pathOf(ENDPOINTS.wagers.path), query),
  read: readWagerPage,
});

/** 4.12 */
export const wager = (id: number): Call<WagerDetail> => ({
  ...asking('wager', pathOf(ENDPOINTS.wager.path, id), {}),
  read: asReceived(wagerDetail),
});

/** 4.13 */
export const eventWagers = (
  event: EventId,
  query: QueryValues<typeof EVENT_WAGERS_QUERY>,
): Call<readonly HoldingReport[]> => ({
  ...asking('eventWagers', pathOf(ENDPOINTS.eventWagers.path, event), query),
  read: readEventWagers,
});

/** Maker rebates of a day, of an event or of all. */
export const rebates = (query: QueryValues<typeof REBATES_QUERY>): Call<Rebates> => ({
  ...asking('rebates', pathOf(ENDPOINTS.rebates.path), query),
  read: asReceived(rebatesShape),
});
