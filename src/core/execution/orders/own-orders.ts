import { type Approved, isTrading, type SendEffect, type TradingRequest } from '../../../domain/effects.js';
import { InvariantError } from '../../../domain/errors.js';
import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { Answer, ItemOutcome } from '../../../domain/answers.js';
import type {
  CancelScope,
  LimitOrder,
  KnownOrders,
  OrderReplacement,
  OrderReport,
} from '../../../domain/orders.js';
import type { Micros, Money } from '../../../domain/units.js';
import type { Currency } from '../../../domain/vocabulary.js';
import type { JournalRecord, OrderClaims } from '../../ports/journal.js';
import { Answers } from './answers.js';
import { PrivateFeedWatch } from './private-feed-watch.js';
import { Claims, type TradedMarket } from './claims.js';
import { InheritedIds } from './inherited-ids.js';
import { claimsIn, lostOrder, lostRequests, namesIn } from './left-behind.js';
import { Listing, placesOf } from './listing.js';
import { type MarketOrders, OrderBlotter } from './order-blotter.js';
import { NO_NEWS, type OrderNews, type OwnOrder, type UnheardOrder } from './own-order.js';
import { OrderWriter, type ShareFees } from './order-writer.js';
import type { TrackedOrder } from './tracked-order.js';
import type { DifferingHolding } from './presumed-fills.js';
import { type Ended, type OpenRequest, OpenRequests } from './requests.js';

export interface OwnOrdersOptions {
  /** Null for a market that we do not trade: its orders are ignored. */
  readonly tradedMarket: (marketId: MarketId) => TradedMarket | null;
  /** Our fees in a market. */
  readonly fees: (marketId: MarketId) => ShareFees;
  /** Whether the venue nets long and short shares. Left out: it does not. */
  readonly nets?: boolean;
  /** After this long a signed request cannot take effect any more: the venue's window plus the clock difference. */
  readonly clockWindowMs: number;
  /** Greatest age of what a read shows; 2 s unless told. */
  readonly readAgeMs?: number;
  /** Within this time an accepted order must show in a private frame; 5 s unless told. */
  readonly privateFrameMs?: number;
  /** How long an ended order still takes late fills. */
  readonly keepEndedMs: number;
}

const READ_AGE_MS = 2_000;
const PRIVATE_FRAME_MS = 5_000;
/** A frame about an end may come so much later than the answer that told of it. */
const END_GRACE = 500_000;
const LONG_AGO = 0 as Micros;

/**
 * Tracks every order of the account in the traded markets, from before its first byte leaves until its proved end.
 * Messages may come late, twice and in any order; the same messages always end in the same orders.
 */
export class OwnOrders {
  /** Watches that the private channel still tells of our orders. */
  readonly privateFeed: PrivateFeedWatch;
  /** Order ids of earlier runs that may still rest. */
  readonly inherited: InheritedIds;
  readonly #writer: OrderWriter;
  readonly #claims: Claims;
  readonly #answers: Answers;
  readonly #listing: Listing;
  readonly #requests = new OpenRequests();
  readonly #readAge: number;
  readonly #tradedMarket: OwnOrdersOptions['tradedMarket'];
  /** Requests of earlier runs; their ids go downwards from -1. */
  #recovered = 0;

