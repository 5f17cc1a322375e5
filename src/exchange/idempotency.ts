import type { Micros } from '../domain/units.js';
import type { ExchangeConfig } from './contract.js';
import { Fifo } from './fifo.js';

/** The answer that was given to a request. */
export interface StoredAnswer {
  readonly outcome: unknown;
  readonly at: Micros;
  /** Estimate of its memory. */
  readonly bytes: number;
}

/** What a record is bound to (facts, "Limits"). */
export interface RecordKey {
  readonly account: number;
  readonly endpoint: string;
  readonly key: string;
  readonly body: string;
}

/** Per stored item of an answer, objects and numbers included. */
const ITEM_BYTES = 512;
const RECORD_BYTES = 256;

/** Answers to be given again, kept for a time and up to an amount of memory, oldest out first. */
export class IdempotencyRecords {
  readonly answers = new Map<string, StoredAnswer>();
  /** Names in the order in which they were stored; one that was stored again stands twice. */
  private readonly ages = new Fifo<{ readonly name: string; readonly answer: StoredAnswer }>();
  private bytes = 0;

  constructor(private readonly limits: ExchangeConfig['idempotency']) {}

  /** @param name of {@link nameOf} */
  find(name: string, now: Micros): StoredAnswer | null {
    const answer = this.answers.get(name);
    return answer === undefined || this.isOld(answer, now) ? null : answer;
  }

  /** @param items number of orders in the answer, for the estimate of its memory */
  store(name: string, outcome: unknown, items: number, now: Micros): void {
    const bytes = RECORD_BYTES + 2 * name.length + ITEM_BYTES * items;
    this.put(name, { outcome, at: now, bytes });
    this.trim(now);
  }

  /** Puts a stored answer back under its name, as it was. */
  put(name: string, answer: StoredAnswer): void {
    this.remove(name);
    this.answers.set(name, answer);
    this.ages.push({ name, answer });
    this.bytes += answer.bytes;
  }

  private trim(now: Micros): void {
    for (let oldest = this.ages.first(); oldest !== undefined; oldest = this.ages.first()) {
      if (this.bytes <= this.limits.bytes && !this.isOld(oldest.answer, now)) return;
      this.ages.shift();
      if (this.answers.get(oldest.name) === oldest.answer) this.remove(oldest.name);
    }
  }

  private remove(name: string): void {
    const answer = this.answers.get(name);
    if (answer === undefined) return;
    this.answers.delete(name);
    this.bytes -= answer.bytes;
  }

  private isOld(answer: StoredAnswer, now: Micros): boolean {
    return now - answer.at >= this.limits.keptMs * 1_000;
  }
}

/** Under which an answer is kept. JSON keeps the parts apart whatever they contain. */
export const nameOf = ({ account, endpoint, key, body }: RecordKey): string =>
  JSON.stringify([account, endpoint, key, body]);
