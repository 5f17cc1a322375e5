/**
 * The chain of decisions of a run: each is a line of integers and fixed words in fixed key order, hashed together
 * with the hash before it. Two runs decided the same when their last hashes are equal.
 */
import type { SendEffect } from '../../domain/effects.js';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const SECOND_SEED = 0x9747b28c;

interface Decided {
  readonly seq: number;
  readonly index: number;
  readonly effect: SendEffect;
}

export class DecisionChain {
  private high = FNV_OFFSET;
  private low = SECOND_SEED;
  private length = 0;
  private waiting: Decided[] = [];

  /** @param tell told each line, ending in the hash of those before it (`"prev"`), for a tape or a log; null: nobody */
  constructor(private readonly tell: ((line: string) => void) | null = null) {}

  get count(): number {
    return this.length + this.waiting.length;
  }

  /** 16 hexadecimal digits. */
  get hash(): string {
    this.catchUp();
    return this.current();
  }

  /** Appends the requests decided on one input. Unless somebody is told of them, they are written later. */
  append(seq: number, sends: readonly SendEffect[]): void {
    for (const [index, effect] of sends.entries()) this.waiting.push({ seq, index, effect });
    if (this.tell !== null) this.catchUp();
  }

  /** Writes what waits: a request should not wait for its line to be written. */
  catchUp(): void {
    if (this.waiting.length === 0) return;
    for (const decided of this.waiting) this.add(decisionLine(decided));
    this.waiting = [];
  }

  private current(): string {
    return hex(this.high) + hex(this.low);
  }

  private add(line: string): void {
    this.tell?.(`${line.slice(0, -1)},"prev":"${this.current()}"}`);
    let { high, low } = this;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      high = Math.imul(high ^ code, FNV_PRIME) >>> 0;
      low = (Math.imul(low ^ code, 0x5bd1e995) + (low >>> 13)) >>> 0;
    }
    this.high = high;
    this.low = (low ^ high) >>> 0;
    this.length += 1;
  }
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

/** Bodies of effects are plain integers and words and are made in one place each, so their key order is fixed. */
function decisionLine({ seq, index, effect }: Decided): string {
  const { requestId, request, deadline } = effect;
  return JSON.stringify({ in: seq, n: index, kind: request.kind, requestId, deadline, request });
}
