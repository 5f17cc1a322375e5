import type { VenueRequest } from '../domain/effects.js';
import type { Fill } from '../domain/fill.js';
import { MONEY_ONE, SHARE_ONE, type Shares } from '../domain/units.js';
import type { FlowFigures, RequestFigures } from './analysis.js';
import { MarkOutSums } from './mark-outs.js';

const TENTHS = 10;
/** A request counts so many parts: every share of one about up to twenty orders is whole, so that sums are exact. */
const PARTS = 232_792_560;

const noSums = () => ({
  fills: 0,
  shares: 0,
  amount: 0,
  made: 0,
  taken: 0,
  offered: 0,
  requests: 0,
  created: 0,
  changed: 0,
  cancelled: 0,
  queued: 0,
  ahead: 0,
  relative: 0,
});

/** Sums over the fills of a group, which add up to the sums of greater groups. */
export class FlowSums {
  readonly markOuts = new MarkOutSums();
  readonly #sums = noSums();
  readonly #tenths = Array.from({ length: TENTHS }, () => 0);

  get shares(): number {
    return this.#sums.shares;
  }

  get amount(): number {
    return this.#sums.amount;
  }

  fill({ shares, amount, liquidity }: Fill): void {
    const sums = this.#sums;
    if (shares > 0) sums.fills += 1;
    sums.shares += shares;
    sums.amount += amount;
    if (liquidity === 'maker') sums.made += shares;
    if (liquidity === 'taker') sums.taken += shares;
  }

  offer(shares: number): void {
    this.#sums.offered += shares;
  }

  /**
   * A request about one order left.
   * @param orders that it is about altogether
   * @param times  -1: it never left after all
   */
  send(kind: VenueRequest['kind'], orders: number, times: 1 | -1 = 1): void {
    this.repeat(times, orders);
    if (kind === 'create-orders') this.#sums.created += times;
    if (kind === 'replace-orders') this.#sums.changed += times;
    if (kind === 'cancel-orders') this.#sums.cancelled += times;
  }

  /** A request about so many orders took further calls. */
  repeat(calls: number, orders: number): void {
    this.#sums.requests += (calls * PARTS) / orders;
  }

  /** @param ahead others' shares before ours @param others all others' shares at the price */
  queue(ahead: Shares, others: Shares): void {
    const relative = others === 0 ? 0 : ahead / others;
    this.#sums.queued += 1;
    this.#sums.ahead += ahead;
    this.#sums.relative += relative;
    this.#tenths[Math.min(TENTHS - 1, Math.floor(relative * TENTHS))]! += 1;
  }

  add(other: FlowSums): void {
    this.markOuts.add(other.markOuts);
    for (const name of Object.keys(this.#sums) as (keyof ReturnType<typeof noSums>)[])
      this.#sums[name] += other.#sums[name];
    this.#tenths.forEach((_, tenth) => (this.#tenths[tenth]! += other.#tenths[tenth]!));
  }

  figures(): FlowFigures {
    const { fills, shares, amount, made, taken, offered, queued, ahead, relative, ...sent } = this.#sums;
    return {
      fills: {
        count: fills,
        shares: shares / SHARE_ONE,
        amount: amount / MONEY_ONE,
        makerShare: made + taken === 0 ? null : made / (made + taken),
        offeredShares: offered / SHARE_ONE,
        ratio: offered === 0 ? null : shares / offered,
      },
      sent: { ...sent, requests: sent.requests / PARTS },
      markOuts: this.markOuts.figures(),
      queue: {
        fills: queued,
        meanAhead: queued === 0 ? null : ahead / queued / SHARE_ONE,
        meanRelative: queued === 0 ? null : relative / queued,
        tenths: [...this.#tenths],
      },
    };
  }
}

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
    for (const flow of flows) flow?.send(kind, flows.length, -1);
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
