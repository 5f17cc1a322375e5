import type { EventId, MarketId } from '../domain/ids.js';
import type { RecordedBook, RecordedLine, RecordedStatus, RecordedTrade } from '../domain/recorded.js';
import type { Micros } from '../domain/units.js';
import type { CurrencyMode, Resolution, Side } from '../domain/vocabulary.js';
import type { Command, ExchangeCore } from '../exchange/contract.js';
import type { Participant } from './participant.js';

export interface ReenactmentOptions {
  /** In time order. */
  readonly lines: readonly RecordedLine[];
  /** Recording time t happens at start + (t - t0) / speed. */
  readonly speed: number;
  readonly mode: CurrencyMode;
  readonly eventId: EventId;
  /** Recorded market to market of the exchange; lines of other markets are left out. */
  readonly markets: ReadonlyMap<MarketId, MarketId>;
  /** Levels per side that the recording can show. */
  readonly depth: number;
}

/** When a moment of a recording happens in a re-enactment. */
export const reenactedAt = (at: Micros, first: Micros, start: Micros, speed: number): Micros =>
  (start + Math.round((at - first) / speed)) as Micros;

/**
 * Re-enacts a recording: its book is the exchange's foreign volume, its trades hit that volume and our orders in the
 * same queue, its closings pause the market and its resolution pays out.
 */
export class Reenactment implements Participant {
  private next = 0;
  private readonly touches = new Map<MarketId, { bid: number | null; ask: number | null }>();

  constructor(
    private readonly options: ReenactmentOptions,
    private readonly start: Micros,
  ) {}

  nextDue(): Micros | null {
    const line = this.options.lines[this.next];
    return line === undefined ? null : this.dueOf(line);
  }

  act(now: Micros, _venue: ExchangeCore): readonly Command[] {
    const commands: Command[] = [];
    const resolved = new Map<MarketId, Resolution>();
    for (;;) {
      const line = this.options.lines[this.next];
      if (line === undefined || this.dueOf(line) > now) break;
      this.next += 1;
      const market = this.options.markets.get(line.marketId);
      if (market === undefined) continue;
      if (line.kind === 'status' && line.status === 'resolved')
        resolved.set(market, line.resolution ?? 'void');
      else commands.push(this.commandOf(line, market));
    }
    if (resolved.size > 0) commands.push(this.resolve(resolved));
    return commands;
  }

  observe(): void {
    // A recording does not react.
  }

  private dueOf(line: RecordedLine): Micros {
    return reenactedAt(line.at, this.options.lines[0]!.at, this.start, this.options.speed);
  }

  private commandOf(line: RecordedLine, market: MarketId): Command {
    if (line.kind === 'book') return this.book(line, market);
    return line.kind === 'trade' ? this.print(line, market) : status(line, market);
  }

  private book(line: RecordedBook, marketId: MarketId): Command {
    this.touches.set(line.marketId, { bid: line.bids.prices[0] ?? null, ask: line.asks.prices[0] ?? null });
    const { mode, depth } = this.options;
    return {
      kind: 'set-foreign-book',
      marketId,
      mode,
      bids: line.bids,
      asks: line.asks,
      depth,
      crossing: 'fill',
    };
  }

  private print(line: RecordedTrade, marketId: MarketId): Command {
    const takerSide = line.takerSide ?? this.inferredSide(line);
    return {
      kind: 'foreign-print',
      marketId,
      mode: this.options.mode,
      takerSide,
      price: line.price,
      shares: line.shares,
    };
  }

  /** A print nearer to the ask was bought, else sold: the quote rule of Lee and Ready (1991). */
  private inferredSide(line: RecordedTrade): Side {
    const touch = this.touches.get(line.marketId);
    const toAsk = Math.abs((touch?.ask ?? 10_000) - line.price);
    const toBid = Math.abs(line.price - (touch?.bid ?? 0));
    return toAsk <= toBid ? 'bid' : 'ask';
  }

  private resolve(resolved: ReadonlyMap<MarketId, Resolution>): Command {
    return {
      kind: 'resolve-event',
      eventId: this.options.eventId,
      resolutions: [...resolved].map(([marketId, resolution]) => ({ marketId, resolution })),
    };
  }
}

const status = (line: RecordedStatus, marketId: MarketId): Command => ({
  kind: 'set-market-status',
  marketId,
  status: line.status === 'open' ? 'active' : 'paused',
});
