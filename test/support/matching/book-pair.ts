import { expect } from 'vitest';
import type { Money, Shares, Ticks } from '../../../src/domain/units.js';
import type {
  AmountOrder,
  BookSide,
  Fills,
  ForeignOptions,
  RecordedSide,
} from '../../../src/exchange/matching/index.js';
import { ASK, BID, MatchingBook } from '../../../src/exchange/matching/index.js';
import { drawLadder } from './ladder.js';
import type { LevelRow, NaiveFill } from './naive-book.js';
import { NaiveBook } from './naive-book.js';
import { recordedSide } from '../tape/recorded-side.js';

/** A command to a book. Commands on orders name one that rests by its place among all resting ones. */
export type BookCommand =
  | { kind: 'add'; id: number; side: BookSide; tick: number; shares: number }
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
  add(id: number, side: BookSide, tick: number, shares: number): number;
  take(side: BookSide, limit: number, shares: number): number;
  market(side: BookSide, shares: number): number;
  takeAmount(order: AmountOrder): number;
  cancel(id: number): number;
  reduce(id: number, by: number): number;
  replace(id: number, tick: number, shares: number): number;
  recordPrint(taker: BookSide, tick: number, shares: number): void;
  recordBook(bids: RecordedSide, asks: RecordedSide): void;
}

/** The fast and the naive book, made alike. */
export interface BookPair {
  readonly fast: MatchingBook;
  readonly naive: NaiveBook;
}

/** An empty pair; the fast book starts with a capacity of one, so that all its tables grow. */
export function bookPair(minTick: number, maxTick: number, foreign?: ForeignOptions): BookPair {
  const options = { minTick: minTick as Ticks, maxTick: maxTick as Ticks, capacity: 1 };
  return {
    fast: new MatchingBook(foreign === undefined ? options : { ...options, foreign }),
    naive: new NaiveBook(minTick, maxTick, foreign),
  };
}

/**
 * Sends a command to both books, unless it is one that they refuse; expects equal answers, trades and best prices.
 */
export function expectAlike({ fast, naive }: BookPair, command: BookCommand): void {
  const ids = naive.ids();
  if (command.kind === 'add' && ids.includes(command.id)) return;
  if (command.kind === 'replace' && ids.length === 0) return;
  const id = 'which' in command && ids.length > 0 ? ids[command.which % ids.length]! : 0;
  expect(execute(fast, command, id)).toBe(execute(naive, command, id));
  expect(listFills(fast.fills)).toEqual(naive.fills);
  for (const side of [BID, ASK] as const) expect(fast.best(side)).toBe(naive.best(side));
}

/** Expects both books to hold the same. */
export function expectSame({ fast, naive }: BookPair): void {
  expect(fast.size).toBe(naive.size);
  expect(drawLadder(fast)).toBe(drawLadder(naive));
}

/** Sends a command, one on an order to the order of the given id. @returns what the book answers */
function execute(book: CommandBook, command: BookCommand, id: number): number | void {
  switch (command.kind) {
    case 'add':
      return book.add(command.id, command.side, command.tick, command.shares);
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
  const { side, tick, shares, amount, base, perTick } = command;
  return { side, limit: tick as Ticks, maxShares: shares as Shares, amount: amount as Money, base, perTick };
}

/** The fills of a book as a list. */
export function listFills(fills: Fills): NaiveFill[] {
  return Array.from({ length: fills.count }, (_, at) => ({
    makerId: fills.makerId(at),
    tick: fills.tick(at),
    shares: fills.shares(at),
    makerLeft: fills.makerLeft(at),
  }));
}
