import type { Answer } from '../../../domain/answers.js';
import type { MarketId } from '../../../domain/ids.js';
import { currencyUnits, type Micros, type Money, wholeShares } from '../../../domain/units.js';
import type { Desk } from '../../execution/desk.js';
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

/** Holdings that contradict our fills are read again at most this often, in microseconds. */
const CONTRADICTED_READ_PACE = 2_000_000;

/** Compares what we hold by our fills with what the venue says, and takes the venue's number where they differ for good. */
export class Bookkeeping {
  private notBefore = 0;
  /** When the last answer to a trading request came. */
  private tradedAt = -Infinity;

  constructor(private readonly parts: BookkeepingParts) {}

  /** @returns markets whose holdings were repaired */
  answered(answer: Answer, at: Micros): readonly MarketId[] {
    this.compareCash(answer, at);
    if (!isRead(answer)) this.tradedAt = at;
    const { desk, positions, tally, notices } = this.parts;
    const repaired = positions.read(answer, (market) => desk.orders.areFillsWithheld(market), at);
    for (const { marketId, position, currency, ours, venue } of repaired) {
      desk.orders.holdingRepaired(marketId, { position, currency, came: venue - ours }, at);
      const text = `the venue says ${wholeShares(venue)} ${position} in ${currency}, our fills say ${wholeShares(ours)}; its number is taken`;
      tally.differed('holding');
      notices.warn('holding-repaired', text, marketId, at);
    }
    this.agree(answer);
    return repaired.map(({ marketId }) => marketId);
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
    if (positions.readDue === null) desk.orders.holdingsAgree(sentAt);
  }

  /**
   * What orders lock is known only while no request is under way or in doubt, and was none since the balance was asked
   * for. Orders of an earlier run that may rest where nothing is traded now lock cash, too.
   */
  private compareCash({ outcome, sentAt }: Answer, at: Micros): void {
    const { desk, funds, positions, notices, tally, options } = this.parts;
    if (!outcome.ok || outcome.body.kind !== 'read-balances' || sentAt === null) return;
    funds.margin.balanceRead(at);
    const { currency } = options.terms;
    const balance = outcome.body.balances.get(currency);
    if (balance === undefined || desk.scheduler.isTrading || desk.orders.doubtful.size > 0) return;
    if (!desk.orders.inherited.areKnown) return;
    if (sentAt <= this.tradedAt) return;
    const whole = (balance + funds.locked()) as Money;
    const difference = positions.portfolio.balanceRead(currency, whole, sentAt);
    if (difference === null) return;
    positions.portfolio.acceptCash(currency, difference);
    const { ours, venue, residual } = difference;
    const text = `the venue says ${currencyUnits(venue)} ${currency}, locks included; fills and fees make it ${currencyUnits(ours)}: ${currencyUnits(residual)} came otherwise`;
    tally.differed('cash');
    notices.warn('cash-differs', text, null, at);
  }
}

/** A failure does not say what kind of request it answers. */
const isRead = ({ outcome }: Answer): boolean => outcome.ok && outcome.body.kind.startsWith('read-');

/** Losses count from the moment the run quotes: before, only the value of the shares held becomes known. */
export function watchLosses({ life, lossWatch, positions }: BookkeepingParts, at: Micros): void {
  if (life.phase === 'starting') lossWatch.open(positions.profit());
  else lossWatch.check(positions.profit(), at);
}
