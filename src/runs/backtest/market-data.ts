import { type EventId, eventId, type MarketId, marketId } from '../../exchange/contract/ids.js';
import { type Micros, PRICE_ONE, type Shares } from '../../domain/units.js';
import type { CurrencyMode, Resolution, Side } from '../../domain/vocabulary.js';
import type { Command, ForeignMoment, TickColumns } from '../../exchange/contract.js';
import { changeOf, cutOf, ROW, statusOf, type StatusWord, takerOf } from '../../storage/recordings/blocks.js';
import type { RunBlock, RunMarket } from './merged-recordings.js';

/** Where market data goes: a simulated venue. */
export interface MarketDataTarget {
  show(command: Command): void;
}

export interface MarketDataOptions {
  readonly markets: readonly RunMarket[];
  readonly mode: CurrencyMode;
  /** Whether a recorded level that crosses an order of ours fills it. */
  readonly crossing: ForeignMoment['crossing'];
  readonly target: MarketDataTarget;
  /** Told of the mid of each recorded book with two sides, long-side price units. */
  readonly onMid?: ((market: string, at: Micros, mid: number) => void) | undefined;
}

/** A market between its rows. */
interface MarketState {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  /** Prints that no book has followed yet. */
  prints: ForeignMoment['prints'][number][];
  /** Best ticks of the last book; zero and the top of the grid for empty sides. */
  bid: number;
  ask: number;
}

/**
 * Turns rows of recordings into market data of a venue. The rows of one time belong together: prints go with the book
 * behind them, and markets that are decided together are resolved together.
 */
export class MarketData {
  private readonly states: readonly MarketState[];
  /** Slots with prints that no book has followed yet. */
  private readonly printed = new Set<number>();
  private readonly resolutions = new Map<EventId, { marketId: MarketId; resolution: Resolution }[]>();
  private readonly live = new Set<EventId>();
  /** Slots of resolved markets: another file may say so again. */
  private readonly resolved = new Set<number>();

  constructor(private readonly options: MarketDataOptions) {
    this.states = options.markets.map(({ tickUnits, ...ids }) => ({
      eventId: eventId(ids.eventId),
      marketId: marketId(ids.marketId),
      prints: [],
      bid: 0,
      ask: PRICE_ONE / tickUnits,
    }));
  }

  /** Takes one row in. */
  row(rows: RunBlock, row: number): void {
    const { block, slots } = rows;
    const slot = slots[block.market[row]!]!;
    const kind = block.kind[row]!;
    if (kind === ROW.book) this.book(rows, row, slot);
    else if (kind === ROW.trade) this.print(rows, row, slot);
    else if (kind === ROW.order) this.order(rows, row, slot);
    else this.status(slot, statusOf(block, row));
  }

  /** Nothing more comes for this time. */
  close(): void {
    for (const slot of this.printed) this.show(slot, null);
    if (this.resolutions.size === 0) return;
    for (const [eventId, resolutions] of this.resolutions)
      this.options.target.show({ kind: 'resolve-event', eventId, resolutions });
    this.resolutions.clear();
  }

  private book({ block, ticks }: RunBlock, row: number, slot: number): void {
    const { depth, tickUnits } = this.options.markets[slot]!;
    const { shares } = block;
    const from = block.first[row]!;
    const between = from + block.bids[row]!;
    const end = between + block.asks[row]!;
    const cut = cutOf(block.word[row]!);
    const side = (first: number, last: number, isCut: boolean): TickColumns => ({
      ticks,
      shares,
      from: first,
      to: Math.min(last, first + depth),
      isCut,
    });
    this.show(slot, { bids: side(from, between, cut.bids), asks: side(between, end, cut.asks) });
    const state = this.states[slot]!;
    state.bid = between === from ? 0 : ticks[from]!;
    state.ask = end === between ? PRICE_ONE / tickUnits : ticks[between]!;
    if (between === from || end === between) return;
    const mid = ((state.bid + state.ask) * tickUnits) / 2;
    this.options.onMid?.(this.options.markets[slot]!.marketId, block.at[row]! as Micros, mid);
  }

  private print({ block, ticks }: RunBlock, row: number, slot: number): void {
    const level = block.first[row]!;
    const tick = ticks[level]!;
    const state = this.states[slot]!;
    const takerSide = takerOf(block.word[row]!) ?? inferredSide(state, tick);
    state.prints.push({ takerSide, tick, shares: block.shares[level]! as Shares });
    this.printed.add(slot);
  }

  /** One order of a recording that tells each order. Prints before it have happened by then. */
  private order({ block, ticks }: RunBlock, row: number, slot: number): void {
    const { depth } = this.options.markets[slot]!;
    const { marketId } = this.states[slot]!;
    const { mode, crossing, target } = this.options;
    if (this.printed.has(slot)) this.show(slot, null);
    const level = block.first[row]!;
    target.show({
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

  private show(slot: number, book: ForeignMoment['book']): void {
    const { depth } = this.options.markets[slot]!;
    const { mode, crossing, target } = this.options;
    const state = this.states[slot]!;
    const { marketId, prints } = state;
    if (prints.length > 0) state.prints = [];
    this.printed.delete(slot);
    target.show({ kind: 'foreign-moment', marketId, mode, prints, book, depth, crossing });
  }

  private status(slot: number, { status, resolution, inPlay }: StatusWord): void {
    const { eventId, marketId } = this.states[slot]!;
    if (this.printed.has(slot)) this.show(slot, null);
    this.setLive(eventId, inPlay);
    if (this.resolved.has(slot)) return;
    if (status !== 'resolved') {
      const to = status === 'open' ? 'active' : 'paused';
      return this.options.target.show({ kind: 'set-market-status', marketId, status: to });
    }
    this.resolved.add(slot);
    const together = this.resolutions.get(eventId) ?? [];
    together.push({ marketId, resolution: resolution ?? 'void' });
    this.resolutions.set(eventId, together);
  }

  private setLive(eventId: EventId, isLive: boolean): void {
    if (isLive === this.live.has(eventId)) return;
    if (isLive) this.live.add(eventId);
    else this.live.delete(eventId);
    this.options.target.show({ kind: 'set-live', eventId, isLive, extraData: null });
  }
}

/** A print nearer to the ask was bought, else sold: the quote rule of Lee and Ready (1991). */
const inferredSide = ({ bid, ask }: MarketState, tick: number): Side =>
  Math.abs(ask - tick) <= Math.abs(tick - bid) ? 'bid' : 'ask';
