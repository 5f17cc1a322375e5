/**
 * Folds the market channel of Polymarket's order book.
 *
 * A market (condition) has two tokens whose books mirror each other, and recent frames state each change for both. So one
 * token is folded, the long one: the one that `--token` names, else the first that has a book. Sizes are absolute.
 */
import type { EventFile, MarketLines } from './event-file.js';
import { timeOf } from './frames.js';
import { type FineLevel, FINE_ONE, Ladder } from './ladder.js';
import type { Session, VenueFold } from './session.js';

type Generation = 'single changes' | 'changes of one token' | 'changes of both tokens';

interface Level {
  readonly price: string | number;
  readonly size: string | number;
}

interface Change extends Level {
  readonly asset_id?: string;
  readonly side?: string;
  readonly best_bid?: string;
  readonly best_ask?: string;
}

interface Frame extends Partial<Change> {
  readonly event_type?: string;
  readonly market?: string;
  readonly timestamp?: string | number;
  readonly bids?: readonly Level[];
  readonly asks?: readonly Level[];
  readonly buys?: readonly Level[];
  readonly sells?: readonly Level[];
  readonly changes?: readonly Change[];
  readonly price_changes?: readonly Change[];
  readonly new_tick_size?: string;
  readonly assets_ids?: readonly string[];
  readonly winning_asset_id?: string;
  readonly question?: string;
}

class Market {
  readonly bids = new Ladder(-1);
  readonly asks = new Ladder(1);
  /** The folded token, which is the long one unless `isMirrored`. */
  token: string | null = null;
  isMirrored = false;
  generation: Generation | null = null;
  hasBook = false;
  /** After a change of the grid the book is unknown until the next full one. */
  isWaiting = false;
  isOver = false;
  lines!: MarketLines;

  constructor(
    readonly id: string,
    readonly file: EventFile,
  ) {}

  *levels(side: 'bid' | 'ask'): Generator<FineLevel> {
    const { keys, sizes } = (side === 'bid') === this.isMirrored ? this.asks : this.bids;
    for (let at = 0; at < keys.length; at++)
      yield [this.isMirrored ? FINE_ONE - keys[at]! : keys[at]!, sizes[at]!];
  }
}

export class PolymarketFold implements VenueFold {
  private readonly markets = new Map<string, Market>();
  private readonly left = new Set<string>();

  constructor(private readonly session: Session) {}

  take(value: unknown, received: number | null): void {
    const frame = value as Frame;
    const kind =
      frame.event_type ?? (frame.bids !== undefined && frame.asks !== undefined ? 'book' : 'unknown');
    if (!KINDS.has(kind)) return this.session.unknownFrame(kind);
    const market = this.market(frame, kind);
    if (market === null) return;
    const at = timeOf(frame.timestamp ?? null) ?? received;
    if (at === null) this.session.refuse('the frame has no timestamp, and its recorder stated no time');
    if (market.isOver) return this.session.count('afterClose');
    if (kind === 'book') this.book(market, frame, at);
    else if (kind === 'price_change') this.changes(market, frame, at);
    else if (kind === 'last_trade_price') this.trade(market, frame, at);
    else if (kind === 'tick_size_change') this.tick(market, frame, at);
    else this.resolve(market, frame, at);
  }

  end(): void {
    for (const { id, file, lines, isOver, isMirrored, token } of this.markets.values()) {
      if (isMirrored)
        this.session.notes.add(
          `market ${id}: there is no book of a token that --token names, so token ${token} counts as the short side`,
        );
      const { records } = this.session;
      const settlement = records.settlementOf(id);
      if (isOver || settlement === undefined || file.latest === null) continue;
      file.moment(Math.max(records.of(id)?.settledAt ?? file.latest, file.latest));
      lines.settlement = settlement;
      file.say(lines, 'resolved');
    }
  }

  get generations(): readonly string[] {
    return [...new Set([...this.markets.values()].flatMap(({ generation }) => generation ?? []))];
  }

  private market(frame: Frame, kind: string): Market | null {
    const { session } = this;
    const id = frame.market ?? frame.asset_id;
    if (id === undefined) return session.refuse(`a frame of kind ${kind} names no market`);
    const known = this.markets.get(id);
    if (known !== undefined) return known;
    if (this.left.has(id)) return null;
    const record = session.records.of(id);
    if (!session.wants(id, record?.event ?? null)) {
      this.left.add(id);
      return null;
    }
    const event = record?.event ?? null;
    const file = session.event(id, () => ({ venue: 'polymarket', venueEvent: event, grid: null }));
    const market = new Market(id, file);
    const title = record?.title ?? frame.question;
    market.lines = file.market(
      {
        venueId: id,
        ...(title !== undefined && { title }),
        ...(record?.closeAt !== undefined && { closeAt: record.closeAt }),
      },
      market,
    );
    this.markets.set(id, market);
    return market;
  }

  /** Decides which token is folded, at the first book. @returns whether this token is */
  private isFolded(market: Market, token: string | undefined): boolean {
    if (token === undefined || market.token !== null) return token === market.token;
    const { tokens } = this.session.options;
    market.token = token;
    if (tokens.length > 0) market.isMirrored = !tokens.includes(token);
    else
      this.session.notes.add(
        `market ${market.id}: token ${token} counts as the long side; --token names another`,
      );
    return true;
  }

