import { invariant } from '../../domain/errors.js';
import type { FeedInput } from '../../domain/inputs.js';

const FIRST_CAPACITY = 1_024;

/** Frames on their way to the engine. One connection carries them, so none overtakes another. */
export class FeedQueue {
  private at = new Float64Array(FIRST_CAPACITY);
  private inputs: (FeedInput | null)[] = Array.from({ length: FIRST_CAPACITY }, () => null);
  private head = 0;
  private count = 0;
  private latest = 0;

  /** When the next frame arrives; infinite when none is under way. */
  nextAt = Infinity;

  /** @param at when it would arrive alone on the line */
  push(at: number, input: FeedInput): void {
    if (this.count === this.inputs.length) this.grow();
    if (at > this.latest) this.latest = at;
    const place = (this.head + this.count) & (this.inputs.length - 1);
    this.at[place] = this.latest;
    this.inputs[place] = input;
    if (this.count === 0) this.nextAt = this.latest;
    this.count += 1;
  }

  /** Takes the frame that arrives next. */
  take(): FeedInput {
    const input = this.inputs[this.head];
    invariant(this.count > 0 && input !== null && input !== undefined, 'no frame is under way');
    this.inputs[this.head] = null;
    this.head = (this.head + 1) & (this.inputs.length - 1);
    this.count -= 1;
    this.nextAt = this.count === 0 ? Infinity : this.at[this.head]!;
    return input;
  }

  private grow(): void {
    const { length } = this.inputs;
    const at = new Float64Array(length * 2);
    const inputs: (FeedInput | null)[] = Array.from({ length: length * 2 }, () => null);
    for (let index = 0; index < length; index++) {
      const from = (this.head + index) & (length - 1);
      at[index] = this.at[from]!;
      inputs[index] = this.inputs[from] ?? null;
    }
    this.at = at;
    this.inputs = inputs;
    this.head = 0;
  }
}
