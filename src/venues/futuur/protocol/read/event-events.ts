/** Realtime frames of the global feed about events, as domain inputs. */
import { eventId, marketId } from '../../../../domain/ids.js';
import type { EventLiveInput, CommentInput, EventStatusInput } from '../../../../domain/inputs.js';
import type { Money } from '../../../../domain/units.js';
import { readMoney } from '../decimals.js';
import type { ReceivedPayloads } from '../realtime/events.js';
import { readOptionalTimestamp } from '../timestamps.js';
import { readEventStatus, readMarketStatus, readResolution } from './words.js';

export const readPriceChange = (wire: ReceivedPayloads['price-change']): EventStatusInput => ({
  kind: 'event-status',
  eventId: eventId(wire.id),
  status: readEventStatus(wire.status, 'status'),
  mode: wire.currency_mode,
  wagerable: wire.is_wagerable,
  volumePlayMoney: volume(wire.volume_play_money, 'volume_play_money'),
  volumeRealMoney: volume(wire.volume_real_money, 'volume_real_money'),
  markets: wire.markets.map((market) => ({
    marketId: marketId(market.id),
    status: readMarketStatus(market.status, 'markets.status'),
    resolution: readResolution(market.resolution, 'markets.resolution'),
  })),
});

/** A statistic: digits finer than the money grid are rounded to nearest. */
const volume = (value: number | null | undefined, field: string): Money | null =>
  value === null || value === undefined ? null : readMoney(value, field, 'nearest');

export const readLiveDataUpdate = (wire: ReceivedPayloads['live-data-update']): EventLiveInput => ({
  kind: 'event-live',
  eventId: eventId(wire.id),
  status: readEventStatus(wire.status, 'status'),
  resolution: wire.resolution ?? null,
  isLive: wire.is_live,
  eventStart: readOptionalTimestamp(wire.event_start_date, 'event_start_date'),
  eventEnd: readOptionalTimestamp(wire.event_end_date, 'event_end_date'),
});

export const readComment = (wire: ReceivedPayloads['market-comment']): CommentInput => ({
  kind: 'comment',
  eventId: eventId(wire.question.id),
  commentId: wire.id,
  content: wire.content,
});
