/**
 * Folds the websocket frames of Kalshi's trade API.
 *
 * Both sides of a book are bids: a no bid at `q` is an offer of yes at `1 - q`, unless the subscription asked for prices of
 * yes. Three generations of frames exist: whole cents, cents beside dollars, and fixed-point text alone.
 */
import type { EventFile, MarketLines } from './event-file.js';
import type { Settlement } from './import-options.js';
import { type FineLevel, FINE_ONE, Ladder } from './ladder.js';
import { settlementOf } from './market-records.js';
import { timeOf } from './frames.js';
import type { Session, VenueFold } from './session.js';

type Generation = 'cents' | 'cents and dollars' | 'fixed point';
type Pair = readonly [price: number | string, size: number | string];

interface Message {
  readonly market_ticker?: string;
  readonly yes?: readonly Pair[];
  readonly no?: readonly Pair[];
  readonly yes_dollars?: readonly Pair[];
  readonly no_dollars?: readonly Pair[];
  readonly yes_dollars_fp?: readonly Pair[];
  readonly no_dollars_fp?: readonly Pair[];
  readonly price?: number;
  readonly price_dollars?: string;
  readonly delta?: number;
  readonly delta_fp?: string;
  readonly side?: 'yes' | 'no';
  readonly ts?: number | string;
  readonly ts_ms?: number;
  readonly yes_price?: number;
  readonly yes_price_dollars?: string;
  readonly count?: number;
  readonly count_fp?: string;
  readonly taker_side?: 'yes' | 'no';
  readonly is_block_trade?: boolean;
  readonly event_type?: string;
  readonly event_ticker?: string;
  readonly result?: string;
  readonly settlement_value?: number | string | null;
  readonly determination_ts?: number;
  readonly settled_ts?: number;
  readonly close_ts?: number;
  readonly additional_metadata?: {
    readonly event_ticker?: string;
    readonly title?: string;
    readonly name?: string;
  };
}

interface Frame {
  readonly type?: string;
  readonly sid?: number;
  readonly seq?: number;
  readonly msg?: Message;
}

/** A snapshot states no time: it waits for the next frame of its market, and counts as not later than that. */
interface WaitingSnapshot {
  readonly yes: readonly (readonly [number, number])[];
  readonly no: readonly (readonly [number, number])[];
  readonly received: number | null;
  readonly file: string;
  readonly line: number;
}

class Market {
  readonly yes = new Ladder(-1);
  readonly no = new Ladder(-1);
  readonly generations: { book: Generation | null; trade: Generation | null } = { book: null, trade: null };
  hasBook = false;
  /** Frames were lost; the book is unknown until the next snapshot. */
  isLost = false;
  waiting: WaitingSnapshot | null = null;
  closeAt: number | null = null;
  settled: { readonly settlement: Settlement; readonly at: number | null } | null = null;
  isOver = false;
  lines!: MarketLines;

  constructor(
    readonly ticker: string,
    readonly file: EventFile,
    private readonly noIsYes: boolean,
  ) {}

  *levels(side: 'bid' | 'ask'): Generator<FineLevel> {
    const { keys, sizes } = side === 'bid' ? this.yes : this.no;
    if (side === 'ask' && this.noIsYes) {
      for (let at = keys.length - 1; at >= 0; at--) yield [keys[at]!, sizes[at]!];
      return;
    }
    for (let at = 0; at < keys.length; at++)
      yield [side === 'bid' ? keys[at]! : FINE_ONE - keys[at]!, sizes[at]!];
  }
}

export class KalshiFold implements VenueFold {
  private readonly markets = new Map<string, Market>();
  private readonly left = new Set<string>();
  private readonly sequences = new Map<number, number>();

  constructor(private readonly session: Session) {}

  take(frame: unknown, received: number | null): void {
    const { type, msg, sid, seq } = frame as Frame;
    const ticker = msg?.market_ticker;
    if (ticker === undefined || !KINDS.has(type ?? '')) return this.session.unknownFrame(String(type));
    const market = this.market(ticker, msg!);
    if (market === null) return;
    if (type === 'market_lifecycle_v2' || type === 'market_lifecycle')
      return this.lifecycle(market, msg!, received);
    if (type !== 'trade') this.follow(market, sid, seq, received);
    if (type === 'orderbook_snapshot') return this.snapshot(market, msg!, received);
    const at = timeOf(msg!.ts_ms ?? msg!.ts ?? null) ?? received;
    if (at === null) this.session.refuse('the frame has no time, and its recorder stated none');
    if (type === 'trade') this.trade(market, msg!, at);
    else this.delta(market, msg!, at);
  }

