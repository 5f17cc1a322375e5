/**
 * Books straight from the text of their frame, since they come by the thousand: what `JSON.parse` makes of the envelope,
 * and of the payload in it, is looked at once and thrown away. Only the usual spelling is read so; whatever else there
 * is to say about a frame, `frameInput` says it.
 */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { BookUpdate } from '../../domain/inputs.js';
import type { Levels } from '../../domain/levels.js';
import { type Micros, PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import type { CurrencyMode, Side } from '../../domain/vocabulary.js';
import { PRICE_PLACES, SHARE_PLACES } from '../decimals.js';
import { PLAIN_TIME_LENGTH, plainTime } from '../timestamps.js';
import { type Expected, expected, TextScan } from './text-scan.js';

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
  if (!frame.startsWith(HEAD)) return null;
  const scan = new TextScan(frame);
  scan.pass(FRAME.head);
  const read = scan.sees(FRAME.channel) ? channelFirst(scan) : payloadFirst(scan);
  return scan.isThrough ? read : null;
}

function channelFirst(scan: TextScan): BookFrame {
  const channel = channelOf(scan);
  scan.pass(FRAME.payloadNext);
  const input = payloadOf(scan);
  scan.pass(FRAME.end);
  return { channel, input };
}

function payloadFirst(scan: TextScan): BookFrame {
  scan.pass(FRAME.payload);
  const input = payloadOf(scan);
  scan.pass(FRAME.channelNext);
  const channel = channelOf(scan);
  scan.pass(FRAME.end);
  return { channel, input };
}

function channelOf(scan: TextScan): string {
  scan.pass(FRAME.channel);
  return scan.word();
}

function payloadOf(scan: TextScan): BookUpdate {
  const marketId = at(scan, BOOK.marketId).whole() as MarketId;
  const eventId = next(scan, BOOK.eventId).whole() as EventId;
  passCurrency(next(scan, BOOK.currency));
  const mode = modeOf(next(scan, BOOK.mode));
  const topN = next(scan, BOOK.topN).whole();
  const asks = levelsOf(next(scan, BOOK.asks), 'ask');
  const bids = levelsOf(next(scan, BOOK.bids), 'bid');
  const venueTime = timeOf(next(scan, BOOK.time));
  scan.pass(BOOK.end);
  return { kind: 'book-update', eventId, marketId, mode, topN, bids, asks, venueTime };
}

function passCurrency(scan: TextScan): void {
  scan.pass(QUOTE);
  scan.word();
  scan.pass(QUOTE);
}

function modeOf(scan: TextScan): CurrencyMode {
  const isPlay = scan.sees(PLAY_MONEY);
  scan.pass(isPlay ? PLAY_MONEY : REAL_MONEY);
  return isPlay ? 'play_money' : 'real_money';
}

function timeOf(scan: TextScan): Micros {
  scan.pass(QUOTE);
  const time = plainTime(scan.slice(PLAIN_TIME_LENGTH));
  scan.pass(QUOTE);
  if (time === null) scan.lose();
  return time ?? (0 as Micros);
}

/** Best first, each price once; a level without shares is left out, as everywhere. */
function levelsOf(scan: TextScan, side: Side): Levels {
  const prices: PriceUnits[] = [];
  const shares: Shares[] = [];
  let last = side === 'bid' ? PRICE_ONE : (0 as PriceUnits);
  scan.pass(LEVELS.open);
  for (let index = 0; !scan.isLost && !scan.sees(LEVELS.close); index++) {
    if (index > 0) passComma(scan);
    const price = at(scan, LEVELS.price).decimal(PRICE_PLACES) as PriceUnits;
    const amount = next(scan, LEVELS.shares).decimal(SHARE_PLACES) as Shares;
    next(scan, LEVELS.amount).passNumber();
    scan.pass(LEVELS.end);
    if (!isBehind(side, last, price)) scan.lose();
    last = price;
    if (amount === 0) continue;
    prices.push(price);
    shares.push(amount);
  }
  scan.pass(LEVELS.close);
  return { prices, shares };
}

/** Both ends of the scale are no prices. */
const isBehind = (side: Side, last: PriceUnits, price: PriceUnits): boolean =>
  side === 'bid' ? price < last && price > 0 : price > last && price < PRICE_ONE;

/** Some write a space behind a comma and a colon. */
function next(scan: TextScan, member: Expected): TextScan {
  passComma(scan);
  return at(scan, member);
}

function at(scan: TextScan, member: Expected): TextScan {
  scan.pass(member);
  scan.passSpace();
  return scan;
}

function passComma(scan: TextScan): void {
  scan.pass(COMMA);
  scan.passSpace();
}

const HEAD = `{"event":"${BOOK_EVENT}",`;
const FRAME = {
  head: expected(HEAD),
  channel: expected('"channel":"'),
  channelNext: expected('",'),
  payload: expected('"data":"'),
  payloadNext: expected('","data":"'),
  end: expected('"}'),
};

/** Quotes within the payload, which is a text itself. */
const quoted = (word: string): string => `\\"${word}\\"`;
const member = (name: string): Expected => expected(`${quoted(name)}:`);

const BOOK = {
  marketId: expected(`{${quoted('market_id')}:`),
  eventId: member('event_id'),
  currency: member('currency'),
  mode: member('currency_mode'),
  topN: member('top_n'),
  asks: member('ask'),
  bids: member('bid'),
  time: member('timestamp'),
  end: expected('}'),
};
const LEVELS = {
  open: expected('['),
  price: expected(`{${quoted('price')}:`),
  shares: member('total_shares'),
  amount: member('total_amount'),
  end: expected('}'),
  close: expected(']'),
};
const COMMA = expected(',');
const QUOTE = expected('\\"');
const PLAY_MONEY = expected(quoted('play_money'));
const REAL_MONEY = expected(quoted('real_money'));
