import { eventId, marketId } from '../../domain/ids.js';
import { type BlockBuilder, LEVELS_MOST } from './block-builder.js';
import { LATEST_TIME, LONGEST_PAUSE } from './neutral.js';
import { ROW, takerWord } from './tape-block.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const HEAD = bytesOf('{"t":');
const BOOK = bytesOf(',"type":"book","event":');
const TRADE = bytesOf(',"type":"trade","event":');
const MARKET = bytesOf(',"market":');
const BID = bytesOf(',"bid":[');
const ASK = bytesOf('],"ask":[');
const BOOK_END = bytesOf(']}');
const PRICE = bytesOf(',"price":');
const SHARES = bytesOf(',"shares":');
const TAKER = bytesOf(',"taker_side":');
const TAKER_ENDS = [
  { bytes: bytesOf('"bid"}'), word: takerWord('bid') },
  { bytes: bytesOf('"ask"}'), word: takerWord('ask') },
  { bytes: bytesOf('null}'), word: takerWord(null) },
] as const;

const [ZERO, NINE, POINT, COMMA, OPEN, CLOSE] = [48, 57, 46, 44, 91, 93] as const;
const PRICE_PLACES = 4;
const SHARE_PLACES = 2;
const MOST_DIGITS = 15;
const PRICE_ONE = 10_000;
const NONE = -1;

/**
 * Reads book and trade lines from their bytes, several times as fast as `JSON.parse`: members in the usual order, no
 * spaces, plain decimals on their grid. Any other line is left to the JSON reader, which also says what is wrong with one.
 */
export class UsualLines {
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  /** Best price of the side that was read last. */
  private best = 0;

  constructor(private readonly builder: BlockBuilder) {}

  /**
   * @param number of the line, from 1
   * @param latest time of the line before, microseconds
   * @returns the line's time in microseconds; -1 when it is left to the JSON reader and nothing was written
   */
  read(bytes: Uint8Array, from: number, to: number, number: number, latest: number): number {
    this.bytes = bytes;
    this.at = from;
    if (!this.skip(HEAD)) return NONE;
    const time = this.integer() * 1_000;
    if (time < latest || time >= LATEST_TIME) return NONE;
    if (latest > 0 && time - latest > LONGEST_PAUSE) return NONE;
    const kind = this.kind();
    if (kind === NONE) return NONE;
    const event = this.integer();
    if (event < 0 || !this.skip(MARKET)) return NONE;
    const market = this.market(event, this.integer());
    if (market === NONE) return NONE;
    this.builder.begin();
    const isRead =
      kind === ROW.book ? this.book(time, market, number, to) : this.trade(time, market, number, to);
    if (!isRead) this.builder.abandon();
    return isRead ? time : NONE;
  }

  private kind(): number {
    if (this.skip(BOOK)) return ROW.book;
    return this.skip(TRADE) ? ROW.trade : NONE;
  }

  private market(event: number, id: number): number {
    if (id < 0) return NONE;
    return this.builder.place(eventId(event), marketId(id)) ?? NONE;
  }

  private book(at: number, market: number, line: number, to: number): boolean {
    if (!this.skip(BID)) return false;
    const bids = this.side(-1);
    if (bids < 0 || !this.skip(ASK)) return false;
    const bid = this.best;
    const asks = this.side(1);
    if (bids > 0 && asks > 0 && bid >= this.best) return false;
    if (asks < 0 || !this.skip(BOOK_END) || this.at !== to) return false;
    this.builder.end({ kind: ROW.book, at, market, bids, asks, word: 0, line });
    return true;
  }

  /** @param worse sign of the step from a level to the next @returns how many levels; -1 */
  private side(worse: 1 | -1): number {
    const { bytes, builder } = this;
    if (bytes[this.at] === CLOSE) return 0;
    let before = NONE;
    for (let count = 1; count <= LEVELS_MOST; count++) {
      if (bytes[this.at] !== OPEN) return NONE;
      this.at += 1;
      const price = this.decimal(PRICE_PLACES);
      if (price <= 0 || price >= PRICE_ONE || bytes[this.at] !== COMMA) return NONE;
      if (before !== NONE && (price - before) * worse <= 0) return NONE;
      if (before === NONE) this.best = price;
      before = price;
      this.at += 1;
      const shares = this.decimal(SHARE_PLACES);
      if (shares <= 0 || bytes[this.at] !== CLOSE) return NONE;
      builder.level(price, shares);
      this.at += 1;
      if (bytes[this.at] === CLOSE) return count;
      if (bytes[this.at] !== COMMA) return NONE;
      this.at += 1;
    }
    return NONE;
  }

  private trade(at: number, market: number, line: number, to: number): boolean {
    if (!this.skip(PRICE)) return false;
    const price = this.decimal(PRICE_PLACES);
    if (price <= 0 || price >= PRICE_ONE || !this.skip(SHARES)) return false;
    const shares = this.decimal(SHARE_PLACES);
    if (shares <= 0 || !this.skip(TAKER)) return false;
    for (const { bytes, word } of TAKER_ENDS) {
      if (!this.skip(bytes)) continue;
      if (this.at !== to) return false;
      this.builder.level(price, shares);
      this.builder.end({ kind: ROW.trade, at, market, bids: 0, asks: 0, word, line });
      return true;
    }
    return false;
  }

  /** Moves behind an expected text; stays where it is when another text is there. */
  private skip(expected: Uint8Array): boolean {
    const { bytes, at } = this;
    const { length } = expected;
    for (let index = 0; index < length; index++) {
      if (bytes[at + index] !== expected[index]) return false;
    }
    this.at = at + length;
    return true;
  }

  /** @returns a non-negative integer without leading zeros; -1 */
  private integer(): number {
    const { bytes } = this;
    const start = this.at;
    let at = start;
    let value = 0;
    for (let byte = bytes[at]!; byte >= ZERO && byte <= NINE; byte = bytes[at]!) {
      value = value * 10 + (byte - ZERO);
      at += 1;
    }
    this.at = at;
    const digits = at - start;
    return digits === 0 || digits > MOST_DIGITS || (digits > 1 && bytes[start] === ZERO) ? NONE : value;
  }

  /** @returns a decimal with at most so many places, times ten to their power; -1 */
  private decimal(places: number): number {
    let value = this.integer();
    if (value < 0 || value >= 1e9) return NONE;
    let missing = places;
    if (this.bytes[this.at] === POINT) {
      const start = this.at + 1;
      let at = start;
      for (let byte = this.bytes[at]!; byte >= ZERO && byte <= NINE; byte = this.bytes[at]!) {
        value = value * 10 + (byte - ZERO);
        at += 1;
      }
      this.at = at;
      missing = places - (at - start);
      if (missing < 0 || missing === places) return NONE;
    }
    for (; missing > 0; missing--) value *= 10;
    return value;
  }
}
