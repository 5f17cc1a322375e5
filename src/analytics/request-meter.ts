import type { VenueRequest } from '../domain/effects.js';
import type { RequestFigures } from './analysis.js';
import type { FlowSums } from './flow.js';

const SECOND = 1_000_000;
const SECONDS_IN_MINUTE = 60;

/** What a request counts for until its answer says what it took. */
interface UnderWay {
  readonly kind: VenueRequest['kind'];
  readonly calls: number;
  readonly second: number;
  /** Of the orders that it names, one for each; undefined: of no market of the run. */
  readonly flows: readonly (FlowSums | undefined)[];
}

/** Calls at the venue by kind, and the busiest minute, in steps of a second. */
export class RequestMeter {
  readonly #kinds = new Map<string, number>();
  readonly #seconds = new Uint32Array(SECONDS_IN_MINUTE);
  readonly #underWay = new Map<number, UnderWay>();
  #second: number;
  #inMinute = 0;
  /** Of minutes that ended before the present second: what is held back within a second never counts. */
  #peak = 0;
  #total = 0;

  constructor(private readonly startedAt: number) {
    this.#second = Math.floor(startedAt / SECOND);
  }

  /** Calls that no request of the engine makes. */
  called(kind: string, calls: number, at: number): void {
    this.#pass(Math.floor(at / SECOND));
    this.#count(kind, calls);
    this.#seconds[this.#second % SECONDS_IN_MINUTE]! += calls;
    this.#inMinute += calls;
  }

  /** @param calls that it takes at least @param flows of the orders that it names, one for each */
  requested(
    requestId: number,
    kind: VenueRequest['kind'],
    calls: number,
    at: number,
    flows: readonly (FlowSums | undefined)[],
  ): void {
    this.called(kind, calls, at);
    this.#underWay.set(requestId, { kind, calls, second: this.#second, flows });
    for (const flow of flows) flow?.send(kind, flows.length);
  }

  /** @param calls that it took, further ones counted now; null: as many as at least */
  answered(requestId: number, calls: number | null, at: number): void {
    const request = this.#underWay.get(requestId);
    if (request === undefined) return;
    this.#underWay.delete(requestId);
    const further = (calls ?? request.calls) - request.calls;
    if (further > 0) this.#repeat(request, further, at);
    if (further < 0) this.#takeBack(request, -further, at);
  }

  /** @param fills of the run */
  figures(at: number, fills: number): RequestFigures {
    const minutes = (at - this.startedAt) / SECOND / SECONDS_IN_MINUTE;
    const kinds = [...this.#kinds].filter(([, calls]) => calls > 0);
    return {
      total: this.#total,
      byKind: Object.fromEntries(kinds.sort(([a], [b]) => (a < b ? -1 : 1))),
      peakPerMinute: Math.max(this.#peak, this.#inMinute),
      meanPerMinute: minutes > 0 ? this.#total / minutes : 0,
      perFill: fills === 0 ? null : this.#total / fills,
    };
  }

  #count(kind: string, calls: number): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + calls);
    this.#total += calls;
  }

  #repeat({ kind, flows }: UnderWay, calls: number, at: number): void {
    this.called(kind, calls, at);
    for (const flow of flows) flow?.repeat(calls, flows.length);
  }

  /** From the second in which they were counted, where that is within the minute. */
  #takeBack({ kind, second, flows }: UnderWay, calls: number, at: number): void {
    this.#pass(Math.floor(at / SECOND));
    this.#count(kind, -calls);
    for (const flow of flows) flow?.takeBack(kind, flows.length);
    if (this.#second - second >= SECONDS_IN_MINUTE) return;
    this.#seconds[second % SECONDS_IN_MINUTE]! -= calls;
    this.#inMinute -= calls;
  }

  #pass(second: number): void {
    const steps = Math.min(second - this.#second, SECONDS_IN_MINUTE);
    if (steps > 0) this.#peak = Math.max(this.#peak, this.#inMinute);
    for (let step = 1; step <= steps; step++) {
      const slot = (second - steps + step) % SECONDS_IN_MINUTE;
      this.#inMinute -= this.#seconds[slot]!;
      this.#seconds[slot] = 0;
    }
    this.#second = Math.max(this.#second, second);
  }
}
