/** Withdraws every order that a bot left at the venue, and proves it. */
import type { EventId, MarketId, OrderId } from '../../domain/ids.js';
import type { RequestFailure } from '../../domain/answers.js';
import type { OrderReport } from '../../domain/orders.js';
import type { MarketOwnership } from '../../domain/vocabulary.js';
import { leftBehind, type JournalWork } from '../../core/execution/orders/left-behind.js';
import { EMPTY_LISTINGS } from '../../core/execution/sending/request-cost.js';
import type { Clock } from '../../core/ports/clock.js';
import { CANCEL_IDS_MOST } from '../../venues/futuur/protocol/profile.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { pauseFor } from '../../storage/clocks/pause.js';
import { AmbiguousOrders, NamedOrders } from './order-proof.js';

export interface TradedMarket {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly ownership: MarketOwnership;
}

export type WithdrawalNews =
  | { readonly kind: 'swept'; readonly marketId: MarketId; readonly orders: number }
  | { readonly kind: 'cancelled'; readonly orderIds: readonly OrderId[] }
  /** A request was refused or lost. It is tried again. */
  | { readonly kind: 'failed'; readonly failure: RequestFailure }
  | { readonly kind: 'journal-unreadable'; readonly error: Error }
  /** The venue does not cancel these now, for example because they are in processing. The cancel is repeated. */
  | { readonly kind: 'held'; readonly orderIds: readonly OrderId[]; readonly reason: string }
  | { readonly kind: 'ambiguous'; readonly orderIds: readonly OrderId[] }
  /** The journal names these, and no listing shows them. They are cancelled by id. Reported once for each order. */
  | { readonly kind: 'unseen'; readonly orderIds: readonly OrderId[] }
  /** Two complete listings show no order of ours. Requests under way may still take effect. */
  | { readonly kind: 'empty' };

export interface WithdrawalOptions {
  readonly rest: Pick<RestClient, 'activeOrders' | 'batchCancel' | 'cancelScope'>;
  readonly markets: readonly TradedMarket[];
  /** Reads what the journal names now. */
  readonly work: () => JournalWork;
  /** Nothing counts as proof before this monotonic time: a signed request may take effect until then. */
  readonly lookUntil: (work: JournalWork) => number;
  /** Microseconds by which the clocks of bot and venue may differ. */
  readonly windowUs: number;
  readonly clock: Clock;
  readonly tell: (news: WithdrawalNews) => void;
}

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;
/** Pause between listings while no order is open and requests under way may still take effect. */
export const WAITING_MS = 5_000;
/** Most unlisted orders that are cancelled between two listings, so that a late order does not wait for all of them. */
const UNSEEN_MOST = 5 * CANCEL_IDS_MOST;
const NONE: ReadonlySet<OrderId> = new Set();
const NOTHING_NAMED: JournalWork = { named: new Set(), lost: [] };

export class Withdrawal {
  private readonly ownership: ReadonlyMap<MarketId, MarketOwnership>;
  /** Exclusive markets that were not cancelled as a whole yet. */
  private readonly unswept: Set<TradedMarket>;
  /** null: the journal was not readable yet. */
  private work: JournalWork | null = null;
  private begunAt = 0;
  private isFirstRound = true;
  /** Most ids of one cancel. Halved when the venue refuses that many. */
  private cancelMost = CANCEL_IDS_MOST;
  private proofs = 0;
  private failures = 0;
  private retryAfterMs = 0;
  /** The venue cannot be reached. */
  private isAway = false;
  private readonly ambiguous = new AmbiguousOrders();
  private toldAmbiguous = '';
  /** Orders that the venue would not cancel, as last reported. */
  private held = '';
  /** Why the journal could not be read, as last reported. */
  private unreadable = '';
  private readonly names = new NamedOrders();
  private readonly toldUnseen = new Set<OrderId>();

  constructor(private readonly options: WithdrawalOptions) {
    const { markets } = options;
    this.ownership = new Map(markets.map(({ marketId, ownership }) => [marketId, ownership]));
    this.unswept = new Set(markets.filter(({ ownership }) => ownership === 'exclusive'));
  }

