import { bookSide } from '../../../domain/vocabulary.js';
import type { QuotedMarket } from '../quoting/quoted-market.js';
import type { EventId, MarketId } from '../../../domain/ids.js';
import type { AnswerNews, Refused } from '../../execution/desk.js';
import type { OrderNews, OwnOrder } from '../../execution/orders/own-order.js';
import { lockOf, type MarketTerms } from '../../execution/planning/market-terms.js';
import { reactionTo, refusedPartOf } from '../../execution/reactions.js';
import type { Micros } from '../../../domain/units.js';
import { OBJECTIONS, type OtherHands } from '../quoting/last-look.js';
import { type BarredOrders, refusalContextOf, type RulesParts } from '../quoting/venue-rules.js';
import type { Alarms } from '../guarding/alarms.js';
import type { Funds } from '../quoting/funds.js';
import type { Guards } from '../guarding/guards.js';
import type { KillSwitch } from '../../risk/index.js';
import type { Life } from '../departure.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { Notices } from '../guarding/notices.js';
import type { EngineObserver } from '../observing/observer.js';
import type { Positions } from './positions.js';
import type { Tally } from './tally.js';

/** What news of orders may change. */
export interface ReactionParts extends RulesParts {
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly mirror: Mirror;
  readonly quoted: ReadonlyMap<MarketId, Pick<QuotedMarket, 'wantedToTake'>>;
  readonly otherHands: OtherHands;
  readonly positions: Positions;
  readonly funds: Funds;
  readonly barredOrders: BarredOrders;
  readonly guards: Guards;
  readonly killSwitch: KillSwitch;
  readonly notices: Notices;
  readonly alarms: Alarms;
  readonly tally: Tally;
  readonly life: Life;
  readonly observer: EngineObserver | null;
}

const NO_MARKETS: readonly MarketId[] = [];

/** Why the gateway keeps the first byte of a request back. Any other reason is free text, and counts as `not-sent`. */
const WITHHELD: ReadonlySet<string> = new Set(['journal', 'deadline', 'clock']);

/** Carries news of orders on to holdings, guards, notices and the kill switch. */
export class OrderReactions {
  private refusedKeys: string | null = null;

  constructor(private readonly parts: ReactionParts) {}

  /** The code with which the venue refused our keys; null while it accepts them. */
  get keysRefused(): string | null {
    return this.refusedKeys;
  }

  /** @returns the markets to look at again */
  heard(news: readonly OrderNews[], at: Micros): readonly MarketId[] {
    if (news.length === 0) return NO_MARKETS;
    this.tellFound(news, at);
    const markets: MarketId[] = [];
    for (const item of news) {
      const concerned = this.one(item, at);
      if (typeof concerned === 'string') markets.push(concerned);
      else markets.push(...concerned);
    }
    return markets;
  }

  /** Refusals of the venue that reach beyond the order. */
  refused({ refused }: AnswerNews, at: Micros): void {
    for (const refusal of refused) this.react(refusal, at);
  }

  private one(item: OrderNews, at: Micros): MarketId | readonly MarketId[] {
    const { tally, mirror, notices } = this.parts;
    switch (item.kind) {
      case 'filled':
        return this.filled(item, at);
      case 'ended':
        return item.order.marketId;
      case 'processed':
      case 'certain':
        return item.order.marketId;
      case 'refused':
        this.orderRefused(item, at);
        return item.order.marketId;
      case 'not-sent':
        this.heldBack(item.reason, at);
        return item.order.marketId;
      case 'claimed':
        return NO_MARKETS;
      case 'found':
        return this.found(item.order, at);
      case 'foreign':
        notices.info(
          'order-foreign',
          `${describe(item.order)} is not ours and is left alone`,
          item.order.marketId,
          at,
        );
        return this.placedByHand(item.order, at);
      case 'ambiguous':
        notices.warn(
          'order-ambiguous',
          `${describe(item.order)} may or may not be ours: look`,
          item.order.marketId,
          at,
        );
        return this.placedByHand(item.order, at);
      case 'vanished':
        mirror.distrust('holdings', at);
        tally.differed('order');
        notices.warn(
          'order-vanished',
          `${describe(item.order)} ended unseen; holdings are read again`,
          item.order.marketId,
          at,
        );
        return item.order.marketId;
      case 'contradicted':
        notices.warn(
          'listing-contradicted',
          `an empty listing contradicts ${item.orders} known orders; asking again`,
          null,
          at,
        );
        return [];
    }
  }

  /**
   * What is held is the account's, whoever traded it. Figures of the run are of its currency, for nothing is summed
   * across currencies; guards and counts are of its own orders, for what other hands trade they mean to.
   */
  private filled({ fill, order }: FilledOrder, at: Micros): MarketId | readonly MarketId[] {
    const { positions, guards, tally, observer } = this.parts;
    positions.filled(fill, at);
    if (fill.currency !== positions.currency) return fill.marketId;
    observer?.filled?.(fill, at);
    if (order.ownership !== 'ours') return this.counting(fill);
    const side = bookSide(fill.side, fill.position);
    const isWanted = this.parts.quoted.get(fill.marketId)?.wantedToTake(side, at) === true;
    tally.filled(fill, isWanted);
    return [fill.marketId, ...guards.filled(fill, at, isWanted)];
  }

