import type { Clock } from '../../core/ports/clock.js';
import type { Answer } from './answer.js';

const MICROS_PER_MS = 1_000;
/** Books remembered at one time; the one that was read first gives way. */
const REMEMBERED_MOST = 4_096;

interface Remembered {
  readonly at: number;
  readonly answer: Answer;
}

/** Book answers that may be served again for a while, as the real venue does (facts, "Limits"). */
export class BookCache {
  private readonly remembered = new Map<string, Remembered>();

  /** @param lifetimeMs how old an answer may be; 0: always the book of this moment */
  constructor(
    private readonly clock: Clock,
    private readonly lifetimeMs: number,
  ) {}

  /**
   * @param key what the answer depends on: market, mode, position, viewer
   * @param lifetimeMs takes the place of the configured one
   */
  answer(key: string, read: () => Answer, lifetimeMs = this.lifetimeMs): Answer {
    const now = this.clock.now();
    const known = this.remembered.get(key);
    if (known !== undefined && now - known.at < lifetimeMs * MICROS_PER_MS) return known.answer;
    const answer = read();
    this.remember(key, { at: now, answer });
    return answer;
  }

  private remember(key: string, entry: Remembered): void {
    this.remembered.delete(key);
    this.remembered.set(key, entry);
    if (this.remembered.size <= REMEMBERED_MOST) return;
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined) this.remembered.delete(oldest);
  }
}