  /** Ambiguous orders were left open. A person has to look at them. */
  get leavesDoubt(): boolean {
    const isUnnamed = this.work === null && [...this.ownership.values()].includes('shared');
    return this.ambiguous.open.length > 0 || isUnnamed;
  }

  /**
   * Cancels and lists until every order is proved gone.
   * @returns false after a signal
   */
  async run(signal: AbortSignal): Promise<boolean> {
    this.begunAt = this.options.clock.monotonic();
    while (!signal.aborted) {
      const startedAt = this.options.clock.monotonic();
      this.readJournal();
      await this.round(signal);
      if (this.isProved(startedAt)) return true;
      await pauseFor(this.options.clock, this.pauseMs(), signal);
    }
    return false;
  }

  private isProved(startedAt: number): boolean {
    return this.proofs >= EMPTY_LISTINGS && startedAt >= this.lookUntil();
  }

  /** A journal that cannot be read may name a request that left just now. */
  private lookUntil(): number {
    const { lookUntil, windowUs } = this.options;
    const unread = this.work === null ? this.begunAt + windowUs : 0;
    return Math.max(unread, lookUntil(this.work ?? NOTHING_NAMED));
  }

  /** Reads the journal. While it is unreadable, earlier contents count. */
  private readJournal(): void {
    try {
      this.work = this.options.work();
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.unreadable)
        this.options.tell({ kind: 'journal-unreadable', error: error as Error });
      this.unreadable = message;
    }
  }

  private async round(signal: AbortSignal): Promise<void> {
    this.retryAfterMs = 0;
    this.isAway = false;
    await this.begin();
    if (!this.isTurnedAway) await this.sweep(signal);
    if (this.isTurnedAway) return;
    const listing = await this.options.rest.activeOrders();
    if (listing.ok) await this.judge(listing.value);
    else this.failed(listing.failure);
  }

  /** Ends the round: the venue cannot be reached, or asks to wait. */
  private get isTurnedAway(): boolean {
    return this.retryAfterMs > 0 || this.isAway;
  }

  /** Cancels the orders of the journal before the first listing, because one request takes hundreds of ids. */
  private async begin(): Promise<void> {
    const named = this.isFirstRound ? this.names.open(this.work?.named ?? NONE) : [];
    this.isFirstRound = false;
    if (named.length > 0) await this.cancel([], named);
  }

  /** Exclusive markets with orders of unknown ids: an answer was lost, or the journal is unreadable. */
  private get nameless(): readonly TradedMarket[] {
    const { work } = this;
    if (work === null) return [...this.unswept];
    const markets = new Set(work.lost.map(({ marketId }) => marketId));
    return [...this.unswept].filter(({ marketId }) => markets.has(marketId));
  }

  /** Cancels whole markets, which needs no ids and no listing. A market that fails goes to the end. */
  private async sweep(signal: AbortSignal): Promise<void> {
    for (const market of this.nameless) {
      if (signal.aborted) return;
      const { eventId, marketId } = market;
      const outcome = await this.options.rest.cancelScope({ kind: 'market', eventId, marketId });
      this.unswept.delete(market);
      if (outcome.ok) this.swept(marketId, outcome.value.canceledIds);
      else this.failed(outcome.failure);
      if (outcome.ok || isFinal(outcome.failure)) continue;
      this.unswept.add(market);
      return;
    }
  }

  private swept(marketId: MarketId, orderIds: readonly OrderId[]): void {
    const at = this.options.clock.monotonic();
    for (const id of orderIds) this.names.answered(id, true, at);
    this.options.tell({ kind: 'swept', marketId, orders: orderIds.length });
  }

  private async judge(listed: readonly OrderReport[]): Promise<void> {
    const { windowUs } = this.options;
    const ownershipOf = (market: MarketId): MarketOwnership | null => this.ownership.get(market) ?? null;
    const work = this.work ?? NOTHING_NAMED;
    const { ours, ambiguous } = leftBehind(listed, ownershipOf, work, windowUs);
    this.note(ambiguous, work, listed.length === 0);
    const shown = ours.map(({ orderId }) => orderId);
    this.names.shown(shown);
    const unseen = this.unseen(work, listed);
    if (shown.length + unseen.length > 0) return this.cancel(shown, unseen);
    if (this.nameless.length > 0) return;
    this.failures = 0;
    this.proofs += 1;
    if (this.proofs === EMPTY_LISTINGS) this.options.tell({ kind: 'empty' });
  }

  /** Orders of the journal that no listing shows and that have no proof of their end. */
  private unseen({ named }: JournalWork, listed: readonly OrderReport[]): readonly OrderId[] {
    const shown = new Set(listed.map(({ orderId }) => orderId));
    const unseen = this.names.open(named).filter((id) => !shown.has(id));
    const news = unseen.filter((id) => !this.toldUnseen.has(id));
    if (news.length > 0) this.options.tell({ kind: 'unseen', orderIds: news });
    for (const id of news) this.toldUnseen.add(id);
    return unseen;
  }

  /** Reports refused cancels of listed orders only. Most unlisted orders have ended, so their cancels are refused. */
  private async cancel(shown: readonly OrderId[], unseen: readonly OrderId[]): Promise<void> {
    this.proofs = 0;
    const { clock, rest, tell } = this.options;
    const due = unseen.filter((id) => this.names.isDue(id, clock.monotonic()));
    const orderIds = [...shown, ...due.slice(0, UNSEEN_MOST)];
    const held: OrderId[] = [];
    let reason = '';
    const most = this.cancelMost;
    for (let from = 0; from < orderIds.length; from += most) {
      const asked = orderIds.slice(from, from + most);
      const outcome = await rest.batchCancel(asked);
      if (!outcome.ok) return this.cancelFailed(outcome.failure, asked.length);
      const { items } = outcome.value;
      const cancelled = items.flatMap((item) => (item.ok ? [item.value] : []));
      if (cancelled.length > 0) tell({ kind: 'cancelled', orderIds: cancelled });
      items.forEach((item, at) => {
        this.names.answered(asked[at]!, item.ok, clock.monotonic());
        if (item.ok || from + at >= shown.length) return;
        held.push(asked[at]!);
        reason = item.detail ?? item.code;
      });
    }
    this.hold(held, reason);
  }

  private cancelFailed(failure: RequestFailure, asked: number): void {
    if (failure.kind === 'refused' && failure.means === 'invalid') this.cancelMost = Math.ceil(asked / 2);
    this.failed(failure);
  }

  private hold(orderIds: readonly OrderId[], reason: string): void {
    const held = orderIds.join();
    if (held !== this.held && held !== '') this.options.tell({ kind: 'held', orderIds, reason });
    this.held = held;
  }

  private note(shown: readonly OrderReport[], work: JournalWork, isEmpty: boolean): void {
    const { named, foreign = NONE, ambiguous = NONE } = work;
    const isPlaced = (id: OrderId): boolean => named.has(id) || foreign.has(id);
    const ids = shown.map(({ orderId }) => orderId);
    this.ambiguous.listed(ids, ambiguous, isEmpty, isPlaced);
    const { open } = this.ambiguous;
    const told = open.join();
    if (told !== this.toldAmbiguous && told !== '') this.options.tell({ kind: 'ambiguous', orderIds: open });
    this.toldAmbiguous = told;
  }

  private failed(failure: RequestFailure): void {
    this.proofs = 0;
    this.failures += 1;
    this.isAway = failure.kind === 'not-sent';
    if (failure.kind === 'refused')
      this.retryAfterMs = Math.max(this.retryAfterMs, failure.retryAfterMs ?? 0);
    this.options.tell({ kind: 'failed', failure });
  }

  private pauseMs(): number {
    if (this.proofs >= EMPTY_LISTINGS) return WAITING_MS;
    const growing = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, this.failures - 1), LAST_PAUSE_MS);
    return Math.max(growing, this.retryAfterMs);
  }
}

/** The venue never cancels this market as a whole. A listing shows its open orders. */
const isFinal = (failure: RequestFailure): boolean =>
  failure.kind === 'refused' && (failure.status === 400 || failure.status === 404);
