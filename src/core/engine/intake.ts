import type { MarketId } from '../../domain/ids.js';
import { type Answer, isPending } from '../../domain/answers.js';
import type {
  LinkInput,
  FairValueUpdate,
  OutsideValue,
  Input,
  OperatorCommand,
  Stamped,
  SubscriptionInput,
} from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { OrderNews } from '../execution/orders/own-order.js';
import type { Bookkeeping } from './accounting/bookkeeping.js';
import type { Operator } from './operator.js';
import { tellOfVolume } from './observing/observation.js';
import type { OrderReactions } from './accounting/order-reactions.js';
import type { Quoters } from './quoting/quoters.js';
import type { StartOrders } from './start-orders.js';
import { speaksOfStatus } from './guarding/reversals.js';
import type { WithdrawalNews } from './departure.js';
import type { Alarms } from './guarding/alarms.js';
import type { FailingRequests } from './guarding/failing-requests.js';
import type { ConnectionNews } from './guarding/connection.js';
import type { Desk } from '../execution/desk.js';
import type { FairValues } from './quoting/fair-values.js';
import type { Guards } from './guarding/guards.js';
import type { Finding } from '../mirror/findings.js';
import type { MarketRecord } from '../mirror/events/catalogue.js';
import type { Mirror } from '../mirror/mirror.js';
import type { Notices } from './guarding/notices.js';
import type { EngineObserver } from './observing/observer.js';
import type { Positions } from './accounting/positions.js';
import type { Tally } from './accounting/tally.js';
import type { EngineOptions } from './options.js';

/** What inputs are handed to. */
export interface HeardParts {
  readonly options: EngineOptions;
  readonly mirror: Mirror;
  readonly desk: Desk;
  readonly positions: Positions;
  readonly fairValues: FairValues;
  readonly guards: Guards;
  readonly notices: Notices;
  readonly alarms: Alarms;
  readonly failing: FailingRequests;
  readonly connectionNews: ConnectionNews;
  readonly tally: Tally;
  readonly observer: EngineObserver | null;
}

/** Who takes inputs in. */
export interface IntakeParts {
  readonly parts: HeardParts;
  readonly quoters: Quoters;
  readonly reactions: OrderReactions;
  readonly startOrders: StartOrders;
  readonly bookkeeping: Bookkeeping;
  readonly withdrawalNews: WithdrawalNews;
  readonly operator: Operator;
}

const unreadableText = ({ event, channel, reason }: Extract<Input, { readonly kind: 'malformed' }>): string =>
  `a message${event === '' ? '' : ` ${event}`}${channel === '' ? '' : ` of channel ${channel}`} could not be read (${reason}): it changes nothing, and what it meant is found out by the next read`;

type GridLearned = Extract<Finding, { readonly kind: 'grid-learned' }>;

/** Hands an input to every part that it concerns, and touches the markets that it may matter to. */
export class Intake {
  private knownMarkets = 0;

  constructor(private readonly into: IntakeParts) {}

  take(stamped: Stamped): void {
    const { tally, mirror, guards, positions } = this.into.parts;
    const { input, at } = stamped;
    tally.input(input);
    mirror.apply(stamped);
    if (speaksOfStatus(input)) {
      const markets = this.spokenOf(input);
      positions.heard(input, at, markets);
      guards.reversals.heard(input, markets);
    }
    this.handOver(stamped);
  }

  /** Markets of which the input may tell: those of its event, and all of them when others have become known since. */
  private spokenOf(input: Input): readonly Readonly<MarketRecord>[] {
    const { mirror } = this.into.parts;
    const { markets } = mirror;
    if (markets.length === this.knownMarkets) return mirror.spokenOf(input);
    this.knownMarkets = markets.length;
    return markets;
  }

  /** The last look held a request back: an answer of our own, in the step that decided it. */
  withheld(requestId: number, reason: string, at: Micros): void {
    const outcome = { ok: false, failure: { kind: 'not-sent', reason } } as const;
    this.answered({ kind: 'answer', requestId, sentAt: null, calls: 0, outcome }, at);
  }

  /** The book or refusals showed the tick of a market. */
  gridLearned({ marketId, tickUnits }: GridLearned, at: Micros): void {
    const { operator, quoters } = this.into;
    operator.heedGrid(marketId, tickUnits, at);
    quoters.changeTerms(marketId);
    quoters.touch([marketId]);
  }

