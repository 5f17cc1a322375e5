import type { BookView, FairValue, FillView, PlainJson, TradeView } from '../contract.js';

/** What a market looked like at one moment. */
export interface SignalLook {
  /** Milliseconds since the Unix epoch, never decreasing. */
  readonly nowMs: number;
  /** Book without our own orders. */
  readonly book: BookView;
  readonly fair: FairValue | null;
  /** Milliseconds until betting closes; null when no end is known. */
  readonly msToClose: number | null;
}

/** The value of a signal, before its age is compared with the oldest that is allowed. */
export interface Reading {
  readonly value: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** Observations behind the value. */
  readonly count: number;
  /** When the source was last good; null: it is good now. */
  readonly atMs: number | null;
}

/**
 * One signal of one market. It is shown every look, and told of fills and prints between two looks. Extra looks at an
 * unchanged market change no value, so a replay that looks at the same inputs computes the same.
 */
export interface Computation {
  look(look: SignalLook): void;
  /** An own order was filled. */
  filled?(fill: FillView, nowMs: number): void;
  /** The venue told of a trade. */
  printed?(trade: TradeView, nowMs: number): void;
  /** @returns null while there is no value */
  read(nowMs: number): Reading | null;
  /** When time alone brings a new value; null: it does not. */
  readonly dueMs: number | null;
  /** What is kept across restarts, another object whenever it changed; null or left out: nothing. */
  memory?: PlainJson;
}

/** Where signals come from besides what the market looks like. */
export interface SignalSources {
  /** Whether the venue tells of trades. */
  readonly prints: boolean;
  /** The newest number of this name from outside; null: none has come. */
  readonly outside: (name: string) => Reading | null;
}

/** A sum in which what is one half-life old counts half. */
export class DecayingSum {
  private sum = 0;
  private atMs = 0;

  constructor(private readonly halfLifeMs: number) {}

  add(amount: number, nowMs: number): void {
    this.sum = this.at(nowMs) + amount;
    this.atMs = nowMs;
  }

  at(nowMs: number): number {
    return this.sum === 0 ? 0 : this.sum * 0.5 ** ((nowMs - this.atMs) / this.halfLifeMs);
  }
}

/** How much of a decayed sum's full weight has been seen since it began, 0 to 1. */
export const seenShare = (sinceMs: number, nowMs: number, halfLifeMs: number): number =>
  1 - 0.5 ** ((nowMs - sinceMs) / halfLifeMs);