  constructor(options: OwnOrdersOptions) {
    const clockWindow = options.clockWindowMs * 1_000;
    this.#tradedMarket = options.tradedMarket;
    this.inherited = new InheritedIds((market) => options.tradedMarket(market) !== null, clockWindow);
    this.privateFeed = new PrivateFeedWatch(options.privateFrameMs ?? PRIVATE_FRAME_MS);
    this.#writer = new OrderWriter(
      new OrderBlotter(options.keepEndedMs * 1_000),
      this.privateFeed,
      options.fees,
      options.nets,
    );
    this.#claims = new Claims(this.#writer, options.tradedMarket, clockWindow);
    this.#answers = new Answers(this.#writer, this.#claims);
    const readAge = (options.readAgeMs ?? READ_AGE_MS) * 1_000;
    this.#readAge = readAge;
    this.#listing = new Listing(this.#writer, this.#claims, { clockWindow, readAge });
  }

  /** The orders of one market; a view, valid until the next message. */
  own(marketId: MarketId): MarketOrders {
    return this.#writer.blotter.market(marketId);
  }

  /** Markets that have or had orders, in order of first appearance. */
  markets(): IterableIterator<MarketId> {
    return this.#writer.blotter.markets();
  }

  /** @returns a set that takes the market of every order that comes, changes or goes; its owner empties it */
  watch(): Set<MarketId> {
    return this.#writer.blotter.watch();
  }

  /** Number of orders that are not known to be gone: of all markets, foreign and inherited ones included. */
  get count(): number {
    return this.#writer.blotter.count + this.inherited.unseen.size;
  }

  /** Another number after every change of an order. */
  get version(): number {
    return this.#writer.blotter.version;
  }

  byId(id: OrderId): OwnOrder | undefined {
    return this.#writer.blotter.byId(id);
  }

  /**
   * Orders of a market that may have traded without our knowing: ended orders with unknown fills, and fills that were
   * taken for shares already held. `requested - filled` of each counts as able to fill.
   */
  unheardEnds(marketId: MarketId): readonly UnheardOrder[] {
    const { blotter, presumed } = this.#writer;
    const drawn = presumed.mayHaveFilled(marketId);
    return drawn.length === 0 ? blotter.unheardEnds(marketId) : [...blotter.unheardEnds(marketId), ...drawn];
  }

  /** Do fills of this market wait for the answer that says whose they are? Holdings differ by them. */
  areFillsWithheld(marketId: MarketId): boolean {
    return this.#claims.isWithheld(marketId);
  }

  /** When holdings should be read because of such orders; null when there are none. */
  get endsReadDue(): Micros | null {
    const { blotter, presumed } = this.#writer;
    const oldest = Math.min(blotter.oldestUnheardEnd ?? Infinity, presumed.oldest ?? Infinity);
    return oldest === Infinity ? null : ((oldest + this.#readAge + END_GRACE) as Micros);
  }

  /** Holdings agree with the known fills. @param sentAt when the read that shows it left */
  holdingsAgree(sentAt: Micros): void {
    const { blotter, presumed } = this.#writer;
    blotter.settleEnds((_, since) => since + this.#readAge < sentAt);
    for (const market of presumed.settleBefore(sentAt - this.#readAge)) blotter.touch(market);
  }

  /** Orders whose last request has an unknown outcome. */
  get doubtful(): ReadonlySet<OwnOrder> {
    return this.#writer.blotter.doubtful;
  }

  /** The orders that an update under way replaces, item by item; empty for any other request. */
  replacedBy(requestId: number): readonly OwnOrder[] {
    return this.#requests.get(requestId)?.replaced ?? [];
  }

  /** Requests with something still under way or in doubt, oldest first. */
  openRequests(): IterableIterator<OpenRequest> {
    this.#requests.prune();
    return this.#requests.values();
  }

  /**
   * Takes over what earlier runs left open. Ids named in their answers are ours in shared markets, too. Orders of requests
   * with an unknown outcome stay in doubt until they are settled, and are never asked for again.
   */
  recover(records: readonly JournalRecord[]): void {
    this.#inherit(namesIn(records));
    for (const claims of claimsIn(records)) this.#inheritClaims(claims);
    for (const { record, orders } of lostRequests(records)) this.#recoverOrders(orders, record.at);
  }

  /** Ids of ambiguous orders that may still stand: a person has to look at them. */
  get doubted(): readonly OrderId[] {
    const standing = [...this.markets()].flatMap((market) =>
      this.own(market).working.filter(({ ownership }) => ownership === 'ambiguous'),
    );
    return [...standing.flatMap(({ orderId }) => orderId ?? []), ...this.inherited.doubted];
  }

  /**
   * A request is about to leave. A request id seen before is a replay under the same key.
   * @throws InvariantError when an update names an order that we do not know
   */
  sent(effect: SendEffect, at: Micros): void {
    const { request, requestId } = effect;
    this.#writer.begin(at);
    const known = this.#requests.get(requestId);
    if (known !== undefined) this.#sentAgain(known);
    else if (isTrading(request)) this.#requests.add(this.#opened(requestId, request));
  }

  /** Takes the answer to any request; most reads bring no news about orders. */
  answered(answer: Answer, at: Micros): readonly OrderNews[] {
    const { outcome } = answer;
    if (outcome.ok && outcome.body.kind === 'read-orders')
      return answer.sentAt === null
        ? NO_NEWS
        : this.listed(outcome.body.orders, answer.sentAt, at, outcome.body.ended, outcome.body.filled);
    const open = this.#requests.get(answer.requestId);
    if (open === undefined || !open.inFlight) return NO_NEWS;
    this.#writer.begin(at);
    open.inFlight = false;
    if (outcome.ok && outcome.body.kind === 'cancel-orders') this.#cancelled(open, outcome.body.items);
    if (outcome.ok) this.#answers.fulfilled(open, outcome.body);
    else this.#answers.failed(open, outcome.failure);
    this.#claims.release();
    this.#requests.prune();
    return this.#writer.news();
  }

  /** A private frame reports an order; the frame may be of any age. */
  reported(report: OrderReport, at: Micros): readonly OrderNews[] {
    this.#writer.begin(at);
    this.privateFeed.spoke();
    const order = this.#writer.blotter.byId(report.orderId);
    if (order === undefined) this.#claims.heard(report, 'frame');
    else this.#writer.merge(order, report, 'frame');
    return this.#writer.news();
  }

  /** Orders that have an id and may still rest, and where. */
  get places(): KnownOrders['places'] {
    return placesOf({ blotter: this.#writer.blotter, inherited: this.inherited });
  }

  /**
   * Takes one complete listing with the ends of the orders it missed.
   * @param startedAt when the first byte left
   * @param filled known ends of a listing whose further pages are still unread
   */
  listed(
    orders: readonly OrderReport[],
    startedAt: Micros,
    at: Micros,
    ended: Ended = [],
    filled: readonly OrderReport[] = [],
  ): readonly OrderNews[] {
    this.#writer.begin(at);
    this.#listing.read({ orders, ended, filled }, startedAt);
    this.inherited.listed(orders, ended, filled);
    this.#requests.prune();
    return this.#writer.news();
  }

  /** Our clock was set: every request left so many microseconds later by the new clock. */
  clockSet(later: number): void {
    this.#writer.clockSet(later);
    this.inherited.clockSet(later);
  }

  /** A holding is not what our fills make it, so orders of the market have traded unheard. @returns the inferred fills */
  holdingDiffers(marketId: MarketId, differing: DifferingHolding, at: Micros): readonly OrderNews[] {
    this.#writer.begin(at);
    this.#writer.presume(marketId, differing);
    return this.#writer.news();
  }

  /** Cash is another sum than fills make it. @returns corrections of inferred fills; none where they do not explain it */
  cashDiffers(currency: Currency, residual: Money, at: Micros): readonly OrderNews[] {
    this.#writer.begin(at);
    this.#writer.reprice(currency, residual);
    return this.#writer.news();
  }

  #inherit(ids: readonly OrderId[]): void {
    this.#claims.recognise(ids);
    this.inherited.expect(ids);
  }

  #inheritClaims(claims: OrderClaims): void {
    this.#claims.know(claims.foreign, 'foreign');
    this.#claims.know(claims.ambiguous, 'ambiguous');
    this.inherited.expectOthers(claims);
  }

  #cancelled({ request }: OpenRequest, items: readonly ItemOutcome<OrderId>[]): void {
    if (this.inherited.areKnown || request.kind !== 'cancel-orders') return;
    request.orderIds.forEach((id, index) => this.inherited.cancelled(id, items[index]?.ok === true));
  }

  #recoverOrders(asked: readonly LimitOrder[], at: Micros): void {
    const isTraded = ({ marketId }: LimitOrder): boolean => this.#tradedMarket(marketId) !== null;
    this.inherited.expectLost(asked.filter((order) => !isTraded(order)).map((order) => lostOrder(order, at)));
    const orders = asked.filter(isTraded);
    if (orders.length === 0) return;
    this.#recovered += 1;
    this.#writer.begin(at);
    // It is never sent, so that nobody has to approve it.
    const approved = orders as unknown as readonly Approved<LimitOrder>[];
    const request = { kind: 'create-orders', orders: approved } as const;
    const open = { ...this.#opened(-this.#recovered, request), decidedAt: LONG_AGO, inFlight: false };
    // Fills from before this run are in the holdings that the run began with.
    for (const order of open.orders) if (order !== null) order.countsFills = false;
    this.#answers.lost(open);
    this.#requests.add(open);
  }

  #opened(requestId: number, request: TradingRequest): OpenRequest {
    const { at } = this.#writer;
    const replaced = request.kind === 'replace-orders' ? request.replacements.map(this.#replaced) : [];
    const orders = this.#concerned(request, replaced);
    return { requestId, request, orders, replaced, decidedAt: at, sentAt: at, inFlight: true, replays: 0 };
  }

  #concerned(request: TradingRequest, replaced: readonly TrackedOrder[]): (TrackedOrder | null)[] {
    if (request.kind === 'create-orders')
      return request.orders.map((order) => this.#writer.order(order, order));
    if (request.kind === 'cancel-orders')
      return request.orderIds.map((id) => this.#cancel(this.#writer.blotter.byId(id)));
    if (request.kind === 'cancel-scope') return this.#cancelScope(request.scope);
    return request.replacements.map((replacement, at) => this.#writer.replace(replaced[at]!, replacement));
  }

  readonly #replaced = ({ orderId }: OrderReplacement): TrackedOrder => {
    const order = this.#writer.blotter.byId(orderId);
    if (order === undefined) throw new InvariantError(`update of an unknown order: ${orderId}`);
    return order;
  };

  #cancel(order: TrackedOrder | undefined): TrackedOrder | null {
    if (order === undefined) return null;
    this.#writer.ask(order, 'cancel-sent');
    return order;
  }

  /** Orders with a create or update under way are left out: its answer decides about them. */
  #cancelScope(scope: CancelScope): TrackedOrder[] {
    const { blotter } = this.#writer;
    const markets = scope.kind === 'market' ? [scope.marketId] : [...blotter.markets()];
    const inScope = markets
      .flatMap((market) => blotter.working(market))
      .filter(
        ({ eventId, state }) => eventId === scope.eventId && state !== 'creating' && state !== 'updating',
      );
    for (const order of inScope) this.#writer.ask(order, 'cancel-sent');
    return inScope;
  }

  #sentAgain(open: OpenRequest): void {
    open.inFlight = true;
    open.sentAt = this.#writer.at;
    open.replays += 1;
    for (const order of open.replaced) if (order.state === 'unknown') this.#writer.ask(order, 'update-sent');
    for (const order of open.orders)
      if (order?.state === 'unknown' && order.orderId === null) this.#writer.ask(order, 'create-sent');
  }
}
