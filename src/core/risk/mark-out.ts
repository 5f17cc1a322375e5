import type { MarketId } from '../../domain/ids.js';
import { type Micros, PRICE_ONE } from '../../domain/units.js';
import type { MarkOutStop } from './risk-state.js';
import type { MarkOutLimits } from '../../domain/risk-limits.js';
import { UNRESTRICTED, outFor, sized, type Restriction } from './quote-restriction.js';
import type { MarkOutCount, CountedFill } from './guard-windows.js';
import { bookSide } from '../../domain/vocabulary.js';

/** What a judgement changed. */
export interface MarkOutChange {
  readonly kind: 'reduced' | 'stopped' | 'restored';
  readonly text: string;
}

const MARK_OUT = 'mark-out';

/** 0: at ease, 1: reduced, 2: stopped. */
type Level = 0 | 1 | 2;

interface Watched {
  readonly waiting: WaitingFills;
  /** When the last judged fill was reported. */
  through: Micros;
  judged: number;
  shares: number;
  gained: number;
  level: Level;
}

/**
 * Judges fills by their mark-out: side x (mid at t + horizon less price) (market-making formulas, "Analytics"). When
 * the last N fills of a market lose more per share than the limit, its size is reduced. When the next N do so again,
 * the market is stopped until a person resumes; otherwise it is restored. A taker who fills five of our orders makes
 * five fills, as in the report. Each fill is judged once.
 */
export class MarkOutWatch {
  #limits: MarkOutLimits;
  readonly #markets = new Map<MarketId, Watched>();
  #judged = 0;

  constructor(limits: MarkOutLimits) {
    this.#limits = limits;
  }

