import { expect } from 'vitest';
import type { Money, Shares, Ticks } from '../../src/domain/units.js';
import type {
  AmountOrder,
  BookSide,
  Fills,
  ForeignOptions,
  RecordedSide,
} from '../../src/exchange/matching/index.js';
import { ASK, BID, MatchingBook } from '../../src/exchange/matching/index.js';
import { drawLadder } from './ladder.js';
import type { LevelRow, NaiveFill } from './naive-book.js';
import { NaiveBook } from './naive-book.js';
import { recordedSide } from './recorded-side.js';

/** A command to a book. Commands on orders name one that rests by its place among all resting ones. */
export type BookCommand =
  | { kind: 'add'; id: number; account: number; side: BookSide; tick: number; shares: number }
  | { kind: 'take'; side: BookSide; tick: number; shares: number }
  | { kind: 'market'; side: BookSide; shares: number }
  | {
      kind: 'amount';
      side: BookSide;
      tick: number;
      shares: number;
      amount: number;
      base: number;
      perTick: number;
    }
  | { kind: 'cancel'; which: number }
  | { kind: 'reduce'; which: number; shares: number }
  | { kind: 'replace'; which: number; tick: number; shares: number }
  | { kind: 'print'; side: BookSide; tick: number; shares: number }
  | { kind: 'book'; bids: readonly LevelRow[]; asks: readonly LevelRow[] };

/** What both books understand; in plain numbers, for commands made up by a test. */
export interface CommandBook {
  add(id: number, account: number, side: BookSide, tick: number, shares: number): number;
  take(side: BookSide, limit: number, shares: number): number;
  market(side: BookSide, shares: number): number;
  takeAmount(order: AmountOrder): number;
  cancel(id: number): number;
  reduce(id: number, by: number): number;
  replace(id: number, tick: number, shares: number): number;
  recordPrint(taker: BookSide, tick: number, shares: number): void;
  recordBook(bids: RecordedSide, asks: RecordedSide): void;
}

/** The fast and the naive book under the same commands. */
export class BookPair {
  fast: MatchingBook;
  readonly naive: NaiveBook;

  constructor(minTick: number, maxTick: number, foreign?: ForeignOptions) {
    // A capacity of one makes every table grow.
    const options = { minTick: minTick as Ticks, maxTick: maxTick as Ticks, capacity: 1 };
    this.fast = new MatchingBook(foreign === undefined ? options : { ...options, foreign });
    this.naive = new NaiveBook(minTick, maxTick, foreign);
  }

  /** Sends a command to both; expects equal answers, trades and best prices. */
  send(command: BookCommand): void {
    const id = this.pick(command);
    if (command.kind === 'replace' && id === 0) return;
    expect(execute(this.fast, command, id)).toBe(execute(this.naive, command, id));
    expect(listFills(this.fast.fills)).toEqual(this.naive.fills);
    for (const side of [BID, ASK] as const) expect(this.fast.best(side)).toBe(this.naive.best(side));
  }

  /** Expects both books to hold the same. */
  compare(): void {
    expect(this.fast.size).toBe(this.naive.size);
    expect(drawLadder(this.fast)).toBe(drawLadder(this.naive));
  }

  private pick(command: BookCommand): number {
    if (!('which' in command)) return 0;
    const ids = this.naive.ids();
    return ids.length === 0 ? 0 : ids[command.which % ids.length]!;
  }
}

/** Sends a command, one on an order to the order of the given id. @returns what the book answers */
function execute(book: CommandBook, command: BookCommand, id: number): number | void {
  switch (command.kind) {
    case 'add':
      return book.add(command.id, command.account, command.side, command.tick, command.shares);
    case 'take':
      return book.take(command.side, command.tick, command.shares);
    case 'market':
      return book.market(command.side, command.shares);
    case 'amount':
      return book.takeAmount(amountOrder(command));
    case 'cancel':
      return book.cancel(id);
    case 'reduce':
      return book.reduce(id, command.shares);
    case 'replace':
      return book.replace(id, command.tick, command.shares);
    case 'print':
      return book.recordPrint(command.side, command.tick, command.shares);
    case 'book':
      return book.recordBook(recordedSide(command.bids), recordedSide(command.asks));
  }
}

function amountOrder(command: BookCommand & { kind: 'amount' }): AmountOrder {
  const { side, base, perTick } = command;
  return {
    ...{ side, base, perTick, limit: command.tick as Ticks },
    ...{ amount: command.amount as Money, maxShares: command.shares as Shares },
  };
}

/** The fills of a book as a list. */
export function listFills(fills: Fills): NaiveFill[] {
  return Array.from({ length: fills.count }, (_, at) => ({
    makerId: fills.makerId(at),
    makerAccount: fills.makerAccount(at),
    tick: fills.tick(at),
    shares: fills.shares(at),
    makerLeft: fills.makerLeft(at),
  }));
}
