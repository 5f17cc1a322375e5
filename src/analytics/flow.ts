import type { VenueRequest } from '../domain/effects.js';
import type { Fill } from '../domain/fill.js';
import { MONEY_ONE, SHARE_ONE, type Shares } from '../domain/units.js';
import type { FillFigures, FlowFigures, QueueFigures, SentFigures } from './analysis.js';
import { MarkOutSums } from './mark-outs.js';

const TENTHS = 10;
/** A request counts so many parts: every share of one about up to twenty orders is whole, so that sums are exact. */
const PARTS = 232_792_560;

/** Sums over the fills of a group, which add up to the sums of greater groups. */
export class FlowSums {
  readonly markOuts = new MarkOutSums();
  #fills = 0;
  #shares = 0;
  #amount = 0;
  #made = 0;
  #taken = 0;
  #offered = 0;
  #requests = 0;
  #created = 0;
  #changed = 0;
  #cancelled = 0;
  #queued = 0;
  #ahead = 0;
  #relative = 0;
  readonly #tenths = Array.from({ length: TENTHS }, () => 0);

  get shares(): number {
    return this.#shares;
  }

  get amount(): number {
    return this.#amount;
  }

  get fills(): number {
    return this.#fills;
  }

  fill({ shares, amount, liquidity }: Fill): void {
    if (shares > 0) this.#fills += 1;
    this.#shares += shares;
    this.#amount += amount;
    if (liquidity === 'maker') this.#made += shares;
    if (liquidity === 'taker') this.#taken += shares;
  }

  offer(shares: number): void {
    this.#offered += shares;
  }

  /** A request about one order left. @param orders that it is about altogether */
  send(kind: VenueRequest['kind'], orders: number): void {
    this.#count(kind, 1, PARTS / orders);
  }

  /** It never left after all. */
  takeBack(kind: VenueRequest['kind'], orders: number): void {
    this.#count(kind, -1, -PARTS / orders);
  }

  /** It took further calls. */
  repeat(calls: number, orders: number): void {
    this.#requests += (calls * PARTS) / orders;
  }

  /** @param ahead others' shares before ours @param others all others' shares at the price */
  queue(ahead: Shares, others: Shares): void {
    const relative = others === 0 ? 0 : ahead / others;
    this.#queued += 1;
    this.#ahead += ahead;
    this.#relative += relative;
    this.#tenths[Math.min(TENTHS - 1, Math.floor(relative * TENTHS))]! += 1;
  }

  add(other: FlowSums): void {
    this.markOuts.add(other.markOuts);
    this.#fills += other.#fills;
    this.#shares += other.#shares;
    this.#amount += other.#amount;
    this.#made += other.#made;
    this.#taken += other.#taken;
    this.#offered += other.#offered;
    this.#requests += other.#requests;
    this.#created += other.#created;
    this.#changed += other.#changed;
    this.#cancelled += other.#cancelled;
    this.#queued += other.#queued;
    this.#ahead += other.#ahead;
    this.#relative += other.#relative;
    this.#tenths.forEach((_, tenth) => (this.#tenths[tenth]! += other.#tenths[tenth]!));
  }

  figures(): FlowFigures {
    return {
      fills: this.#fillFigures(),
      sent: this.#sentFigures(),
      markOuts: this.markOuts.figures(),
      queue: this.#queueFigures(),
    };
  }

  #count(kind: VenueRequest['kind'], orders: number, requests: number): void {
    this.#requests += requests;
    if (kind === 'create-orders') this.#created += orders;
    if (kind === 'replace-orders') this.#changed += orders;
    if (kind === 'cancel-orders') this.#cancelled += orders;
  }

  #fillFigures(): FillFigures {
    const known = this.#made + this.#taken;
    return {
      count: this.#fills,
      shares: this.#shares / SHARE_ONE,
      amount: this.#amount / MONEY_ONE,
      makerShare: known === 0 ? null : this.#made / known,
      offeredShares: this.#offered / SHARE_ONE,
      ratio: this.#offered === 0 ? null : this.#shares / this.#offered,
    };
  }

  #sentFigures(): SentFigures {
    return {
      requests: this.#requests / PARTS,
      created: this.#created,
      changed: this.#changed,
      cancelled: this.#cancelled,
    };
  }

  #queueFigures(): QueueFigures {
    return {
      fills: this.#queued,
      meanAhead: this.#queued === 0 ? null : this.#ahead / this.#queued / SHARE_ONE,
      meanRelative: this.#queued === 0 ? null : this.#relative / this.#queued,
      tenths: [...this.#tenths],
    };
  }
}
