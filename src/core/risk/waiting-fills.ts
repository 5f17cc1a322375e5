import { type Micros, PRICE_ONE } from '../../domain/units.js';
import { bookSide } from '../../domain/vocabulary.js';
import type { CountedFill } from './windows.js';

/** A fill of this run, or one that an earlier run counted. */
export type JudgedFill = Omit<CountedFill, 'at'>;

/** One fill, or several that are judged at the same mid. */
export interface WaitingFill {
  /** When the last of them was heard of. */
  at: Micros;
  dueAt: Micros;
  fills: number;
  shares: number;
  /** Long shares bought less sold. */
  net: number;
  /** Paid for these at long-side prices, in money units; a later report may tell it better. */
  cost: number;
  readonly orders: Set<string>;
}

/**
 * So many fills of a market wait one by one. Beyond that those within a thousandth of the horizon wait together, and beyond
 * twice as many all whose time has come and of which nobody knows the mid.
 */
const MOST = 1_000;

/** Fills of one market that wait for their judgement. None is left out, and memory is bounded, whatever is filled. */
export class WaitingFills {
  readonly #waiting: WaitingFill[] = [];
  readonly #horizonUs: number;

  constructor(horizonMs: number) {
    this.#horizonUs = horizonMs * 1_000;
  }

  /** How many have to be remembered. */
  get length(): number {
    return this.#waiting.length;
  }

  /** When the oldest is to be judged; null when none waits. */
  get dueAt(): Micros | null {
    return this.#waiting[0]?.dueAt ?? null;
  }

  /** @param at not before that of the last call */
  add(fill: JudgedFill, at: Micros): void {
    const waiting = this.#waiting;
    const one = waitingOf(fill, at, (at + this.#horizonUs) as Micros);
    if (waiting.length >= 2 * MOST) this.#joinDue(at);
    const last = waiting.at(-1);
    const joins = waiting.length >= MOST && this.#sliceOf(last!.at) === this.#sliceOf(at);
    if (joins) join(last!, one);
    else waiting.push(one);
  }

  /** A report tells at what price the last fill of its order really was. */
  reprice(fill: JudgedFill): void {
    const key = orderKey(fill);
    const told = this.#waiting.findLast(({ orders }) => orders.has(key));
    if (told !== undefined) told.cost += costOf(fill);
  }

  /** Takes the oldest out if its time has come. */
  takeDue(now: Micros): WaitingFill | null {
    return (this.dueAt ?? Infinity) <= now ? this.#waiting.shift()! : null;
  }

  /** They will be judged at one mid, the next that is known. */
  #joinDue(now: Micros): void {
    const left = this.#waiting.findIndex(({ dueAt }) => dueAt > now);
    const [first, ...others] = this.#waiting.splice(0, left === -1 ? this.#waiting.length : left);
    if (first === undefined) return;
    for (const other of others) join(first, other);
    this.#waiting.unshift(first);
  }

  #sliceOf(at: Micros): number {
    return Math.floor((at * MOST) / Math.max(1, this.#horizonUs));
  }
}

function join(whole: WaitingFill, other: WaitingFill): void {
  whole.at = other.at;
  whole.dueAt = other.dueAt;
  whole.fills += other.fills;
  whole.shares += other.shares;
  whole.net += other.net;
  whole.cost += other.cost;
  for (const order of other.orders) note(whole.orders, order);
}

/** The orders that were filled last are those whose price may still be told better. */
function note(orders: Set<string>, order: string): void {
  orders.delete(order);
  orders.add(order);
  const [oldest] = orders;
  if (orders.size > MOST) orders.delete(oldest!);
}

function waitingOf(fill: JudgedFill, at: Micros, dueAt: Micros): WaitingFill {
  const { shares, fills = 1 } = fill;
  const net = signOf(fill) * shares;
  const orders = new Set([orderKey(fill)]);
  return { at, dueAt, fills, shares, net, cost: costOf(fill), orders };
}

/** What the shares of a fill cost at the long side's price: a short share is a long one sold, at one less its price. */
function costOf(fill: JudgedFill): number {
  const { position, shares, amount } = fill;
  return signOf(fill) * (position === 'long' ? amount : PRICE_ONE * shares - amount);
}

/** 1 for a buyer of the long side. */
const signOf = ({ side, position }: JudgedFill): 1 | -1 => (bookSide(side, position) === 'bid' ? 1 : -1);

const orderKey = ({ orderId, position }: JudgedFill): string => `${orderId}/${position}`;
