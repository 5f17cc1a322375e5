/** Events and markets: adding them, their status, resolution and live data. */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { SetMarketStatus } from '../../exchange/contract.js';
import { readOptionalTimestamp, TimestampError } from '../../venues/futuur/protocol/timestamps.js';
import type { InputReading } from '../http/order-input.js';
import { eventStatusBody, liveBody, marketStatusBody, resolveBody } from './bodies.js';
import { type AdminParts, type AdminRequest, type AdminRoute, commanding, made, shaped } from './route.js';

export const eventRoutes = (parts: AdminParts): readonly AdminRoute[] => [
  commanding(parts, '/admin/events/', ({ body }) =>
    made(parts.readers.event(body), (event) => ({ kind: 'add-event', event })),
  ),
  commanding(parts, '/admin/events/:id/markets/', ({ id, body }) =>
    made(parts.readers.market(body), (market) => ({ kind: 'add-market', eventId: id as EventId, market })),
  ),
  commanding(parts, '/admin/events/:id/status/', (request) =>
    shaped(eventStatusBody, request, ({ status }) => ({
      kind: 'set-event-status',
      eventId: request.id as EventId,
      status,
    })),
  ),
  commanding(parts, '/admin/markets/:id/status/', readMarketStatus),
  commanding(parts, '/admin/events/:id/resolve/', (request) =>
    shaped(resolveBody, request, ({ resolutions }) => ({
      kind: 'resolve-event',
      eventId: request.id as EventId,
      resolutions: Object.entries(resolutions).map(([market, resolution]) => ({
        marketId: Number(market) as MarketId,
        resolution,
      })),
    })),
  ),
  commanding(parts, '/admin/events/:id/reverse/', ({ id }) => ({
    ok: true,
    value: { kind: 'reverse-event', eventId: id as EventId },
  })),
  commanding(parts, '/admin/events/:id/live/', (request) =>
    shaped(liveBody, request, ({ isLive, extraData = null }) => ({
      kind: 'set-live',
      eventId: request.id as EventId,
      isLive,
      extraData,
    })),
  ),
];

/** What the body does not name stays as it is. */
function readMarketStatus(request: AdminRequest): InputReading<SetMarketStatus> {
  try {
    return shaped(marketStatusBody, request, ({ status, disabled, betEndDate }) => ({
      kind: 'set-market-status',
      marketId: request.id as MarketId,
      ...(status === undefined ? {} : { status }),
      ...(disabled === undefined ? {} : { disabled }),
      ...(betEndDate === undefined ? {} : { betEnd: readOptionalTimestamp(betEndDate, 'betEndDate') }),
    }));
  } catch (error) {
    if (error instanceof TimestampError)
      return { ok: false, fields: { betEndDate: ['must be an ISO 8601 time'] } };
    throw error;
  }
}
