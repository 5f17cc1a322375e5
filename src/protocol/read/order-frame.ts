/** Updates of our orders straight from the text of their frame: twenty follow every batch of twenty. */
import type { EventId, MarketId, OrderId } from '../../domain/ids.js';
import { type OrderUpdate, POSITION_SPELLINGS } from '../../domain/inputs.js';
import { PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import { CURRENCIES, ORDER_STATUSES, SIDES } from '../../domain/vocabulary.js';
import { PRICE_PLACES, SHARE_PLACES } from '../decimals.js';
import {
  afterPayload,
  beforePayload,
  headOf,
  marksOf,
  openFrame,
  passFirst,
  QUOTE,
  quoted,
  quotedWords,
  type ScannedFrame,
  type Spelling,
} from './frame-scan.js';
import { orderUpdateOf } from './order-update.js';
import { ScannedTimes } from './scanned-times.js';
import { choices, type Expected, expected, type TextScan } from './text-scan.js';

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
  const orderId = scan.whole() as OrderId;
  const marketId = scan.pass(texts.marketId).whole() as MarketId;
  const eventId = scan.pass(texts.eventId).whole() as EventId;
  const status = scan.pass(texts.status).chosen(STATUSES);
  if (isStated(scan, texts.previousStatus)) wordOf(scan);
  const side = scan.pass(texts.side).chosen(SIDE_WORDS);
  const position = scan.pass(texts.position).chosen(POSITIONS);
  scan.pass(texts.price);
  const price = scan.tries(NULL) ? null : priceOf(scan);
  const requested = scan.pass(texts.requested).decimal(SHARE_PLACES) as Shares;
  const filled = scan.pass(texts.filled).decimal(SHARE_PLACES) as Shares;
  const filledNow = isStated(scan, texts.filledNow) ? (scan.decimal(SHARE_PLACES) as Shares) : null;
  const averageFillPrice = isStated(scan, texts.averageFillPrice) ? scan.number() : null;
  const currency = scan.pass(texts.currency).chosen(CURRENCY_WORDS);
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
    expiresAt,
    cancelReason,
    systemInitiated,
    venueTime,
  });
}

/** Passes the name of a member that may be missing, and its null. @returns whether its value is what comes next */
const isStated = (scan: TextScan, member: Expected): boolean => scan.tries(member) && !scan.tries(NULL);

function priceOf(scan: TextScan): PriceUnits {
  const price = scan.decimal(PRICE_PLACES);
  if (price === 0 || price >= PRICE_ONE) scan.lose();
  return price as PriceUnits;
}

function wordOf(scan: TextScan): string {
  const word = scan.pass(MARK).word();
  scan.pass(MARK);
  return word;
}

const MARKS = marksOf(({ first, next }: Spelling) => ({
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

const STATUSES = quotedWords(ORDER_STATUSES);
const SIDE_WORDS = quotedWords(SIDES);
const POSITIONS = choices(
  Object.entries(POSITION_SPELLINGS).map(([spelling, position]) => [quoted(spelling), position]),
);
const CURRENCY_WORDS = quotedWords(CURRENCIES);
const TRUTHS = choices([
  ['true', true],
  ['false', false],
]);
const NULL = expected('null');
const MARK = expected(QUOTE);
/** Expiries are all of another minute than what is said now. */
const TIMES = new ScannedTimes();
const EXPIRIES = new ScannedTimes();
