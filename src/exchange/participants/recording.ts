import type { MarketId as RecordedMarket } from '../../domain/ids.js';
import type { EventId, MarketId } from '../contract/ids.js';
import type { RecordedBook, RecordedLine, RecordedStatus, RecordedTrade } from '../../domain/recorded.js';
import { type Micros, PRICE_ONE, type PriceUnits } from '../../domain/units.js';
import type { CurrencyMode, Side } from '../../domain/vocabulary.js';
import type { Command, ResolveEvent } from '../contract.js';
import type { ExchangeCore } from '../exchange.js';
import type { Participant } from './stage.js';

export interface ReenactmentOptions {
  /** In time order. */
  readonly lines: readonly RecordedLine[];
  /** Recording time t happens at start + (t - t0) / speed. */
  readonly speed: number;
  readonly mode: CurrencyMode;
  readonly eventId: EventId;
  /** Recorded market to market of the exchange; lines of other markets are left out. */
  readonly markets: ReadonlyMap<RecordedMarket, MarketId>;
  /** Levels per side that the recording can show. */
  readonly depth: number;
}

/** Best prices of the recorded book; null: an empty side. */
interface Touch {
  readonly bid: PriceUnits | null;
  readonly ask: PriceUnits | null;
}

/** When a moment of a recording happens in a re-enactment. */
export const reenactedAt = (at: Micros, first: Micros, start: Micros, speed: number): Micros =>
  (start + Math.round((at - first) / speed)) as Micros;

/**
 * Re-enacts a recording. Its book is others' volume on the exchange; its trades hit that volume and our orders in the same
 * queue; its closings pause the market; its resolution pays out. If asked late, it catches up in order.
 */
export class Reenactment implements Participant {
  private next = 0;
  private isLive = false;
  private readonly touches = new Map<RecordedMarket, Touch>();

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
    for (let line = this.dueLine(now); line !== null; line = this.dueLine(now)) {
      this.next += 1;
      const market = this.options.markets.get(line.marketId);
      if (market !== undefined) this.append(commands, line, market);
    }
    return commands;
  }

  private dueLine(now: Micros): RecordedLine | null {
    const line = this.options.lines[this.next];
    return line === undefined || this.dueOf(line) > now ? null : line;
  }

  private dueOf(line: RecordedLine): Micros {
    return reenactedAt(line.at, this.options.lines[0]!.at, this.start, this.options.speed);
  }

  private append(commands: Command[], line: RecordedLine, market: MarketId): void {
    if (line.kind === 'book') commands.push(this.book(line, market));
    else if (line.kind === 'trade') commands.push(this.print(line, market));
    else this.appendStatus(commands, line, market);
  }

  private appendStatus(commands: Command[], line: RecordedStatus, marketId: MarketId): void {
    const { eventId } = this.options;
    if (line.inPlay !== this.isLive) {
      this.isLive = line.inPlay;
      commands.push({ kind: 'set-live', eventId, isLive: line.inPlay, extraData: null });
    }
    if (line.status !== 'resolved') {
      const status = line.status === 'open' ? 'active' : 'paused';
      commands.push({ kind: 'set-market-status', marketId, status });
    } else this.appendResolution(commands, { marketId, resolution: line.resolution ?? 'void' });
  }

  /** Resolutions that follow each other are one: outcomes of an event are decided together. */
  private appendResolution(commands: Command[], resolution: ResolveEvent['resolutions'][number]): void {
    const last = commands.at(-1);
    const before = last?.kind === 'resolve-event' ? last.resolutions : [];
    if (before.length > 0) commands.pop();
    commands.push({
      kind: 'resolve-event',
      eventId: this.options.eventId,
      resolutions: [...before, resolution],
    });
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
    const toAsk = Math.abs((touch?.ask ?? PRICE_ONE) - line.price);
    const toBid = Math.abs(line.price - (touch?.bid ?? 0));
    return toAsk <= toBid ? 'bid' : 'ask';
  }
}