  end(): void {
    for (const market of this.markets.values()) {
      this.settleSnapshot(market, Infinity);
      this.passClose(market, Infinity);
      this.resolve(market);
    }
  }

  /** Generations of frames that were met, for `recording inspect`. */
  get generations(): readonly string[] {
    const all = [...this.markets.values()].flatMap(({ generations: { book, trade } }) =>
      [book ?? [], trade ?? []].flat(),
    );
    return [...new Set(all)];
  }

  private market(ticker: string, msg: Message): Market | null {
    const known = this.markets.get(ticker);
    if (known !== undefined) return known;
    const { session } = this;
    if (this.left.has(ticker)) return null;
    const record = session.records.of(ticker);
    const metadata = msg.additional_metadata;
    const venueEvent =
      record?.event ?? msg.event_ticker ?? metadata?.event_ticker ?? ticker.replace(/-[^-]*$/, '');
    if (!session.wants(ticker, venueEvent)) {
      this.left.add(ticker);
      return null;
    }
    const file = session.event(ticker, () => ({ venue: 'kalshi', venueEvent, grid: null }));
    const market = new Market(ticker, file, session.options.noPrices === 'yes');
    const title = record?.title ?? metadata?.title ?? metadata?.name;
    market.lines = file.market(
      {
        venueId: ticker,
        ...(title !== undefined && { title }),
        ...(typeof record?.closeAt === 'number' && { closeAt: record.closeAt }),
        ...(record?.exclusive !== undefined && { exclusive: record.exclusive }),
      },
      market,
    );
    market.closeAt = record?.closeAt ?? null;
    const settlement = session.records.settlementOf(ticker);
    if (settlement !== undefined) market.settled = { settlement, at: record?.settledAt ?? null };
    this.markets.set(ticker, market);
    return market;
  }

  /** A dump of one market out of a subscription to many has jumps everywhere, so they say nothing unless asked for. */
  private follow(
    market: Market,
    sid: number | undefined,
    seq: number | undefined,
    received: number | null,
  ): void {
    if (sid === undefined || seq === undefined) return;
    const last = this.sequences.get(sid);
    this.sequences.set(sid, seq);
    if (last === undefined || seq === last + 1 || seq <= last) return;
    this.session.count('sequenceGaps');
    if (this.session.options.gaps === 'ignore') return;
    this.settleSnapshot(market, received ?? Infinity);
    if (market.isLost || !market.hasBook) return;
    market.isLost = true;
    if (received !== null) market.file.moment(received);
    market.file.say(market.lines, 'closed');
  }

  private snapshot(market: Market, msg: Message, received: number | null): void {
    const { session } = this;
    this.settleSnapshot(market, received ?? Infinity);
    const generation = snapshotGeneration(msg);
    if (generation !== null) this.expect(market, 'book', generation);
    const yes = pairsOf(msg.yes_dollars_fp ?? msg.yes_dollars, msg.yes);
    const no = pairsOf(msg.no_dollars_fp ?? msg.no_dollars, msg.no);
    for (const [price, size] of [...yes, ...no]) this.check(price, size);
    market.waiting = { yes, no, received, file: session.file, line: session.line };
  }

  /** @param next time of the frame behind the snapshot */
  private settleSnapshot(market: Market, next: number): void {
    const { waiting, file, lines } = market;
    if (waiting === null) return;
    market.waiting = null;
    const at = Math.min(waiting.received ?? next, next);
    if (at === Infinity) return;
    if (this.isAfterClose(market, at)) return;
    file.moment(at);
    if (market.hasBook) {
      const [yes, no] = [new Ladder(-1), new Ladder(-1)];
      yes.replace(waiting.yes);
      no.replace(waiting.no);
      this.session.count(yes.equals(market.yes) && no.equals(market.no) ? 'images' : 'jumps');
    }
    market.yes.replace(waiting.yes);
    market.no.replace(waiting.no);
    market.hasBook = true;
    market.isLost = false;
    if (!market.isOver) file.say(lines, 'open');
    file.change(lines, waiting);
  }

  private delta(market: Market, msg: Message, at: number): void {
    const { session } = this;
    this.settleSnapshot(market, at);
    this.expect(market, 'book', pairGeneration(msg.price, msg.price_dollars));
    if (!market.hasBook) session.refuse(`a change of ${market.ticker} comes before any snapshot`);
    if (market.isLost) return session.count('waitingChanges');
    if (this.isAfterClose(market, at)) return;
    market.file.moment(at);
    const price = fine(msg.price_dollars, msg.price);
    const ladder = msg.side === 'yes' ? market.yes : market.no;
    const size = ladder.get(price) + hundredths(msg.delta_fp ?? msg.delta);
    this.check(price, size);
    ladder.set(price, size);
    market.file.change(market.lines);
  }

