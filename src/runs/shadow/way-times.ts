import { type DelayFigures, Delays, tellsItsWay } from '../../analytics/calibration/poisson-intensity.js';
import type { Answer } from '../../domain/answers.js';
import type { Stamped } from '../../domain/inputs.js';

/** How long messages took. All but the round trip compare two clocks: those of venue and bot. */
export interface WayFigures {
  readonly feed: DelayFigures | null;
  /** From a request's first byte to the venue's time of the order that it made. */
  readonly request: DelayFigures | null;
  /** From there to its answer. */
  readonly response: DelayFigures | null;
  readonly roundTrip: DelayFigures | null;
}

const MICROS_PER_MS = 1_000;

export class WayTimes {
  readonly #feed = new Delays();
  readonly #request = new Delays();
  readonly #response = new Delays();
  readonly #roundTrip = new Delays();

  take({ input, at }: Stamped): void {
    if (input.kind === 'answer') this.#answered(input, at);
    else if ('venueTime' in input && typeof input.venueTime === 'number' && tellsItsWay(input.kind))
      this.#feed.add((at - input.venueTime) / MICROS_PER_MS);
  }

  figures(): WayFigures {
    return {
      feed: this.#feed.figures(),
      request: this.#request.figures(),
      response: this.#response.figures(),
      roundTrip: this.#roundTrip.figures(),
    };
  }

  #answered({ sentAt, outcome }: Answer, at: number): void {
    if (sentAt === null || !outcome.ok) return;
    this.#roundTrip.add((at - sentAt) / MICROS_PER_MS);
    const { body } = outcome;
    if (body.kind !== 'create-orders' && body.kind !== 'replace-orders') return;
    const made = body.items.find((item) => item.ok && item.value.createdAt !== null);
    if (made === undefined || !made.ok || made.value.createdAt === null) return;
    this.#request.add((made.value.createdAt - sentAt) / MICROS_PER_MS);
    this.#response.add((at - made.value.createdAt) / MICROS_PER_MS);
  }
}
