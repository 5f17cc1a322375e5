/**
 * Books straight from the text of their frame, since they come by the thousand: what `JSON.parse` makes of the envelope,
 * and of the payload in it, is looked at once and thrown away. Only the usual spelling is read so; whatever else there
 * is to say about a frame, `frameInput` says it.
 */
import { dayOfDate } from '../../domain/days.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { BookUpdate } from '../../domain/inputs.js';
import type { Levels } from '../../domain/levels.js';
import { type Micros, PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import type { CurrencyMode, Side } from '../../domain/vocabulary.js';
import { PRICE_PLACES, SHARE_PLACES } from '../decimals.js';
import { instantOf, LAST_INSTANT, secondsOfDay } from '../timestamps.js';
import { expected, TextScan } from './text-scan.js';

/** The event whose frames are read here. */
export const BOOK_EVENT = 'order-book-update';

/** A frame that was read, and the channel it came on. */
export interface BookFrame {
  readonly channel: string;
  readonly input: BookUpdate;
}

/**
 * Reads a frame of {@link BOOK_EVENT} (specification 6.3).
 * @param frame text of a whole frame, its payload a text within
 * @returns null for every other frame, and for one in which anything is spelled or ordered otherwise than usual
 */
export function readBookFrame(frame: string): BookFrame | null {
  if (frame.charCodeAt(TELLING) !== HEAD.charCodeAt(TELLING)) return null;
  const scan = new TextScan(frame);
  scan.pass(FRAME.head);
  const read = scan.tries(FRAME.channel) ? channelFirst(scan) : payloadFirst(scan);
  return scan.isThrough ? read : null;
}

function channelFirst(scan: TextScan): BookFrame {
  const channel = scan.word();
  const input = payloadOf(scan.pass(FRAME.payloadNext));
  scan.pass(FRAME.end);
  return { channel, input };
}

function payloadFirst(scan: TextScan): BookFrame {
  const input = payloadOf(scan.pass(FRAME.payload));
  const channel = scan.pass(FRAME.channelNext).word();
  scan.pass(FRAME.end);
  return { channel, input };
}

function payloadOf(scan: TextScan): BookUpdate {
  const marks = scan.tries(SPACED.marketId) ? SPACED : COMPACT;
  if (marks === COMPACT) scan.pass(COMPACT.marketId);
  const marketId = scan.whole() as MarketId;
  const eventId = scan.pass(marks.eventId).whole() as EventId;
  scan.pass(marks.currency).passWord();
  const mode = modeOf(scan.pass(marks.mode));
  const topN = scan.pass(marks.topN).whole();
  const asks = levelsOf(scan.pass(marks.asks), 'ask', marks);
  const bids = levelsOf(scan.pass(marks.bids), 'bid', marks);
  const venueTime = timeOf(scan.pass(marks.time));
  scan.pass(END_OF_TEXT);
  return { kind: 'book-update', eventId, marketId, mode, topN, bids, asks, venueTime };
}

function modeOf(scan: TextScan): CurrencyMode {
  if (scan.tries(PLAY_MONEY)) return 'play_money';
  scan.pass(REAL_MONEY);
  return 'real_money';
}

/** In the one spelling that realtime events use. */
function timeOf(scan: TextScan): Micros {
  const start = scan.tries(MINUTE) ? minuteStart : minuteOf(scan);
  const second = scan.digits(2);
  const millisecond = scan.pass(TIME.point).digits(3);
  scan.pass(TIME.zone);
  if (second > 59) scan.lose();
  return Math.min(start + 1_000 * (1_000 * second + millisecond), LAST_INSTANT) as Micros;
}

/** Most frames are of the same minute as the one before. */
function minuteOf(scan: TextScan): Micros {
  const year = scan.digits(4);
  const month = scan.pass(TIME.dash).digits(2);
  const days = dayOfDate(year, month, scan.pass(TIME.dash).digits(2));
  const hour = scan.pass(TIME.hour).digits(2);
  const seconds = secondsOfDay(hour, scan.pass(TIME.colon).digits(2), 0);
  scan.pass(TIME.colon);
  const start = instantOf(days, seconds, 0);
  if (start === null) scan.lose();
  if (!scan.isLost) {
    scan.learn(MINUTE);
    minuteStart = start!;
  }
  return start ?? (0 as Micros);
}

/** Best first, each price once; a level without shares is left out, as everywhere. */
function levelsOf(scan: TextScan, side: Side, marks: Marks): Levels {
  const prices: PriceUnits[] = [];
  const shares: Shares[] = [];
  if (scan.tries(NO_LEVELS)) return { prices, shares };
  let last = side === 'bid' ? PRICE_ONE : (0 as PriceUnits);
  scan.pass(marks.firstPrice);
  do {
    const price = scan.decimal(PRICE_PLACES) as PriceUnits;
    const amount = scan.pass(marks.shares).decimal(SHARE_PLACES) as Shares;
    scan.pass(marks.amount).passNumber();
    if (!isBehind(side, last, price)) scan.lose();
    last = price;
    if (amount === 0) continue;
    prices.push(price);
    shares.push(amount);
  } while (scan.tries(marks.nextPrice));
  scan.pass(END_OF_LEVELS);
  return { prices, shares };
}

/** Both ends of the scale are no prices. */
const isBehind = (side: Side, last: PriceUnits, price: PriceUnits): boolean =>
  side === 'bid' ? price < last && price > 0 : price > last && price < PRICE_ONE;

const HEAD = `{"event":"${BOOK_EVENT}",`;
/** Place of a letter by which other frames are told from books before they are copied; the scan looks at the whole head. */
const TELLING = HEAD.indexOf('book');
const FRAME = {
  head: expected(HEAD),
  channel: expected('"channel":"'),
  channelNext: expected('","channel":"'),
  payload: expected('"data":"'),
  payloadNext: expected('","data":"'),
  end: expected('"}'),
};

/** Everything between the values of a payload, in one spelling. */
type Marks = ReturnType<typeof marksOf>;

function marksOf(space: '' | ' ') {
  const first = (name: string): string => `{${quoted(name)}:${space}`;
  const next = (name: string): string => `,${space}${quoted(name)}:${space}`;
  return {
    marketId: expected(first('market_id')),
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
  };
}

/** A quote within the payload, which is a text itself. */
const QUOTE = '\\"';
const quoted = (word: string): string => QUOTE + word + QUOTE;

/** As `JSON.stringify` writes, and as Python does. */
const COMPACT = marksOf('');
const SPACED = marksOf(' ');
const PLAY_MONEY = expected(quoted('play_money'));
const REAL_MONEY = expected(quoted('real_money'));
const NO_LEVELS = expected('[]');
const END_OF_LEVELS = expected('}]');
const TIME = {
  dash: expected('-'),
  hour: expected('T'),
  colon: expected(':'),
  point: expected('.'),
  zone: expected('Z'),
};
/** The minute that was read last, as text and as time. */
const MINUTE = expected('1970-01-01T00:00:');
let minuteStart = 0 as Micros;
const END_OF_TEXT = expected(`${QUOTE}}`);