  /** These limits hold from now on; fills that wait are judged after the time that held when they came. */
  limit(limits: MarkOutLimits): void {
    this.#limits = limits;
    for (const { waiting } of this.#markets.values()) waiting.horizonMs = limits.horizonMs;
  }

  /** How many fills it has judged. */
  get judged(): number {
    return this.#judged;
  }

  /** Takes a fill. A fill without shares corrects the price of its order's last waiting fill. */
  filled(fill: JudgedFill, at: Micros): void {
    if (this.#limits.maxLoss === null) return;
    const { waiting } = this.#watched(fill.marketId);
    if (fill.shares <= 0) waiting.reprice(fill);
    else waiting.add(fill, at);
  }

  /**
   * Judges due fills at the present mid.
   * @param mid long-side price units, halves allowed; null when unknown: fills wait
   */
  marked(market: MarketId, mid: number | null, now: Micros): MarkOutChange | null {
    const watched = this.#markets.get(market);
    if (watched === undefined || mid === null) return null;
    let change: MarkOutChange | null = null;
    for (let due = watched.waiting.takeDue(now); due !== null; due = watched.waiting.takeDue(now))
      change = this.#judge(watched, due, mid) ?? change;
    return change;
  }

  restriction(market: MarketId): Restriction {
    const level = this.#markets.get(market)?.level ?? 0;
    if (level === 0) return UNRESTRICTED;
    return level === 2 ? outFor(MARK_OUT) : sized(this.#limits.reduceTo);
  }

  /** When the oldest fill of the market is to be judged; null when none waits. */
  dueAt(market: MarketId): Micros | null {
    return this.#markets.get(market)?.waiting.dueAt ?? null;
  }

  /** What the judgements until now left latched. */
  stops(): readonly MarkOutStop[] {
    return [...this.#markets]
      .filter(([, { level }]) => level > 0)
      .map(([marketId, { level }]) => ({ marketId, level: level === 2 ? 'stopped' : 'reduced' }));
  }

  /** Takes over what an earlier run latched, if there is a limit. */
  restore({ marketId, level }: MarkOutStop): void {
    if (this.#limits.maxLoss !== null) this.#watched(marketId).level = level === 'stopped' ? 2 : 1;
  }

  /** The count of a market that the next run must know. */
  countOf(marketId: MarketId): MarkOutCount {
    const { through, judged, shares, gained } = this.#watched(marketId);
    return { marketId, through, fills: judged, shares, gained };
  }

  /** Goes on counting where an earlier run ended. Fills that it had not judged are to be told again. */
  recount({ marketId, through, fills, shares, gained }: MarkOutCount): void {
    if (this.#limits.maxLoss !== null)
      Object.assign(this.#watched(marketId), { through, judged: fills, shares, gained });
  }

  /** A person resumed: every market is at ease. */
  resume(): void {
    this.#markets.clear();
  }

  #watched(market: MarketId): Watched {
    const known = this.#markets.get(market);
    if (known !== undefined) return known;
    const waiting = new WaitingFills(this.#limits.horizonMs);
    const through = 0 as Micros;
    const watched: Watched = { waiting, through, judged: 0, shares: 0, gained: 0, level: 0 };
    this.#markets.set(market, watched);
    return watched;
  }

  #judge(watched: Watched, { at, fills, shares, net, cost }: WaitingFill, mid: number): MarkOutChange | null {
    this.#judged += fills;
    watched.through = at;
    watched.judged += fills;
    watched.shares += shares;
    watched.gained += mid * net - cost;
    return watched.judged < this.#limits.fills ? null : this.#conclude(watched);
  }

  /** Concludes from N fills and starts anew: the next ones come at another size. */
  #conclude(watched: Watched): MarkOutChange | null {
    const { judged: fills } = watched;
    const perShare = watched.gained / watched.shares;
    const isBad = perShare < -Number(this.#limits.maxLoss);
    const before = watched.level;
    watched.level = isBad ? (Math.min(2, before + 1) as Level) : before === 1 ? 0 : before;
    Object.assign(watched, { judged: 0, shares: 0, gained: 0 });
    if (watched.level === before) return null;
    const kind = watched.level === 2 ? 'stopped' : watched.level === 1 ? 'reduced' : 'restored';
    return { kind, text: this.#describe(fills, perShare) };
  }

  #describe(fills: number, perShare: number): string {
    const { horizonMs, maxLoss } = this.#limits;
    const average = (perShare / PRICE_ONE).toFixed(4);
    const limit = (-Number(maxLoss) / PRICE_ONE).toFixed(4);
    return `the last ${fills} fills made ${average} a share ${horizonMs / 1_000} s later, limit ${limit}`;
  }
}

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
  /** Cost at long-side prices, in money units; a later report may correct it. */
  cost: number;
  readonly orders: Set<string>;
}

/**
 * So many fills of a market wait one by one. Beyond that, fills within a thousandth of the horizon are pooled; beyond
 * twice as many, all due fills are pooled while the mid is unknown.
 */
const MOST = 1_000;

/** Fills of one market that wait to be judged, in bounded memory. None is left out. */
export class WaitingFills {
  readonly #waiting: WaitingFill[] = [];

  constructor(public horizonMs: number) {}

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
    const one = waitingOf(fill, at, (at + this.horizonMs * 1_000) as Micros);
    if (waiting.length >= 2 * MOST) this.#joinDue(at);
    const last = waiting.at(-1);
    const joins = waiting.length >= MOST && this.#sliceOf(last!.at) === this.#sliceOf(at);
    if (joins) join(last!, one);
    else waiting.push(one);
  }

  /** Corrects the price of the last waiting fill of an order. */
  reprice(fill: JudgedFill): void {
    const key = orderKey(fill);
    const told = this.#waiting.findLast(({ orders }) => orders.has(key));
    if (told !== undefined) told.cost += costOf(fill);
  }

  /** Takes the oldest out if its time has come. */
  takeDue(now: Micros): WaitingFill | null {
    return (this.dueAt ?? Infinity) <= now ? this.#waiting.shift()! : null;
  }

  /** Pools the due fills: the next known mid judges them all. */
  #joinDue(now: Micros): void {
    const left = this.#waiting.findIndex(({ dueAt }) => dueAt > now);
    const [first, ...others] = this.#waiting.splice(0, left === -1 ? this.#waiting.length : left);
    if (first === undefined) return;
    for (const other of others) join(first, other);
    this.#waiting.unshift(first);
  }

  #sliceOf(at: Micros): number {
    return Math.floor((at * MOST) / Math.max(1, this.horizonMs * 1_000));
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

/** Remembers the orders filled last, whose price may still be corrected. */
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

/** Cost of a fill at the long side's price: a short share is a long one sold at the complement. */
function costOf(fill: JudgedFill): number {
  const { position, shares, amount } = fill;
  return signOf(fill) * (position === 'long' ? amount : PRICE_ONE * shares - amount);
}

/** 1 for a buyer of the long side. */
const signOf = ({ side, position }: JudgedFill): 1 | -1 => (bookSide(side, position) === 'bid' ? 1 : -1);

const orderKey = ({ orderId, position }: JudgedFill): string => `${orderId}/${position}`;
