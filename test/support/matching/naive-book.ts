import { returns, untilVanished } from '../../../src/venues/simulated/models/liquidity.js';
import type {
  AmountOrder,
  BookSide,
  ForeignOptions,
  RecordedSide,
} from '../../../src/exchange/matching/index.js';
import { ASK, BID, FOREIGN_ORDER } from '../../../src/exchange/matching/index.js';
import { aheadAfter, riskAverse } from '../../../src/venues/simulated/models/queue.js';

interface OurPlace {
  readonly kind: 'ours';
  readonly id: number;
  shares: number;
  unseen: boolean;
}

/** One place in a level's queue: an order of ours, or a lump of others' shares. */
type Place = OurPlace | { readonly kind: 'others'; shares: number };

interface NaiveLevel {
  readonly tick: number;
  places: Place[];
  recorded: number;
  printed: number;
  taken: number;
  spent: number;
}

export interface NaiveFill {
  readonly makerId: number;
  readonly tick: number;
  readonly shares: number;
  readonly makerLeft: number;
}

export type LevelRow = readonly [tick: number, shares: number];

/**
 * The obvious slow book: an array of levels per side, an array of places per level, searched from the front. The
 * oracle of the fast one, written from its documentation and sharing nothing with it but the queue models.
 */
export class NaiveBook {
  fills: NaiveFill[] = [];
  private readonly sides: readonly [NaiveLevel[], NaiveLevel[]];
  /** Where each resting order of ours is: what makes a million operations bearable, and nothing else. */
  private readonly ours = new Map<number, { side: BookSide; level: NaiveLevel; place: OurPlace }>();
  /** Index of the first level of each side that the last book line did not show. */
  private readonly unseenFrom: [number, number] = [0, 0];

  constructor(
    private readonly minTick: number,
    private readonly maxTick: number,
    private readonly foreign: ForeignOptions | null = null,
  ) {
    const ticks = Array.from({ length: maxTick - minTick + 1 }, (_, at) => minTick + at);
    const empty = (tick: number): NaiveLevel => {
      return { tick, places: [], recorded: 0, printed: 0, taken: 0, spent: 0 };
    };
    this.sides = [ticks.toReversed().map(empty), ticks.map(empty)];
  }

  add(id: number, side: BookSide, tick: number, shares: number): number {
    this.fills = [];
    const left = shares - this.hit(side, tick, shares);
    if (left > 0) this.join(id, side, tick, left);
    return left;
  }

  take(side: BookSide, limit: number, shares: number): number {
    this.fills = [];
    return this.hit(side, limit, shares);
  }

  market(side: BookSide, shares: number): number {
    return this.take(side, side === BID ? this.maxTick : this.minTick, shares);
  }

  takeAmount(order: AmountOrder): number {
    this.fills = [];
    let amount: number = order.amount;
    let traded = 0;
    for (;;) {
      const [level] = this.crossed(order.side, order.limit);
      if (level === undefined) return traded;
      const cost = order.base + order.perTick * level.tick;
      const shares = Math.min(order.maxShares - traded, Math.floor(amount / cost), sum(level.places));
      if (shares <= 0) return traded;
      traded += this.hit(order.side, level.tick, shares);
      amount -= shares * cost;
    }
  }

  cancel(id: number): number {
    this.fills = [];
    const found = this.ours.get(id);
    if (found === undefined) return 0;
    this.ours.delete(id);
    const { shares } = found.place;
    found.place.shares = 0;
    merge(found.level);
    return shares;
  }

  reduce(id: number, by: number): number {
    const found = this.ours.get(id);
    if (found === undefined || by >= found.place.shares) return this.cancel(id);
    this.fills = [];
    found.place.shares -= by;
    return by;
  }

  replace(id: number, tick: number, shares: number): number {
    const { side } = this.ours.get(id)!;
    this.cancel(id);
    return this.add(id, side, tick, shares);
  }

  recordBook(bids: RecordedSide, asks: RecordedSide): void {
    this.fills = [];
    this.recordSide(BID, bids);
    this.recordSide(ASK, asks);
    if (this.foreign!.crossing === 'ignore') return;
    for (const side of [BID, ASK] as const) {
      for (const level of this.sides[side]) this.crossOurs(side, level);
    }
  }

