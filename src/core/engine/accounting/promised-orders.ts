import type { Approved, VenueRequest } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import type { PlanSpan } from '../../../domain/plan-span.js';
import { MarketTable } from '../../../domain/market-table.js';
import type { LimitOrder, OrderReplacement } from '../../../domain/orders.js';
import type { Money } from '../../../domain/units.js';
import { Proposal, type Reckoning, type Wanted } from '../../risk/index.js';

type ApprovedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

/** Orders of one market that passed the gate and are to leave, in lists that are never written. */
export interface Promises extends Wanted {
  /** What is asked for each replacement, in the same order. */
  readonly items: readonly Approved<OrderReplacement>[];
  readonly creates: readonly Approved<LimitOrder>[];
  /** Where all of them lie; null: they did not pass as a whole, or a part of them has left. */
  readonly span: PlanSpan | null;
  /** As of their approval: fees may change until they leave. */
  readonly reckoning: Reckoning;
}

/** What orders come to, as far as it counts until they leave. */
type Sums = Pick<Proposal, 'count' | 'bought' | 'sold' | 'locked' | 'claimed'>;

/** What is promised in one market, and what it comes to. */
export interface Promised {
  /** Null: nothing is. */
  promises: Promises | null;
  count: number;
  /** Shares on either side of the book. */
  bid: number;
  ask: number;
  locked: number;
  claimed: number;
}

const NO_ORDERS: readonly LimitOrder[] = [];

const nothing = (): Promised => ({ promises: null, count: 0, bid: 0, ask: 0, locked: 0, claimed: 0 });

/**
 * Orders that have passed the gate and not left yet. They may stand soon, so they count like those that do:
 * otherwise the levels of one plan, each within the limits, could exceed them together. Mostly a plan leaves in the step in
 * which it passed, and all at once: what each of its orders comes to is asked only where a part of them leaves.
 */
export class PromisedOrders {
  readonly #byMarket = new MarketTable<Promised>();
  #all = 0;
  #locked = 0;
  #claimed = 0;

  /** @param dropped told of the market of orders that have left or will not */
  constructor(private readonly dropped: (market: MarketId) => void) {}

  get count(): number {
    return this.#all;
  }

  /** What all of them would lock. */
  get locked(): Money {
    return this.#locked as Money;
  }

  /** What they take of the cash that is free now. */
  get claimed(): Money {
    return this.#claimed as Money;
  }

  /**
   * @param promised what is promised {@link in} the market of the orders
   * @param sums     what the orders come to
   */
  add(promised: Promised, promises: Promises, sums: Sums): void {
    const before = promised.promises;
    promised.promises = before === null ? promises : joined(before, promises);
    promised.count += sums.count;
    promised.bid += sums.bought;
    promised.ask += sums.sold;
    promised.locked += sums.locked;
    promised.claimed += sums.claimed;
    this.#all += sums.count;
    this.#locked += sums.locked;
    this.#claimed += sums.claimed;
  }

  /** @returns the same object every time: it is kept up to date */
  in(market: MarketId): Promised {
    let promised = this.#byMarket.get(market);
    if (promised === undefined) this.#byMarket.set(market, (promised = nothing()));
    return promised;
  }

  /** What would stand, in the order in which it passed the gate. */
  of(market: MarketId): readonly LimitOrder[] {
    const { promises } = this.in(market);
    return promises === null
      ? NO_ORDERS
      : [...promises.replacements.map(({ to }) => to), ...promises.creates];
  }

  /** Where the orders of an update lie that is a plan as it passed, and has not left; null where it is not one. */
  spanOf(replacements: readonly Approved<OrderReplacement>[]): PlanSpan | null {
    const { promises } = this.in(replacements[0]!.place.marketId);
    return promises?.items === replacements ? promises.span : null;
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    const promised = this.in(market);
    if (promised.promises !== null) this.#drop(market, promised);
  }

  /** What has left is among the working orders from now on. */
  left(request: VenueRequest): void {
    if (request.kind === 'create-orders') this.#leaveAll(request.orders, marketOfOrder);
    if (request.kind === 'replace-orders') this.#leaveAll(request.replacements, marketOfReplacement);
  }

  /** The orders of a market follow each other. */
  #leaveAll<Item extends ApprovedItem>(items: readonly Item[], marketOf: (item: Item) => MarketId): void {
    for (let next = 0; next < items.length;) {
      const first = next;
      const market = marketOf(items[first]!);
      const promised = this.in(market);
      if (isAllOf(promised.promises, items, first)) {
        next += promised.count;
        this.#drop(market, promised);
        continue;
      }
      while (next < items.length && marketOf(items[next]!) === market) next += 1;
      this.#leave(market, promised, items.slice(first, next));
    }
  }

  #leave(market: MarketId, promised: Promised, leaving: readonly ApprovedItem[]): void {
    const { promises } = promised;
    const rest = promises === null ? null : without(promises, leaving);
    if (promises === null || rest === null) return;
    this.#drop(market, promised);
    if (rest.items.length + rest.creates.length > 0)
      this.add(promised, rest, new Proposal().read(rest, rest.reckoning));
  }

  #drop(market: MarketId, promised: Promised): void {
    this.#all -= promised.count;
    this.#locked -= promised.locked;
    this.#claimed -= promised.claimed;
    promised.promises = null;
    promised.count = 0;
    promised.bid = 0;
    promised.ask = 0;
    promised.locked = 0;
    promised.claimed = 0;
    this.dropped(market);
  }
}

const marketOfOrder = ({ marketId }: LimitOrder): MarketId => marketId;
const marketOfReplacement = ({ place }: OrderReplacement): MarketId => place.marketId;

/** Whether what leaves is, from that one on, all that is promised. */
function isAllOf(promises: Promises | null, leaving: readonly ApprovedItem[], first: number): boolean {
  if (promises === null || (promises.items.length > 0 && promises.creates.length > 0)) return false;
  const promised: readonly ApprovedItem[] = promises.items.length > 0 ? promises.items : promises.creates;
  if (leaving === promised) return true;
  for (let at = 0; at < promised.length; at += 1) if (leaving[first + at] !== promised[at]) return false;
  return true;
}

const joined = (before: Promises, more: Promises): Promises => ({
  items: [...before.items, ...more.items],
  replacements: [...before.replacements, ...more.replacements],
  creates: [...before.creates, ...more.creates],
  span: null,
  reckoning: more.reckoning,
});

/** @returns null when none of those that leave was promised */
function without(promises: Promises, leaving: readonly ApprovedItem[]): Promises | null {
  const { items, replacements, creates, reckoning } = promises;
  const stays = (item: ApprovedItem): boolean => !leaving.includes(item);
  const rest = {
    items: items.filter(stays),
    replacements: replacements.filter((_, at) => stays(items[at]!)),
    creates: creates.filter(stays),
    span: null,
    reckoning,
  };
  const isSame = rest.items.length === items.length && rest.creates.length === creates.length;
  return isSame ? null : rest;
}
