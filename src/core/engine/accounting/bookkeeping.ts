import type { Answer } from '../../../domain/answers.js';
import type { MarketId } from '../../../domain/ids.js';
import type { Fill } from '../../../domain/fill.js';
import { currencyUnits, type Micros, type Money, PRICE_ONE, wholeShares } from '../../../domain/units.js';
import type { Desk } from '../../execution/desk.js';
import type { OrderNews } from '../../execution/orders/own-order.js';
import type { HoldingDifference } from '../../portfolio/holding-witness.js';
import type { Funds } from '../quoting/funds.js';
import type { Life } from '../departure.js';
import type { LossWatch } from '../../risk/index.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { Notices } from '../guarding/notices.js';
import type { EngineOptions } from '../options.js';
import type { Positions } from './positions.js';
import type { Tally } from './tally.js';

/** What this part of the engine works with. */
export interface BookkeepingParts {
  readonly options: EngineOptions;
  readonly desk: Desk;
  readonly mirror: Mirror;
  readonly positions: Positions;
  readonly funds: Funds;
  readonly lossWatch: LossWatch;
  readonly notices: Notices;
  readonly tally: Tally;
  readonly life: Life;
}

/** Books fills that are inferred, or corrections of them. */
type Book = (fills: readonly OrderNews[]) => void;

const NONE: readonly MarketId[] = [];
/** Holdings that contradict our fills are read again at most this often, in microseconds. */
const CONTRADICTED_READ_PACE = 2_000_000;

/** Compares what we hold by our fills with what the venue says, and takes the venue's number where they differ for good. */
export class Bookkeeping {
  private notBefore = 0;
  /** When the last answer to a trading request came. */
  private tradedAt = -Infinity;
  /** When holdings were asked for that agreed with our fills last. */
  private agreedAt = -Infinity;

  constructor(private readonly parts: BookkeepingParts) {}

  /**
   * @param book books the fills that are inferred from holdings
   * @returns markets whose holdings were another number
   */
  answered(answer: Answer, at: Micros, book: Book): readonly MarketId[] {
    this.compareCash(answer, at, book);
    if (!isRead(answer)) this.tradedAt = at;
    const { desk, positions, mirror } = this.parts;
    if (mirror.leavesOut(answer)) return NONE;
    const differing = positions.read(answer, (market) => desk.orders.areFillsWithheld(market), at);
    for (const difference of differing) this.settle(difference, at, book);
    this.agree(answer);
    return differing.map(({ marketId }) => marketId);
  }

  /** A holding changes by fills alone: what no order can have traded came otherwise. */
  private settle(difference: HoldingDifference, at: Micros, book: Book): void {
    const { desk, positions, tally, notices } = this.parts;
    const { marketId, position, currency, venue, since } = difference;
    const ours = positions.portfolio.held(marketId, currency, position);
    const came = venue - ours;
    const fills = desk.orders.holdingDiffers(marketId, { position, currency, came, venue, since }, at);
    book(fills);
    const rest = positions.repair(difference, at);
    tally.differed('holding');
    const said = `the venue says ${wholeShares(venue)} ${position} in ${currency}, our fills say ${wholeShares(ours)}`;
    if (fills.length > 0)
      notices.warn('fill-inferred', `${said}: a frame was lost; ${inferredText(fills)}`, marketId, at);
    if (rest !== 0)
      notices.warn(
        'holding-repaired',
        `${said}; its number is taken, no order explains ${wholeShares(rest)}`,
        marketId,
        at,
      );
  }

  /** Asks for holdings when a report has contradicted our fills for too long, and for a balance that may count a lock twice. */
  review(at: Micros): void {
    const { funds, mirror } = this.parts;
    if (funds.areUnclear()) mirror.balanceMoved(at);
    const due = this.readDue();
    if (due === null || at < due || at < this.notBefore) return;
    this.notBefore = at + CONTRADICTED_READ_PACE;
    this.parts.desk.scheduler.read({ kind: 'read-holdings' });
  }

  /** When {@link review} may have something to ask; null when it does not. */
  nextDue(): Micros | null {
    const due = this.readDue();
    return due === null ? null : (Math.max(due, this.notBefore) as Micros);
  }

  private readDue(): Micros | null {
    const { positions, desk } = this.parts;
    const differing = positions.readDue;
    const ended = desk.orders.endsReadDue;
    if (differing === null || ended === null) return differing ?? ended;
    return Math.min(differing, ended) as Micros;
  }

  private agree({ outcome, sentAt }: Answer): void {
    const { positions, desk } = this.parts;
    if (!outcome.ok || outcome.body.kind !== 'read-holdings' || sentAt === null) return;
    if (positions.readDue !== null) return;
    this.agreedAt = sentAt;
    desk.orders.holdingsAgree(sentAt);
  }

  /**
   * What orders lock is known only while no request is under way or in doubt, and was none since the balance was asked
   * for. Orders of an earlier run that may rest where nothing is traded now lock cash, too.
   */
  private compareCash({ outcome, sentAt }: Answer, at: Micros, book: Book): void {
    const { desk, funds, mirror, positions, notices, tally, options } = this.parts;
    if (!outcome.ok || outcome.body.kind !== 'read-balances' || sentAt === null) return;
    funds.margin.balanceRead(at);
    // Other runs of the account change its cash, too.
    if ((options.accountParts ?? 1) > 1) return;
    const { currency } = options.terms;
    const balance = outcome.body.balances.get(currency);
    if (balance === undefined || desk.scheduler.isTrading || desk.orders.doubtful.size > 0) return;
    if (!desk.orders.inherited.areKnown) return;
    if (sentAt <= this.tradedAt) return;
    const whole = (balance + funds.locked()) as Money;
    const difference = positions.portfolio.balanceRead(currency, whole, sentAt);
    if (difference === null) return;
    // A lost fill changes holdings, too: those are asked first.
    if (this.agreedAt <= difference.since || positions.readDue !== null) {
      desk.scheduler.read({ kind: 'read-holdings' });
      return mirror.balanceMoved(at);
    }
    const { ours, venue, residual } = difference;
    const corrections = desk.orders.cashDiffers(currency, residual, at);
    if (corrections.length > 0) return book(corrections);
    positions.portfolio.acceptCash(currency, difference);
    const text = `the venue says ${currencyUnits(venue)} ${currency}, locks included; fills and fees make it ${currencyUnits(ours)}: ${currencyUnits(residual)} came otherwise`;
    tally.differed('cash');
    notices.warn('cash-differs', text, null, at);
  }
}

const inferredText = (fills: readonly OrderNews[]): string =>
  fills.flatMap((item) => (item.kind === 'filled' ? [textOf(item.fill)] : [])).join(', ');

const textOf = ({ orderId, shares, side, position, amount }: Fill): string =>
  shares < 0
    ? `${wholeShares(shares)} shares of order ${orderId} are taken back`
    : `order ${orderId} is taken to have ${side === 'bid' ? 'bought' : 'sold'} ${wholeShares(shares)} ${position} at ${amount / shares / PRICE_ONE}`;

/** A failure does not say what kind of request it answers. */
const isRead = ({ outcome }: Answer): boolean => outcome.ok && outcome.body.kind.startsWith('read-');

/** Losses count from the moment the run quotes: before, only the value of the shares held becomes known. */
export function watchLosses({ life, lossWatch, positions }: BookkeepingParts, at: Micros): void {
  if (life.phase === 'starting') lossWatch.open(positions.profit());
  else lossWatch.check(positions.profit(), at);
}
