import type { MarketId } from '../../../domain/ids.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { Gate } from '../../execution/planning/plan.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { LadderRoom } from '../../risk/fitted-ladder.js';
import type { Restriction } from '../../risk/quote-restriction.js';
import type { FairValue } from '../../strategy/contract.js';
import type { QuotingInstance } from '../options.js';
import type { Micros } from '../../../domain/units.js';
import { FRESHNESS, type Freshness } from '../../mirror/books/freshness.js';
import type { Desk } from '../../execution/desk.js';
import type { KillSwitch, RiskLimits } from '../../risk/index.js';
import type { Life } from '../departure.js';
import type { FairValues } from './fair-values.js';
import type { Mirror } from '../../mirror/mirror.js';

/** A market that an instance quotes, as far as others look at it. */
export interface QuotedMarket {
  readonly marketId: MarketId;
  readonly owner: QuotingInstance;
  /** Why nothing is quoted; null when something may be. */
  readonly halt: string | null;
  /** The required signal that is missing, as a word; null when none is. */
  readonly signalHalt: string | null;
  /** What the guards of the market left of its quotes at the last look. */
  readonly restriction: Restriction;
  /** Fair value of the last look; null while nobody knows. */
  readonly fair: FairValue | null;
  /** Foreign mid of the last look, as probability; null on a one-sided book. */
  readonly mid: number | null;
  /** Foreign weighted mid of the last look, as probability; null on a one-sided book. */
  readonly weightedMid: number | null;
  /** Best foreign prices of the last look, those left out that the strategy wants to take. */
  readonly touch: Touch;
  /** Whether an order of that side was to trade at once, now or shortly before. */
  wantedToTake(side: Side, at: Micros): boolean;
}

/** The risk gate of one market. */
export interface PlanGate extends Gate {
  /** These limits hold from now on. */
  limit(limits: RiskLimits): void;
  /** A new plan replaces the one before: what was approved for that one will not be sent. */
  begin(): void;
  /** What the limits leave of a ladder that is to stand instead of the open orders; see {@link LadderRoom}. */
  fit(intent: QuoteIntent, standing: LadderRoom['standing'], refillShare: number): QuoteIntent;
  /** When an order that it refused may pass though nothing comes in; null when time does not help. */
  readonly opensAt: Micros | null;
  /** The rule that refused an order of this plan, or what the venue said of it before; null when all of it passes. */
  readonly refusedBy: string | null;
}

/** What this part of the engine works with. */
export interface HaltParts {
  readonly mirror: Mirror;
  readonly desk: Desk;
  readonly fairValues: FairValues;
  readonly killSwitch: KillSwitch;
  readonly life: Life;
}

/** The strategy threw or answered nonsense. */
export const STRATEGY_FAULT = 'strategy-fault';
/** The venue says that more outcomes may come true than was counted with. */
const RESOLUTION_CONTRADICTED = 'resolution-contradicted';
const PRIVATE_FEED_SILENT = 'private-feed-silent';

/** Has the private channel fallen silent, or spoken again, since the market was last looked at? */
export const isFeedNews = ({ desk }: HaltParts, { halt }: QuotedMarket, now: Micros): boolean =>
  desk.isPrivateFeedSilent(now) ? halt === null : halt === PRIVATE_FEED_SILENT;

/**
 * Why a market may not be quoted now, in a stable kebab-case word; null when it may. The strongest reason first: a
 * person reads only one.
 * @param freshness of its book, as the look just found it
 */
export function haltOf(
  parts: HaltParts,
  quoter: QuotedMarket,
  freshness: Freshness,
  now: Micros,
): string | null {
  const { life, killSwitch, mirror, desk, fairValues } = parts;
  if (killSwitch.state !== null) return 'killed';
  if (life.phase === 'stopping' || life.phase === 'ended') return life.phase;
  const tradability = mirror.tradability(quoter.marketId, now);
  if (tradability.state !== 'tradable') return tradability.reason;
  if (mirror.market(quoter.marketId).event.claims.isContradicted) return RESOLUTION_CONTRADICTED;
  if (freshness !== FRESHNESS.live && freshness !== FRESHNESS.hidden) return freshness.reason;
  if (desk.isPrivateFeedSilent(now)) return PRIVATE_FEED_SILENT;
  if (quoter.restriction.out !== null) return quoter.restriction.out;
  if (quoter.owner.instance.fault !== null) return STRATEGY_FAULT;
  if (life.phase === 'starting') return 'starting';
  if (quoter.signalHalt !== null) return quoter.signalHalt;
  return fairValues.haltOf(quoter.marketId, now);
}
