/** Updates of our orders straight from the text of their frame: twenty follow every batch of twenty. */
import {
  eventId as namedEvent,
  marketId as namedMarket,
  orderId as namedOrder,
} from '../../../../domain/ids.js';
import type { OrderUpdate } from '../../../../domain/inputs.js';
import type { Shares } from '../../../../domain/units.js';
import { SHARE_PLACES } from '../decimals.js';
import { afterPayload, beforePayload, headOf, openFrame, type ScannedFrame } from './frame-scan.js';
import { isStated, marksOf, passFirst, QUOTES, type Spelling } from './json-marks.js';
import { orderUpdateOf } from './order-update.js';
import { optionalPrice, orderWords } from './scanned-order.js';
import { ScannedTimes } from './scanned-times.js';
import { choices, expected, type TextScan } from './text-scan.js';

/** The payload is a text within. */
const QUOTE = QUOTES.nested;
const HEAD = headOf('order-update');

/**
 * Reads a frame of `order-update` (specification 6.3), its members in the order of the specification; those that may be
 * missing or null may be so.
 * @param frame text of a whole frame, its payload a text within
 * @returns null for every other frame, and for one in which anything is spelled or ordered otherwise than usual
 */
export function readOrderFrame(frame: string): ScannedFrame<OrderUpdate> | null {
  const scan = openFrame(frame, HEAD);
  if (scan === null) return null;
  const before = beforePayload(scan);
  const input = payloadOf(scan);
  const channel = afterPayload(scan, before);
  return scan.isThrough ? { event: HEAD.event, channel, input } : null;
}

function payloadOf(scan: TextScan): OrderUpdate {
  const texts = passFirst(scan, MARKS);
  const orderId = namedOrder(scan.whole());
  const marketId = namedMarket(scan.pass(texts.marketId).whole());
  const eventId = namedEvent(scan.pass(texts.eventId).whole());
  const status = scan.pass(texts.status).chosen(WORDS.statuses);
  if (isStated(scan, texts.previousStatus)) wordOf(scan);
  const side = scan.pass(texts.side).chosen(WORDS.sides);
  const position = scan.pass(texts.position).chosen(WORDS.positions);
  const price = optionalPrice(scan.pass(texts.price));
  const requested = scan.pass(texts.requested).decimal(SHARE_PLACES) as Shares;
  const filled = scan.pass(texts.filled).decimal(SHARE_PLACES) as Shares;
  const filledNow = isStated(scan, texts.filledNow) ? (scan.decimal(SHARE_PLACES) as Shares) : null;
  const averageFillPrice = isStated(scan, texts.averageFillPrice) ? scan.number() : null;
  const currency = scan.pass(texts.currency).chosen(WORDS.currencies);
  const venueTime = TIMES.read(scan.pass(texts.time));
  const cancelReason = isStated(scan, texts.cancelReason) ? wordOf(scan) : null;
  const expiresAt = isStated(scan, texts.expiresAt) ? EXPIRIES.read(scan.pass(MARK)) : null;
  const systemInitiated = isStated(scan, texts.systemInitiated) && scan.chosen(TRUTHS);
  return orderUpdateOf({
    orderId,
    marketId,
    eventId,
    side,
    position,
    currency,
    price,
    status,
    requested,
    filled,
    filledNow,
    averageFillPrice,
    createdAt: null,
    expiresAt,
    cancelReason,
    systemInitiated,
    venueTime,
  });
}

function wordOf(scan: TextScan): string {
  const word = scan.pass(MARK).word();
  scan.pass(MARK);
  return word;
}

const MARKS = marksOf(QUOTE, ({ first, next }: Spelling) => ({
  first: expected(first('order_id')),
  marketId: expected(next('market_id')),
  eventId: expected(next('event_id')),
  status: expected(next('status')),
  previousStatus: expected(next('previous_status')),
  side: expected(next('side')),
  position: expected(next('position')),
  price: expected(next('price')),
  requested: expected(next('shares_requested')),
  filled: expected(next('shares_filled')),
  filledNow: expected(next('shares_filled_delta')),
  averageFillPrice: expected(next('avg_fill_price')),
  currency: expected(next('currency')),
  time: expected(next('timestamp') + QUOTE),
  cancelReason: expected(next('cancel_reason')),
  expiresAt: expected(next('expired_at')),
  systemInitiated: expected(next('is_system_initiated')),
}));

const WORDS = orderWords(QUOTE);
const TRUTHS = choices([
  ['true', true],
  ['false', false],
]);
const MARK = expected(QUOTE);
/** Expiries are all of another minute than what is said now. */
const TIMES = new ScannedTimes(QUOTE);
const EXPIRIES = new ScannedTimes(QUOTE);
