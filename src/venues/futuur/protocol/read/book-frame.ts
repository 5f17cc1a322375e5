/** Books straight from the text of their frame. */
import { eventId as namedEvent, marketId as namedMarket } from '../../../../domain/ids.js';
import type { BookUpdate } from '../../../../domain/inputs.js';
import type { Levels } from '../../../../domain/levels.js';
import { PRICE_ONE, type PriceUnits, type Shares } from '../../../../domain/units.js';
import { CURRENCY_MODES, type Side } from '../../../../domain/vocabulary.js';
import { PRICE_PLACES, SHARE_PLACES } from '../decimals.js';
import { afterPayload, beforePayload, headOf, openFrame, type ScannedFrame } from './frame-scan.js';
import { marksOf, passFirst, QUOTES, quotedWords, type Spelling } from './json-marks.js';
import { ScannedTimes } from './scanned-times.js';
import { expected, type TextScan } from './text-scan.js';

/** The payload is a text within. */
const QUOTE = QUOTES.nested;
const HEAD = headOf('order-book-update');

/**
 * Reads a frame of `order-book-update` (specification 6.3).
 * @param frame text of a whole frame, its payload a text within
 * @returns null for every other frame, and for one in which anything is spelled or ordered otherwise than usual
 */
export function readBookFrame(frame: string): ScannedFrame<BookUpdate> | null {
  const scan = openFrame(frame, HEAD);
  if (scan === null) return null;
  const before = beforePayload(scan);
  const input = payloadOf(scan);
  const channel = afterPayload(scan, before);
  return scan.isThrough ? { event: HEAD.event, channel, input } : null;
}

function payloadOf(scan: TextScan): BookUpdate {
  const texts = passFirst(scan, MARKS);
  const marketId = namedMarket(scan.whole());
  const eventId = namedEvent(scan.pass(texts.eventId).whole());
  scan.pass(texts.currency).passWord();
  const mode = scan.pass(texts.mode).chosen(MODES);
  const topN = scan.pass(texts.topN).whole();
  const asks = levelsOf(scan.pass(texts.asks), 'ask', texts);
  const bids = levelsOf(scan.pass(texts.bids), 'bid', texts);
  const venueTime = TIMES.read(scan.pass(texts.time));
  return { kind: 'book-update', eventId, marketId, mode, topN, bids, asks, venueTime };
}

/** Best first, each price once; a level without shares is left out, as everywhere. */
function levelsOf(scan: TextScan, side: Side, texts: Texts): Levels {
  const prices: PriceUnits[] = [];
  const shares: Shares[] = [];
  if (scan.tries(NO_LEVELS)) return { prices, shares };
  let last = side === 'bid' ? PRICE_ONE : (0 as PriceUnits);
  scan.pass(texts.firstPrice);
  do {
    const price = scan.decimal(PRICE_PLACES) as PriceUnits;
    const amount = scan.pass(texts.shares).decimal(SHARE_PLACES) as Shares;
    scan.pass(texts.amount).passNumber();
    if (!isBehind(side, last, price)) scan.lose();
    last = price;
    if (amount === 0) continue;
    prices.push(price);
    shares.push(amount);
  } while (scan.tries(texts.nextPrice));
  scan.pass(END_OF_LEVELS);
  return { prices, shares };
}

/** Both ends of the scale are no prices. */
const isBehind = (side: Side, last: PriceUnits, price: PriceUnits): boolean =>
  side === 'bid' ? price < last && price > 0 : price > last && price < PRICE_ONE;

type Texts = ReturnType<typeof textsOf>;

const textsOf = ({ space, first, next }: Spelling) => ({
  first: expected(first('market_id')),
  eventId: expected(next('event_id')),
  currency: expected(next('currency') + QUOTE),
  mode: expected(QUOTE + next('currency_mode')),
  topN: expected(next('top_n')),
  asks: expected(next('ask')),
  bids: expected(next('bid')),
  time: expected(next('timestamp') + QUOTE),
  firstPrice: expected(`[${first('price')}`),
  nextPrice: expected(`},${space}${first('price')}`),
  shares: expected(next('total_shares')),
  amount: expected(next('total_amount')),
});

const MARKS = marksOf(QUOTE, textsOf);
const MODES = quotedWords(QUOTE, CURRENCY_MODES);
const NO_LEVELS = expected('[]');
const END_OF_LEVELS = expected('}]');
const TIMES = new ScannedTimes(QUOTE);
