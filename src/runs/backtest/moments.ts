import type { EventId, MarketId } from '../../domain/ids.js';
import { PRICE_ONE, type Shares } from '../../domain/units.js';
import type { CurrencyMode, Resolution, Side } from '../../domain/vocabulary.js';
import type { Command, ForeignMoment } from '../../exchange/contract.js';
import { changeOf, cutOf, ROW, statusOf, type StatusWord, takerOf } from '../../storage/index.js';
import { type MountedBlock, NO_REPETITION, type Repetitions } from './mounted-block.js';
import type { RunMarket } from './run-market.js';

type Print = ForeignMoment['prints'][number];

/** One side of a book line in the columns of its block. */
interface Range {
  ticks: Int32Array;
  shares: Float64Array;
  from: number;
  to: number;
  isCut: boolean;
  since: number;
  resized: number;
}

export interface MomentParts {
  readonly markets: readonly RunMarket[];
  readonly mode: CurrencyMode;
  readonly crossing: ForeignMoment['crossing'];
  readonly execute: (command: Command) => void;
  /** Executes a moment, which is filled anew by the next one of its market. */
  readonly happen: (moment: ForeignMoment) => void;
}

/** What is known of a market between its rows. */
interface Standing {
  readonly moment: { -readonly [Part in keyof ForeignMoment]: ForeignMoment[Part] };
  prints: Print[];
  /** Its last book line, filled anew by the next. */
  readonly book: { readonly bids: Range; readonly asks: Range };
  /** Best ticks of the last book line; zero and the top of the grid for empty sides. */
  bid: number;
  ask: number;
}

const NO_PRINTS: readonly Print[] = [];

/**
 * Turns rows into commands of the exchange. The rows of one time are one observation: prints go together with the book
 * line behind them, and outcomes that are decided together are resolved together.
 */
export class Moments {
  private readonly standings: readonly Standing[];
  /** Slots with prints that no book line has followed yet. */
  private readonly printed = new Set<number>();
  private readonly resolutions = new Map<EventId, { marketId: MarketId; resolution: Resolution }[]>();
  private readonly live = new Set<EventId>();
  /** Slots of markets that are decided: what recordings say of their status then is said again, by another file, say. */
  private readonly decided = new Set<number>();

  constructor(private readonly parts: MomentParts) {
    const { mode, crossing } = parts;
    this.standings = parts.markets.map(({ marketId, depth, tickUnits }) => ({
      moment: { kind: 'foreign-moment', marketId, mode, prints: NO_PRINTS, book: null, depth, crossing },
      prints: [],
      book: { bids: emptyRange(), asks: emptyRange() },
      bid: 0,
      ask: PRICE_ONE / tickUnits,
    }));
  }

  row(mounted: MountedBlock, row: number): void {
    const { block, slots } = mounted;
    const slot = slots[block.market[row]!]!;
    const kind = block.kind[row]!;
    if (kind === ROW.book) this.book(mounted, row, slot);
    else if (kind === ROW.trade) this.print(mounted, row, slot);
    else if (kind === ROW.order) this.order(mounted, row, slot);
    else this.status(slot, statusOf(block.word[row]!));
  }

  /** Nothing more comes for this time. */
  close(): void {
    if (this.printed.size > 0) for (const slot of this.printed) this.flush(slot, null);
    if (this.resolutions.size === 0) return;
    for (const [eventId, resolutions] of this.resolutions)
      this.parts.execute({ kind: 'resolve-event', eventId, resolutions });
    this.resolutions.clear();
  }