  private trade(market: Market, msg: Message, at: number): void {
    this.settleSnapshot(market, at);
    this.expect(market, 'trade', pairGeneration(msg.yes_price, msg.yes_price_dollars));
    if (msg.is_block_trade === true && !this.session.options.offBook)
      return this.session.count('offBookTrades');
    if (this.isAfterClose(market, at)) return;
    market.file.moment(at);
    const price = fine(msg.yes_price_dollars, msg.yes_price);
    const taker = msg.taker_side === 'yes' ? 'bid' : msg.taker_side === 'no' ? 'ask' : null;
    const shares = hundredths(msg.count_fp ?? msg.count);
    if (!(price > 0 && price < FINE_ONE && shares > 0))
      this.session.refuse('expected a trade with price and count');
    market.file.trade(market.lines, price, shares, taker);
  }

  private lifecycle(market: Market, msg: Message, received: number | null): void {
    const at = received ?? timeOf(msg.settled_ts ?? msg.determination_ts ?? null);
    const { event_type: kind, close_ts: close, result } = msg;
    if (close !== undefined) market.closeAt = timeOf(close);
    if (market.closeAt !== null) market.lines.about.closeAt = market.closeAt;
    if (result !== undefined && result !== '') {
      const settlement = settlementOf(result, msg.settlement_value ?? undefined);
      if (settlement === null)
        this.session.refuse(`result: expected yes, no, void or a value, found ${result}`);
      market.settled = { settlement, at: timeOf(msg.determination_ts ?? null) ?? at };
    }
    if (at === null || (kind !== 'deactivated' && kind !== 'activated') || this.isAfterClose(market, at))
      return;
    market.file.moment(at);
    market.file.say(market.lines, kind === 'activated' ? 'open' : 'closed');
  }

  /** Counts a change after the close as left out. */
  private isAfterClose(market: Market, at: number): boolean {
    this.passClose(market, at);
    if (!market.isOver) return false;
    this.session.count('afterClose');
    return true;
  }

  private passClose(market: Market, at: number): void {
    const { closeAt, isOver, file } = market;
    if (isOver || closeAt === null || at < closeAt || file.latest === null) return;
    market.isOver = true;
    file.moment(Math.max(closeAt, file.latest));
    file.say(market.lines, 'closed');
  }

  private resolve(market: Market): void {
    const { settled, file, lines } = market;
    if (settled === null || file.latest === null) return;
    file.moment(Math.max(settled.at ?? file.latest, file.latest));
    lines.settlement = settled.settlement;
    file.say(lines, 'resolved');
  }

  private expect(market: Market, of: 'book' | 'trade', found: Generation): void {
    const known = (market.generations[of] ??= found);
    if (known !== found)
      this.session.refuse(
        `${market.ticker}: a frame in ${found} after frames in ${known}; expected one generation of frames, so import the recordings by themselves`,
      );
  }

  private check(price: number, size: number): void {
    if (!(price > 0 && price < FINE_ONE))
      this.session.refuse(`expected a price between 0 and 1, found ${price / FINE_ONE}`);
    if (!(size >= 0))
      this.session.refuse(
        `a level of negative size: ${size / 100} at ${price / FINE_ONE}; changes before it are missing`,
      );
  }
}

const KINDS: ReadonlySet<string> = new Set([
  'orderbook_snapshot',
  'orderbook_delta',
  'trade',
  'market_lifecycle',
  'market_lifecycle_v2',
]);

const snapshotGeneration = (msg: Message): Generation | null => {
  const cents = msg.yes ?? msg.no;
  const dollars = msg.yes_dollars_fp ?? msg.no_dollars_fp ?? msg.yes_dollars ?? msg.no_dollars;
  return cents === undefined && dollars === undefined ? null : pairGeneration(cents, dollars);
};

const pairGeneration = (cents: unknown, dollars: unknown): Generation =>
  cents === undefined ? 'fixed point' : dollars === undefined ? 'cents' : 'cents and dollars';

/** A missing side is an empty one. */
const pairsOf = (dollars: readonly Pair[] | null | undefined, cents: readonly Pair[] | null | undefined) =>
  dollars === undefined || dollars === null
    ? (cents ?? []).map(([price, size]) => [fine(undefined, price), hundredths(size)] as const)
    : dollars.map(([price, size]) => [fine(price, undefined), hundredths(size)] as const);

/** A price in 0.00001 from dollars, or from cents where there are none. */
const fine = (dollars: number | string | undefined, cents: number | string | undefined): number =>
  dollars === undefined ? Math.round(Number(cents) * 1_000) : Math.round(Number(dollars) * FINE_ONE);

const hundredths = (size: number | string | undefined): number => Math.round(Number(size) * 100);