  private book(market: Market, frame: Frame, at: number): void {
    const { session } = this;
    const token = frame.asset_id;
    // A book of the stated token comes in place of one of the other.
    if (market.isMirrored && token !== undefined && session.options.tokens.includes(token)) {
      market.token = token;
      market.isMirrored = false;
      market.hasBook = false;
    }
    if (!this.isFolded(market, token)) return;
    const bids = this.sideOf(frame.bids ?? frame.buys, -1);
    const asks = this.sideOf(frame.asks ?? frame.sells, 1);
    market.file.moment(at);
    if (market.hasBook) {
      const isSame = bids.equals(market.bids) && asks.equals(market.asks);
      if (!market.isWaiting) session.count(isSame ? 'images' : 'jumps');
    }
    market.bids.replace(bids.keys.map((key, place) => [key, bids.sizes[place]!]));
    market.asks.replace(asks.keys.map((key, place) => [key, asks.sizes[place]!]));
    market.hasBook = true;
    market.isWaiting = false;
    market.file.say(market.lines, 'open');
    market.file.change(market.lines);
  }

  /** Levels come in any order. */
  private sideOf(levels: readonly Level[] | undefined, sign: 1 | -1): Ladder {
    const ladder = new Ladder(sign);
    for (const { price, size } of levels ?? []) {
      this.check(price, size);
      ladder.set(fine(price), hundredths(size));
    }
    return ladder;
  }

  private changes(market: Market, frame: Frame, at: number): void {
    const { session } = this;
    const [generation, changes] = changesOf(frame);
    market.generation ??= generation;
    if (market.generation !== generation)
      session.refuse(
        `${market.id}: ${generation} after ${market.generation}; expected one generation of frames`,
      );
    if (!market.hasBook) session.refuse(`a change of ${market.id} comes before any book`);
    if (market.isWaiting) return session.count('waitingChanges');
    const own = changes.filter((change) => (change.asset_id ?? frame.asset_id) === market.token);
    if (own.length === 0) return;
    market.file.moment(at);
    for (const { price, size, side } of own) {
      this.check(price, size);
      (side?.toUpperCase() === 'BUY' ? market.bids : market.asks).set(fine(price), hundredths(size));
    }
    this.compareTouch(market, own.at(-1)!);
    market.file.change(market.lines);
  }

  /** Recent frames state the best prices after them. */
  private compareTouch({ bids, asks }: Market, { best_bid: bid, best_ask: ask }: Change): void {
    if (bid === undefined || ask === undefined) return;
    const isSame =
      (bids.keys[0] ?? 0) === fine(bid) && (asks.keys[0] ?? FINE_ONE) === (fine(ask) || FINE_ONE);
    if (!isSame) this.session.count('touchDiffers');
  }

  /** A print of the other token at `q` is one of the long token at `1 - q`, by a taker of the other side. */
  private trade(market: Market, { asset_id: token, price, size, side }: Frame, at: number): void {
    this.check(price ?? 0, size ?? 0);
    const { tokens } = this.session.options;
    const isLong =
      tokens.length > 0 ? token !== undefined && tokens.includes(token) : this.isFolded(market, token);
    const units = fine(price ?? 0);
    const bought = side?.toUpperCase() === 'BUY' ? true : side?.toUpperCase() === 'SELL' ? false : null;
    market.file.moment(at);
    const taker = bought === null ? null : bought === isLong ? 'bid' : 'ask';
    market.file.trade(market.lines, isLong ? units : FINE_ONE - units, hundredths(size ?? 0), taker);
  }

  private tick(market: Market, frame: Frame, at: number): void {
    const tick = Number(frame.new_tick_size);
    if (!(tick > 0 && tick < 1))
      this.session.refuse(`new_tick_size: expected a price, found ${String(frame.new_tick_size)}`);
    // Each token has a message of its own, and only the folded one has books to wait for.
    if (market.token !== null && frame.asset_id !== undefined && frame.asset_id !== market.token) return;
    if (!market.isWaiting) {
      market.file.moment(at);
      market.file.say(market.lines, market.hasBook ? 'closed' : 'open', { tick });
    }
    market.isWaiting = true;
  }

  private resolve(market: Market, frame: Frame, at: number): void {
    const { winning_asset_id: winner, assets_ids: tokens = [] } = frame;
    const long =
      this.session.options.tokens.find((token) => tokens.includes(token)) ?? market.token ?? tokens[0];
    if (winner === undefined || winner === '')
      return void this.session.notes.add(
        `market ${market.id} is resolved without a winner; state it with --resolution`,
      );
    market.file.moment(at);
    market.lines.settlement = winner === long ? 1 : 0;
    market.file.say(market.lines, 'resolved');
    market.isOver = true;
  }

  private check(price: string | number, size: string | number): void {
    if (!(Number(price) > 0 && Number(price) < 1))
      this.session.refuse(`expected a price between 0 and 1, found ${price}`);
    if (!(Number(size) >= 0)) this.session.refuse(`a level of negative size: ${size} at ${price}`);
  }
}

const KINDS: ReadonlySet<string> = new Set([
  'book',
  'price_change',
  'last_trade_price',
  'tick_size_change',
  'market_resolved',
]);

function changesOf(frame: Frame): readonly [Generation, readonly Change[]] {
  if (frame.price_changes !== undefined) return ['changes of both tokens', frame.price_changes];
  if (frame.changes !== undefined) return ['changes of one token', frame.changes];
  return ['single changes', [frame as Change]];
}

const fine = (price: string | number): number => Math.round(Number(price) * FINE_ONE);
const hundredths = (size: string | number): number => Math.round(Number(size) * 100);
