/**
 * The chain of decisions of a run: each is a line of integers and fixed words in fixed key order, hashed together
 * with the hash before it. Two runs decided the same when their last hashes are equal.
 */
import type { SendEffect } from '../domain/effects.js';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const SECOND_SEED = 0x9747b28c;

export class DecisionChain {
  private high = FNV_OFFSET;
  private low = SECOND_SEED;
  private length = 0;

  get count(): number {
    return this.length;
  }

  /** 16 hexadecimal digits. */
  get hash(): string {
    return hex(this.high) + hex(this.low);
  }

  /**
   * Appends the requests decided on one input.
   * @returns the lines, each ending in the hash of those before it (`"prev"`), for a tape or a log
   */
  append(seq: number, sends: readonly SendEffect[]): readonly string[] {
    return sends.map((effect, index) => this.add(decisionLine(seq, index, effect)));
  }

  private add(line: string): string {
    const told = `${line.slice(0, -1)},"prev":"${this.hash}"}`;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      this.high = Math.imul(this.high ^ code, FNV_PRIME) >>> 0;
      this.low = (Math.imul(this.low ^ code, 0x5bd1e995) + (this.low >>> 13)) >>> 0;
    }
    this.low = (this.low ^ this.high) >>> 0;
    this.length += 1;
    return told;
  }
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

/** Bodies of effects are plain integers and words and are made in one place each, so their key order is fixed. */
function decisionLine(seq: number, index: number, effect: SendEffect): string {
  const { requestId, request, deadline } = effect;
  return JSON.stringify({ in: seq, n: index, kind: request.kind, requestId, deadline, request });
}