  recordPrint(taker: BookSide, tick: number, shares: number): void {
    this.fills = [];
    const better = [...this.crossed(taker, tick)].filter((level) => level.tick !== tick);
    const left = shares - this.fillOurs(better, shares);
    const level = this.level(taker === BID ? ASK : BID, tick);
    this.eat(level, left, (place, traded) => {
      if (place.kind === 'ours') this.fill(level, place, traded);
    });
    level.printed = Math.min(level.recorded, level.printed + shares);
  }

  get size(): number {
    return this.ours.size;
  }

  /** Ids of our resting orders, in no particular but a reproducible order. */
  ids(): number[] {
    return [...this.ours.keys()];
  }

  best(side: BookSide): number {
    const level = this.sides[side].find(({ places }) => places.length > 0);
    return level?.tick ?? (side === BID ? this.minTick - 1 : this.maxTick + 1);
  }

  levels(side: BookSide): { tick: number; shares: number; foreign: number }[] {
    const occupied = this.sides[side].filter(({ places }) => places.length > 0);
    return occupied.map((level) => ({
      tick: level.tick,
      shares: sum(level.places),
      foreign: othersIn(level),
    }));
  }

  queue(side: BookSide, tick: number): { id: number; shares: number }[] {
    return this.level(side, tick).places.filter((place) => place.kind === 'ours');
  }

  ahead(id: number): number {
    const { level, place } = this.ours.get(id)!;
    return sum(level.places.slice(0, level.places.indexOf(place)));
  }

  private level(side: BookSide, tick: number): NaiveLevel {
    return this.sides[side][side === BID ? this.maxTick - tick : tick - this.minTick]!;
  }

  /** The levels that an order of this side and limit meets, best first. */
  private *crossed(side: BookSide, limit: number): Generator<NaiveLevel> {
    for (const level of this.sides[side === BID ? ASK : BID]) {
      if (side === BID ? level.tick > limit : level.tick < limit) return;
      if (level.places.length > 0) yield level;
    }
  }

  /** An order of ours takes. @returns the shares traded */
  private hit(side: BookSide, limit: number, shares: number): number {
    let left = shares;
    for (const level of this.crossed(side, limit)) {
      if (left === 0) break;
      left -= this.eat(level, left, (place, traded) => {
        this.fill(level, place, traded);
        if (place.kind === 'others') level.taken += traded;
      });
    }
    return shares - left;
  }

  /** Takes shares from the front of a level's queue. @returns the shares traded */
  private eat(level: NaiveLevel, shares: number, trade: (place: Place, traded: number) => void): number {
    let left = shares;
    merge(level);
    for (const place of level.places) {
      const traded = Math.min(left, place.shares);
      if (traded === 0) continue;
      place.shares -= traded;
      left -= traded;
      trade(place, traded);
    }
    merge(level);
    return shares - left;
  }

  /** Fills orders of ours alone. @returns the shares traded */
  private fillOurs(levels: Iterable<NaiveLevel>, shares: number): number {
    let left = shares;
    for (const level of levels) {
      for (const place of level.places) {
        const traded = place.kind === 'ours' ? Math.min(left, place.shares) : 0;
        if (traded === 0) continue;
        place.shares -= traded;
        left -= traded;
        this.fill(level, place, traded);
      }
      merge(level);
    }
    return shares - left;
  }

  private fill({ tick }: NaiveLevel, place: Place, shares: number): void {
    const makerId = place.kind === 'ours' ? place.id : FOREIGN_ORDER;
    this.fills.push({ makerId, tick, shares, makerLeft: place.shares });
    if (place.kind === 'ours' && place.shares === 0) this.ours.delete(makerId);
  }

