import type { Answer, AnswerBody } from '../../domain/answers.js';
import type { Micros } from '../../domain/units.js';
import { signedAt } from '../execution/orders/left-behind.js';
import type { OwnOrder } from '../execution/orders/own-order.js';
import type { JournalRecord } from '../ports/journal.js';
import type { QuotedMarket } from './quoting/quoted-market.js';
import type { Desk } from '../execution/desk.js';
import type { Life } from './departure.js';
import type { Mirror } from '../mirror/mirror.js';
import type { EngineOptions } from './options.js';
import type { Positions } from './accounting/positions.js';
import type { MarketId } from '../../domain/ids.js';

/** What this part of the engine works with. */
export interface StartOrdersParts {
  readonly options: EngineOptions;
  readonly mirror: Mirror;
  readonly desk: Desk;
  readonly positions: Positions;
  readonly life: Life;
  readonly quoted: ReadonlyMap<MarketId, QuotedMarket>;
}

/** How long orders to be adopted are left alone until every quoted market is known, in microseconds. */
const ADOPTION = 10_000_000;

/**
 * Own orders that rested before this run began. The first or second complete listing finds them; the answer to a cancel
 * tells of the others. With `cancel` quoting waits until they are gone. With `adopt` it waits until every quoted market can
 * be judged, and orders that still fit stay. In a market that does not trade nothing is adopted.
 */
export class StartOrders {
  private wasListed = false;
  /** A listing missed some of them: only a read of holdings tells what of those was filled. */
  private wereMissed = false;
  /** Since when all of them are known. */
  private knownAt: Micros | null = null;

  constructor(
    private readonly parts: StartOrdersParts,
    startedAt: Micros,
  ) {
    const { desk, options } = parts;
    desk.orders.recover(options.recovered.map((record) => byOurClock(record, options.venueAhead, startedAt)));
  }

  answered({ outcome }: Answer, at: Micros): void {
    const { orders } = this.parts.desk;
    if (outcome.ok && outcome.body.kind === 'read-orders') this.listed(outcome.body);
    if (orders.inherited.missed.length > 0) this.wereMissed = true;
    if (this.knownAt !== null || !this.wasListed || !orders.inherited.areKnown) return;
    this.knownAt = at;
    if (this.wereMissed) this.parts.mirror.distrust('holdings', at);
  }

  /** A listing did not show every order that was known. */
  missed(): void {
    this.wereMissed = true;
  }

  /** An order found in the lists of ended orders has ended, but when is unknown: holdings may have been read before. */
  private listed({ ended }: Extract<AnswerBody, { readonly kind: 'read-orders' }>): void {
    this.wasListed = true;
    if (ended !== undefined) this.missed();
  }

  /** Whether quoting may begin. */
  areSettled(now: Micros): boolean {
    if (this.knownAt === null || !this.areHoldingsKnown) return false;
    if (this.parts.options.startOrders === 'cancel') return this.isEmpty();
    return now >= this.knownAt + ADOPTION || this.canJudge(now);
  }

  /** When time alone lets quoting begin; null when it does not. */
  nextDue(): Micros | null {
    const { life, options } = this.parts;
    if (life.phase !== 'starting' || options.startOrders === 'cancel' || this.knownAt === null) return null;
    return (this.knownAt + ADOPTION) as Micros;
  }

  private get areHoldingsKnown(): boolean {
    const { positions, mirror } = this.parts;
    if (!this.wereMissed) return positions.areOpened;
    return mirror.isRead('holdings') && positions.readDue === null;
  }

  private isEmpty(): boolean {
    const { orders } = this.parts.desk;
    for (const market of orders.markets())
      if (orders.own(market).working.some((order) => this.isInTheWay(order))) return false;
    return true;
  }

  /** An order without an id in a market that was cancelled whole does not block: if it still appears, it is cancelled. */
  private isInTheWay({ ownership, orderId, marketId, failedCancels }: OwnOrder): boolean {
    if (ownership !== 'ours') return false;
    const isSwept = failedCancels > 0 && this.parts.options.ownership.get(marketId) === 'exclusive';
    return orderId !== null || !isSwept;
  }

  private canJudge(now: Micros): boolean {
    for (const market of this.parts.quoted.values()) if (!this.isKnown(market, now)) return false;
    return true;
  }

  private isKnown({ marketId }: QuotedMarket, now: Micros): boolean {
    const { mirror } = this.parts;
    const { state } = mirror.tradability(marketId, now);
    if (state !== 'tradable') return state !== 'unknown';
    return mirror.freshness(marketId).state === 'live';
  }
}

/** Times of requests by our clock of today: none is later than now, even if the clock was set back since. */
const byOurClock = (record: JournalRecord, venueAhead: number, now: Micros): JournalRecord =>
  record.kind === 'request'
    ? { ...record, at: Math.min(signedAt(record, venueAhead), now) as Micros }
    : record;
