/** Answers to updates straight from their text: one follows every batch, and while it is read every frame waits. */
import type { AnswerBody } from '../../../../domain/answers.js';
import {
  eventId as namedEvent,
  marketId as namedMarket,
  type OrderId,
  orderId as namedOrder,
} from '../../../../domain/ids.js';
import type { OrderReport } from '../../../../domain/orders.js';
import type { Shares } from '../../../../domain/units.js';
import { SHARE_PLACES } from '../decimals.js';
import { isStated, marksOf, passFirst, QUOTES, type Spelling } from './json-marks.js';
import { orderReport } from './order-report.js';
import { optionalPrice, orderWords } from './scanned-order.js';
import { ScannedTimes } from './scanned-times.js';
import { expected, TextScan } from './text-scan.js';

const QUOTE = QUOTES.plain;

type UpdatedOrders = Extract<AnswerBody, { readonly kind: 'replace-orders' }>;

/**
 * Reads the answer to a batch update (specification 4.8) in which every item brought its order, members in the order of the
 * specification.
 * @param submitted ids of the request, in order
 * @returns null for every other answer, and for one in which anything is spelled or ordered otherwise than usual: `readBatchUpdate` says what it is
 */
export function scanBatchUpdate(answer: string, submitted: readonly OrderId[]): UpdatedOrders | null {
  const scan = new TextScan(answer);
  const texts = passFirst(scan, MARKS);
  const items = submitted.map((id, index) => {
    if (index > 0) scan.pass(texts.another);
    return { ok: true, value: itemOf(scan, texts, id, index) } as const;
  });
  scan.pass(END);
  return scan.isThrough ? { kind: 'replace-orders', items } : null;
}

type Texts = ReturnType<typeof textsOf>;

function itemOf(scan: TextScan, texts: Texts, submitted: OrderId, index: number): OrderReport {
  if (scan.whole() !== index) scan.lose();
  if (namedOrder(scan.pass(texts.submitted).whole()) !== submitted) scan.lose();
  const report = orderOf(scan.pass(texts.order), texts);
  scan.pass(END_OF_ITEM);
  return report;
}

function orderOf(scan: TextScan, texts: Texts): OrderReport {
  const orderId = namedOrder(scan.whole());
  const eventId = namedEvent(scan.pass(texts.event).whole());
  const marketId = namedMarket(scan.pass(texts.market).whole());
  const price = optionalPrice(scan.pass(texts.price));
  scan.pass(texts.shares).passNumber();
  const requested = scan.pass(texts.requested).decimal(SHARE_PLACES) as Shares;
  const filled = scan.pass(texts.filled).decimal(SHARE_PLACES) as Shares;
  const currency = scan.pass(texts.currency).chosen(WORDS.currencies);
  const side = scan.pass(texts.side).chosen(WORDS.sides);
  const position = scan.pass(texts.position).chosen(WORDS.positions);
  const expiresAt = isStated(scan, texts.expiresAt) ? EXPIRIES.read(scan.pass(MARK)) : null;
  const status = scan.pass(texts.status).chosen(WORDS.statuses);
  const createdAt = TIMES.read(scan.pass(texts.created));
  return orderReport({
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
    averageFillPrice: null,
    createdAt,
    expiresAt,
  });
}

const textsOf = ({ space, first, next }: Spelling) => ({
  first: expected(`[${first('index')}`),
  another: expected(`,${space}${first('index')}`),
  submitted: expected(next('order_id')),
  order: expected(`${next('success')}true${next('order')}${first('id')}`),
  event: expected(next('event') + QUOTE),
  market: expected(QUOTE + next('market') + QUOTE),
  price: expected(QUOTE + next('price')),
  shares: expected(next('shares')),
  requested: expected(next('shares_requested')),
  filled: expected(next('shares_filled') + QUOTE),
  currency: expected(QUOTE + next('currency')),
  side: expected(next('side')),
  position: expected(next('position')),
  expiresAt: expected(next('expired_at')),
  status: expected(next('status')),
  created: expected(next('created') + QUOTE),
});
const MARKS = marksOf(QUOTE, textsOf);
const END_OF_ITEM = expected('}}');
const END = expected(']');
const MARK = expected(QUOTE);
const WORDS = orderWords(QUOTE);
const TIMES = new ScannedTimes(QUOTE);
const EXPIRIES = new ScannedTimes(QUOTE);