  private join(id: number, side: BookSide, tick: number, shares: number): void {
    const level = this.level(side, tick);
    const unseen = this.sides[side].indexOf(level) >= this.unseenFrom[side];
    const place: OurPlace = { kind: 'ours', id, shares, unseen };
    const others = othersIn(level);
    const overtakes = Math.floor(others - (this.foreign?.queue ?? riskAverse).join(others));
    const last = level.places.at(-1);
    const behind = last?.kind === 'others' ? Math.min(last.shares, overtakes) : 0;
    if (last !== undefined) last.shares -= behind;
    level.places.push(place, { kind: 'others', shares: behind });
    merge(level);
    this.ours.set(id, { side, level, place });
  }

  private recordSide(side: BookSide, line: RecordedSide): void {
    const rows = rowsOf(line);
    const named = new Map(rows);
    const worst =
      rows.length === 0 ? -1 : this.sides[side].findIndex((level) => level.tick === rows.at(-1)![0]);
    const end = rows.length < this.foreign!.depth ? this.sides[side].length : worst + 1;
    for (const level of this.sides[side].slice(0, end)) this.resize(level, named.get(level.tick) ?? 0);
    for (const { places } of this.sides[side].slice(0, end)) {
      for (const place of places) if (place.kind === 'ours') place.unseen = false;
    }
    this.unseenFrom[side] = end;
  }

  private resize(level: NaiveLevel, recorded: number): void {
    if (level.recorded === recorded && level.printed === 0 && !(this.isReturned() && level.taken > 0)) return;
    const before = Math.max(0, level.recorded - level.taken - level.spent);
    const traded = level.printed;
    const rises = recorded > level.recorded - level.printed && this.foreign?.consumption !== untilVanished;
    if (rises || recorded === 0 || this.isReturned()) level.taken = 0;
    if (recorded === 0) level.spent = 0;
    level.recorded = recorded;
    level.printed = 0;
    this.requeue(level, { before, after: Math.max(0, recorded - level.taken - level.spent), traded });
  }

  /** Whether what was taken is back with any line. */
  private isReturned(): boolean {
    return this.foreign?.consumption === returns;
  }

  /** Rebuilds a level's queue for a new total of others' shares. */
  private requeue(level: NaiveLevel, change: { before: number; after: number; traded: number }): void {
    const model = this.foreign?.queue ?? riskAverse;
    const appeared = Math.max(0, change.after - othersIn(level));
    const ours = level.places.filter((place) => place.kind === 'ours');
    const firstUnseen = ours.findIndex((order) => order.unseen);
    let placed = 0;
    const places = ours.flatMap((order, at): Place[] => {
      const others = level.places
        .slice(0, level.places.indexOf(order))
        .filter((place) => place.kind === 'others');
      const hidden = firstUnseen >= 0 && at >= firstUnseen ? model.join(appeared) : 0;
      const ahead = Math.max(placed, Math.ceil(aheadAfter(model, sum(others) + hidden, change)));
      const gap = ahead - placed;
      placed = ahead;
      return [{ kind: 'others', shares: gap }, order];
    });
    level.places = [...places, { kind: 'others', shares: change.after - placed }];
    merge(level);
  }

  /** Lets a recorded level fill the orders of ours that it crosses. */
  private crossOurs(side: BookSide, level: NaiveLevel): void {
    const traded = this.fillOurs(this.crossed(side, level.tick), othersIn(level));
    level.spent += traded;
    const others = level.places.find((place) => place.kind === 'others');
    if (others !== undefined) others.shares -= traded;
    merge(level);
  }
}

const rowsOf = ({ ticks, shares, from, to }: RecordedSide): LevelRow[] =>
  Array.from(ticks.subarray(from, to), (tick, at) => [tick, shares[from + at]!] as const);
const sum = (places: readonly Place[]): number => places.reduce((total, { shares }) => total + shares, 0);
const othersIn = (level: NaiveLevel): number => sum(level.places.filter(({ kind }) => kind === 'others'));

/** Drops empty places and joins neighbouring lumps of others' shares. */
function merge(level: NaiveLevel): void {
  const merged: Place[] = [];
  for (const place of level.places) {
    const last = merged.at(-1);
    if (place.shares === 0) continue;
    if (place.kind === 'others' && last?.kind === 'others') last.shares += place.shares;
    else merged.push(place);
  }
  level.places = merged;
}
