import type { MarketId } from '../../../domain/ids.js';
import { dearerFee } from '../../../domain/locks.js';
import {
  knownPrice,
  type Micros,
  type Money,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
} from '../../../domain/units.js';
import type { Position } from '../../../domain/vocabulary.js';
import type { EventExposure } from '../../portfolio/event-exposure.js';
import type { NetRange, Proposal, RiskTerms, RiskView } from '../../risk/index.js';
import type { EngineParts, QuotedMarket } from '../parts.js';
import type { PromisedItem } from '../accounting/promised-orders.js';
import type { Exposure } from './exposure.js';

/** The same for all orders of one plan: nothing comes in while it is judged. */
interface Ground extends RiskTerms {
  readonly fair: PriceUnits | null;
  readonly mid: PriceUnits | null;
  /** Net long shares. */
  readonly least: Shares;
  readonly most: Shares;
  /** Net long shares if all that stand on one side fill. */
  readonly low: number;
  readonly high: number;
  readonly event: EventExposure;
}

/** What the risk rules may look at while a plan of one market is judged, order by order. */
export class MarketExposure implements RiskView {
  private read: Ground | null = null;
  /** See {@link quoteRoom}, as it was last asked for of this plan; infinite where it was not, or nothing bounds it. */
  private readonly rooms: Record<Position, number> = { long: Infinity, short: Infinity };

  constructor(
    private readonly parts: EngineParts,
    private readonly run: Exposure,
    private readonly market: MarketId,
  ) {}

  /** A new plan replaces the one before: what was approved for that one will not be sent. */
  begin(): void {
    this.read = null;
    this.rooms.long = Infinity;
    this.rooms.short = Infinity;
    this.run.promised.forget(this.market);
    this.run.awaited.forget(this.market);
  }

  /** An order passed the gate and is to leave. */
  promise(item: PromisedItem, proposal: Proposal): void {
    this.run.promised.add(item, proposal);
    this.run.changedIn(this.market);
    if (this.outbids(proposal)) this.run.outbids(this.market);
  }

  /** What was refused may pass once other quotes of the event have stepped back. */
  awaitQuotes(): void {
    const { quotes } = this.ground.event;
    if (quotes !== null) this.run.awaited.await(this.market, quotes);
  }

  terms(): RiskTerms {
    return this.ground;
  }

  fairValue(): PriceUnits | null {
    return this.ground.fair;
  }

  bookMid(): PriceUnits | null {
    return this.ground.mid;
  }

  netRange(): NetRange {
    const { low, high } = this.ground;
    const { bid, ask } = this.run.promised.in(this.market);
    return { low: (low - ask) as Shares, high: (high + bid) as Shares };
  }

  heldRange(): NetRange {
    const { least, most } = this.ground;
    return { low: least, high: most };
  }

  quoteRoom(position: Position): Money | null {
    const { event } = this.ground;
    if (event.quotes === null) return null;
    this.run.tellChanged();
    const room = this.parts.positions.roomIn(event, this.market, position);
    this.rooms[position] = room ?? Infinity;
    return room;
  }

  eventLossWith({ costs }: Proposal): Money {
    this.run.tellChanged();
    return lossOf(this.ground.event.worstWith(this.market, costs));
  }

  eventLossWhereItCosts({ costs }: Proposal): Money {
    this.run.tellChanged();
    return lossOf(this.ground.event.worstWhereTheyCost(this.market, costs));
  }

  locked(): Money {
    return this.run.locked();
  }

  ordersLastMinute(): number {
    return this.run.ordersLastMinute();
  }

  ordersFallTo(count: number): Micros {
    return this.run.ordersFallTo(count);
  }

  /** Whether the order passed although it costs too much together with the quotes elsewhere. */
  private outbids({ buys, shareCost }: Proposal): boolean {
    return shareCost > 0 && shareCost * SHARE_ONE >= this.rooms[buys];
  }

  private get ground(): Ground {
    this.read ??= groundOf(this.market, this.parts, this.run);
    return this.read;
  }
}

function groundOf(market: MarketId, parts: EngineParts, run: Exposure): Ground {
  const { positions, terms, quoted } = parts;
  const quoter: QuotedMarket | undefined = quoted.get(market);
  const { bid, ask } = run.mayFill(market);
  const marketTerms = terms.get(market)!;
  const { least, most } = positions.netBetween(market);
  return {
    tickUnits: marketTerms.tickUnits,
    currency: positions.currency,
    fee: positions.worstFee(market),
    lockedFee: dearerFee(marketTerms),
    fair: knownPrice(quoter?.fair?.p),
    mid: knownPrice(quoter?.mid),
    least,
    most,
    low: least - ask,
    high: most + bid,
    event: positions.exposureOf(marketTerms.eventId),
  };
}

const lossOf = (worst: Money): Money => Math.max(0, 0 - worst) as Money;
