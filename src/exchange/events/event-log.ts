import type { ExchangeEvent } from '../contract.js';

/** Every kind of event by its code, and the codes of those that have a form of their own in the log. */
const KINDS = [
  'order-update',
  'trade',
  'order-book-update',
  'best-prices-change',
  'price-change',
  'position-update',
  'balance-changed',
  'new-market',
  'live-data-update',
  'market-status-change',
  'market-comment',
  'deposit-success',
  'test-event',
] as const satisfies readonly ExchangeEvent['kind'][];
export const ORDER_UPDATE = 0;
export const TRADE = 1;
export const ORDER_BOOK_UPDATE = 2;
export const BEST_PRICES_CHANGE = 3;
export const PRICE_CHANGE = 4;
export const POSITION_UPDATE = 5;
export const BALANCE_CHANGED = 6;

const FIRST_EVENTS = 64;
const FIRST_CELLS = 1024;

/**
 * The events of the running command, as numbers in one piece of memory that every command uses anew: a busy venue says
 * several things per command, most of which nobody asks for, and objects for them were two fifths of its garbage. Each kind
 * that happens all the time has a file of its own here, which writes its cells and reads them; the others are kept as
 * they are.
 */
export class EventLog {
  count = 0;
  /** Rises with each command; whoever reads events of an earlier one is wrong. */
  command = 0;
  /** Look it up after {@link open}, which replaces it when it is full. */
  cells = new Float64Array(FIRST_CELLS);
  private used = 0;
  private kinds = new Uint8Array(FIRST_EVENTS);
  /** Of each event, its first cell, or its place among the objects. */
  private starts = new Int32Array(FIRST_EVENTS);
  private readonly objects: ExchangeEvent[] = [];

  /** Forgets the events of the command before. */
  begin(): void {
    this.command += 1;
    this.count = 0;
    this.used = 0;
    if (this.objects.length > 0) this.objects.length = 0;
  }

  /** Adds an event. @param kind code @returns its first cell */
  open(kind: number, cells: number): number {
    const start = this.used;
    const end = start + cells;
    if (end > this.cells.length) this.growCells(end);
    this.used = end;
    this.note(kind, start);
    return start;
  }

  /** Adds an event of a kind that has no cells. */
  say(event: ExchangeEvent): void {
    this.note(KINDS.indexOf(event.kind), this.objects.length);
    this.objects.push(event);
  }

  kind(place: number): number {
    return this.kinds[place] as number;
  }

  word(place: number): ExchangeEvent['kind'] {
    return KINDS[this.kind(place)] as ExchangeEvent['kind'];
  }

  start(place: number): number {
    return this.starts[place] as number;
  }

  /** The event at a place, of a kind that has no cells. */
  object(place: number): ExchangeEvent {
    return this.objects[this.start(place)] as ExchangeEvent;
  }

  private note(kind: number, start: number): void {
    const place = this.count;
    if (place === this.kinds.length) this.growPlaces();
    this.kinds[place] = kind;
    this.starts[place] = start;
    this.count = place + 1;
  }

  private growCells(least: number): void {
    const { cells } = this;
    this.cells = new Float64Array(Math.max(least, 2 * cells.length));
    this.cells.set(cells);
  }

  private growPlaces(): void {
    const { kinds, starts } = this;
    this.kinds = new Uint8Array(2 * kinds.length);
    this.kinds.set(kinds);
    this.starts = new Int32Array(2 * starts.length);
    this.starts.set(starts);
  }
}
