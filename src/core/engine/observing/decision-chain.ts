/**
 * The chain of decisions of a run: each is a line of integers and fixed words in fixed key order, hashed together
 * with the hash before it. Two runs decided the same when their last hashes are equal.
 */
import type { SendEffect } from '../../../domain/effects.js';
import { type Decided, decisionLine, hashDecision } from './decision-text.js';
import { RunningHash } from './running-hash.js';

export class DecisionChain {
  private readonly running = new RunningHash();
  private length = 0;
  /** As many as are counted; the array keeps its room. */
  private readonly waiting: Decided[] = [];
  private waitingCount = 0;

  /** @param tell told each line, ending in the hash of those before it (`"prev"`), for a tape or a log; null: nobody */
  constructor(private readonly tell: ((line: string) => void) | null = null) {}

  get count(): number {
    return this.length + this.waitingCount;
  }

  /** 16 hexadecimal digits. */
  get hash(): string {
    this.catchUp();
    return this.running.hex;
  }

  /** Appends the requests decided on one input. Unless somebody is told of them, they are hashed later. */
  append(seq: number, sends: readonly SendEffect[]): void {
    for (let index = 0; index < sends.length; index++)
      this.waiting[this.waitingCount++] = { seq, index, effect: sends[index]! };
    if (this.tell !== null) this.catchUp();
  }

  /** Hashes what waits: a request should not wait for that. */
  catchUp(): void {
    for (let at = 0; at < this.waitingCount; at++) this.add(this.waiting[at]!);
    this.waitingCount = 0;
  }

  private add(decided: Decided): void {
    this.tell?.(`${decisionLine(decided).slice(0, -1)},"prev":"${this.running.hex}"}`);
    hashDecision(this.running, decided);
    this.length += 1;
  }
}