  private book(mounted: MountedBlock, row: number, slot: number): void {
    const { block, ticks } = mounted;
    const { depth, tickUnits } = this.parts.markets[slot]!;
    const from = block.first[row]!;
    const between = from + block.bids[row]!;
    const to = between + block.asks[row]!;
    const cut = cutOf(block.word[row]!);
    const standing = this.standings[slot]!;
    const { book } = standing;
    repeat(book.bids, mounted.bids, row);
    repeat(book.asks, mounted.asks, row);
    fill(book.bids, mounted, from, Math.min(between, from + depth), cut.bids);
    fill(book.asks, mounted, between, Math.min(to, between + depth), cut.asks);
    this.flush(slot, book);
    standing.bid = between === from ? 0 : ticks[from]!;
    standing.ask = to === between ? PRICE_ONE / tickUnits : ticks[between]!;
  }

  private print({ block, ticks }: MountedBlock, row: number, slot: number): void {
    const level = block.first[row]!;
    const tick = ticks[level]!;
    const standing = this.standings[slot]!;
    const takerSide = takerOf(block.word[row]!) ?? inferredSide(standing, tick);
    standing.prints.push({ takerSide, tick, shares: block.shares[level]! as Shares });
    this.printed.add(slot);
  }

  /** One order of a recording that tells each; prints before it have happened by then. */
  private order({ block, ticks }: MountedBlock, row: number, slot: number): void {
    const { marketId, depth } = this.parts.markets[slot]!;
    const { mode, crossing } = this.parts;
    if (this.printed.has(slot)) this.flush(slot, null);
    const level = block.first[row]!;
    this.parts.execute({
      kind: 'foreign-order',
      marketId,
      mode,
      depth,
      crossing,
      change: changeOf(block.word[row]!),
      side: block.bids[row] === 1 ? 'bid' : 'ask',
      tick: ticks[level]!,
      shares: block.shares[level]!,
      ahead: block.shares[level + 1]!,
    });
  }

  private flush(slot: number, book: ForeignMoment['book']): void {
    const standing = this.standings[slot]!;
    const { moment, prints } = standing;
    moment.book = book;
    if (prints.length === 0) return this.parts.happen(moment);
    standing.prints = [];
    this.printed.delete(slot);
    moment.prints = prints;
    this.parts.happen(moment);
    moment.prints = NO_PRINTS;
  }

  private status(slot: number, { status, resolution, inPlay }: StatusWord): void {
    const { eventId, marketId } = this.parts.markets[slot]!;
    if (this.printed.has(slot)) this.flush(slot, null);
    this.setLive(eventId, inPlay);
    if (this.decided.has(slot)) return;
    if (status !== 'resolved') {
      const to = status === 'open' ? 'active' : 'paused';
      return this.parts.execute({ kind: 'set-market-status', marketId, status: to });
    }
    this.decided.add(slot);
    const together = this.resolutions.get(eventId) ?? [];
    together.push({ marketId, resolution: resolution ?? 'void' });
    this.resolutions.set(eventId, together);
  }

  private setLive(eventId: EventId, isLive: boolean): void {
    if (isLive === this.live.has(eventId)) return;
    if (isLive) this.live.add(eventId);
    else this.live.delete(eventId);
    this.parts.execute({ kind: 'set-live', eventId, isLive, extraData: null });
  }
}

/** A print nearer to the ask was bought, else sold: the quote rule of Lee and Ready (1991). */
const inferredSide = ({ bid, ask }: Standing, tick: number): Side =>
  Math.abs(ask - tick) <= Math.abs(tick - bid) ? 'bid' : 'ask';

const emptyRange = (): Range => ({
  ticks: new Int32Array(0),
  shares: new Float64Array(0),
  from: 0,
  to: 0,
  isCut: false,
  since: NO_REPETITION,
  resized: 0,
});

function repeat(range: Range, { since, resized }: Repetitions, row: number): void {
  range.since = since[row]!;
  range.resized = resized[row]!;
}

function fill(range: Range, { block, ticks }: MountedBlock, from: number, to: number, isCut: boolean): void {
  if (range.ticks !== ticks) {
    range.ticks = ticks;
    range.shares = block.shares;
  }
  range.from = from;
  range.to = to;
  range.isCut = isCut;
}