  private placedByHand(order: OwnOrder, at: Micros): readonly MarketId[] {
    this.heedLock(order, at);
    this.parts.otherHands.placed(order.eventId, at);
    return this.counting(order);
  }

  /** A start's balance comes before its listing as well as after it: what that alone tells of was locked in either. */
  private heedLock(order: OwnOrder, at: Micros): void {
    const { marketId, side, currency, price, remaining, heardAt } = order;
    const { life, positions, terms } = this.parts;
    const known = terms.get(marketId);
    if (life.phase !== 'starting' || heardAt !== null || side !== 'bid' || known === undefined) return;
    if (currency === known.currency)
      positions.portfolio.wasLocked(currency, lockOf(price, remaining, known), at);
  }

  /**
   * What other hands do uses up what the event may lose: whatever passed the gate in any of its markets and has not left
   * yet is looked at again.
   */
  private counting({
    eventId,
    marketId,
    currency,
  }: Pick<OwnOrder, 'eventId' | 'marketId' | 'currency'>): readonly MarketId[] {
    const { positions, mirror } = this.parts;
    if (currency !== positions.currency) return [marketId];
    return mirror.event(eventId).markets.map(({ id }) => id);
  }

  /** What the refusal says of the order itself; what it says of the market or the account, {@link refused} hears. */
  private orderRefused(refused: RefusedOrder, at: Micros): void {
    const { funds, mirror } = this.parts;
    const { order, means } = refused;
    const { kind } = reactionTo(means);
    if (kind === 'drop-intent') this.ruleBroken(refused, at);
    if (kind !== 'read-balances') return;
    if (order.side === 'bid') funds.refused(order, at);
    else mirror.distrust('holdings', at);
  }

  /** It broke a rule that only the venue knows: it would be refused again, and others like it. */
  private ruleBroken({ order, code, means, fields, detail }: RefusedOrder, at: Micros): void {
    const { barredOrders, alarms } = this.parts;
    const { marketId, side, position, price, requested } = order;
    const terms = { marketId, side, position, price, shares: requested };
    const part = refusedPartOf({ means, fields });
    const reason = detail === undefined ? code : `${code}: ${detail}`;
    if (part === null) return barredOrders.bar(terms, reason, at);
    const learned = barredOrders.learn(part, terms, refusalContextOf(this.parts, order, at), reason, at);
    const isOffGrid = part === 'price' && learned.tickUnits > 1;
    if (isOffGrid && this.parts.mirror.learnGrid(marketId, learned.tickUnits, at)) return;
    alarms.ordersRefused(marketId, learned, at);
  }

  /** Names each order that rested at the start: a person may have placed it. */
  private tellFound(news: readonly OrderNews[], at: Micros): void {
    const { notices, life } = this.parts;
    if (life.phase === 'running') return;
    const found = news.flatMap((item) => (item.kind === 'found' ? [item.order] : []));
    for (const market of new Set(found.map(({ marketId }) => marketId))) {
      const orders = found.filter(({ marketId }) => marketId === market);
      notices.warn(
        'order-found',
        `rested before and count as ours now: ${orders.map(describe).join(', ')}`,
        market,
        at,
      );
    }
  }

  /** What rested at the start is told of by {@link tellFound}; what appears later is nobody's whom we know. */
  private found(order: OwnOrder, at: Micros): MarketId {
    const { notices, guards, life } = this.parts;
    const { marketId } = order;
    this.heedLock(order, at);
    if (life.phase !== 'running') return marketId;
    guards.foundUnexplained(order);
    const text = `${describe(order)} is none that this run asked for; the market is left until it is gone`;
    notices.say({ level: 'error', code: 'order-unexplained', text, marketId }, at);
    return marketId;
  }

  /** What the last look held back is planned again; that is no news for a person. */
  private heldBack(reason: string, at: Micros): void {
    const { tally, notices } = this.parts;
    const isObjection = (OBJECTIONS as readonly string[]).includes(reason);
    tally.refused(isObjection || WITHHELD.has(reason) ? reason : 'not-sent');
    if (isObjection) return;
    notices.warn('not-sent', `orders do not leave: ${reason}`, null, at);
  }

  private react({ code, detail, reaction, marketId }: Refused, at: Micros): void {
    const { notices, killSwitch, mirror, tally } = this.parts;
    tally.refused(code);
    const text = `the venue answered ${code}${detail === undefined ? '' : `: ${detail}`}`;
    notices.say({ level: reaction.notice, code: `venue-${reaction.kind}`, text, marketId }, at);
    if (reaction.kind === 'stop-trading') killSwitch.latch(text, at, 'venue-refusal');
    if (reaction.kind === 'keys-refused') this.refusedKeys = code;
    if (reaction.kind === 'read-event' && marketId !== null) mirror.doubt(this.eventOf(marketId), at);
  }

  private eventOf(market: MarketId): EventId {
    return this.parts.mirror.market(market).event.id;
  }
}

type FilledOrder = Extract<OrderNews, { readonly kind: 'filled' }>;
type RefusedOrder = Extract<OrderNews, { readonly kind: 'refused' }>;

const describe = (order: OwnOrder): string =>
  `order ${order.orderId ?? 'without a number'} (${order.side} ${order.requested / 100} ${order.position} at ${order.price / 10_000})`;