  private handOver({ input, at }: Stamped): void {
    const { parts } = this.into;
    const { desk, positions, observer, options } = parts;
    const { kind } = input;
    if (kind === 'answer') this.answered(input, at);
    else if (kind === 'order')
      this.heard(desk.reported({ ...input.report, toldAt: input.venueTime }, at), at);
    else if (kind === 'command') this.commanded(input, at);
    else if (kind === 'holding') positions.reported(input.holding, at);
    else if (kind === 'deposit') positions.portfolio.deposited(input.currency, input.amount);
    else if (kind === 'link') this.connected(input, at);
    else if (kind === 'subscription') this.subscribed(input, at);
    else if (kind === 'trade') this.into.quoters.printed(input, at);
    else if (kind === 'outside') for (const value of input.values) this.outside(value, at);
    else if (kind === 'malformed') parts.notices.warn('frame-unreadable', unreadableText(input), null, at);
    else if (kind === 'event-status' && observer !== null)
      tellOfVolume(observer, options.terms.mode, input, at);
  }

  private connected(change: LinkInput, at: Micros): void {
    const { desk, connectionNews, observer } = this.into.parts;
    if (change.state === 'connected') {
      desk.reconnected(at);
      observer?.joined?.(at);
    }
    connectionNews.changed(change, at);
  }

  private subscribed({ about, state }: SubscriptionInput, at: Micros): void {
    if (state !== 'refused' || about.kind !== 'account') return;
    const { desk, observer } = this.into.parts;
    desk.refusedToJoin(at);
    observer?.joined?.(at);
  }

  private answered(answer: Answer, at: Micros): void {
    const { parts, reactions, startOrders, bookkeeping, withdrawalNews } = this.into;
    const { desk, tally, alarms, failing, observer } = parts;
    if (isPending(answer.outcome)) return this.answeredInPart(answer, at);
    tally.answered(answer);
    observer?.answered?.(answer.requestId, answer.calls ?? null, at);
    alarms.answered(answer, at);
    const request = desk.scheduler.underWay(answer.requestId);
    if (request !== undefined) failing.answered(request, answer, at);
    withdrawalNews.answered(answer);
    const news = desk.answered(answer, at);
    this.touch(news.replan);
    this.heard(news.orders, at);
    reactions.refused(news, at);
    startOrders.answered(answer, at);
    this.heardOfFees(answer, at);
    this.touch(bookkeeping.answered(answer, at, (fills) => this.heard(fills, at)));
  }

  /** The rest of the answer may never come: the orders shown so far count already. */
  private answeredInPart(answer: Answer, at: Micros): void {
    const { parts, startOrders } = this.into;
    startOrders.missed();
    this.heard(parts.desk.answeredInPart(answer, at), at);
  }

  private heardOfFees({ outcome }: Answer, at: Micros): void {
    if (!outcome.ok || outcome.body.kind !== 'read-book') return;
    const { operator, quoters } = this.into;
    const { marketId } = outcome.body;
    if (!operator.heedFees(outcome.body, at)) return;
    quoters.changeTerms(marketId);
    quoters.touch([marketId]);
  }

  private heard(news: readonly OrderNews[], at: Micros): void {
    const { parts, reactions } = this.into;
    if (news.length > 0) parts.observer?.heard?.(news);
    for (const item of news)
      if (item.kind === 'filled' && item.order.ownership === 'ours') this.into.quoters.filled(item.fill, at);
    this.touch(reactions.heard(news, at));
  }

  private commanded(command: OperatorCommand, at: Micros): void {
    const { operator, quoters } = this.into;
    operator.carryOut(command, at);
    if (command.command === 'set-terms') quoters.changeTerms(command.marketId);
    quoters.touchAll();
  }

  private outside(value: OutsideValue, at: Micros): void {
    if (value.kind === 'signal') this.into.quoters.told(value);
    else this.valued(value, at);
  }

  private valued(value: FairValueUpdate, at: Micros): void {
    const { fairValues, notices } = this.into.parts;
    if (fairValues.update(value)) this.into.quoters.touch([value.marketId]);
    else notices.warn('fair-value-refused', `${value.p} is no probability`, value.marketId, at);
  }

  private touch(markets: readonly MarketId[]): void {
    this.into.quoters.touch(markets);
  }
}
