import type { OtherHands } from './accounting/other-hands.js';
import type { MarketId } from '../../domain/ids.js';
import type { Touch } from '../execution/planning/touch.js';
import type { Desk } from '../execution/desk.js';
import type { MarketTerms } from '../execution/planning/market-terms.js';
import type { Mirror } from '../mirror/mirror.js';
import type { KillSwitch, LossWatch } from '../risk/index.js';
import type { Stance } from '../risk/quote-restriction.js';
import type { FairValue } from '../strategy/contract.js';
import type { BarredOrders } from './quoting/barred-orders.js';
import type { CashShares } from './quoting/cash-shares.js';
import type { Alarms } from './guarding/alarms.js';
import type { ConnectionNews } from './guarding/connection-news.js';
import type { FairValues } from './quoting/fair-values.js';
import type { Funds } from './quoting/funds.js';
import type { Guards } from './guarding/guards.js';
import type { Life } from './life.js';
import type { Notices } from './guarding/notices.js';
import type { EngineObserver } from './observing/observer.js';
import type { EngineOptions, QuotingInstance } from './options.js';
import type { Positions } from './accounting/positions.js';
import type { Tally } from './accounting/tally.js';

/** What the pieces of the engine share. Each part is written in one place and read everywhere. */
export interface EngineParts {
  readonly options: EngineOptions;
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  /** Puts these in the place of the market's terms. */
  readonly changeTerms: (terms: MarketTerms) => void;
  readonly mirror: Mirror;
  readonly desk: Desk;
  readonly otherHands: OtherHands;
  readonly positions: Positions;
  readonly funds: Funds;
  readonly cashShares: CashShares;
  readonly barredOrders: BarredOrders;
  readonly fairValues: FairValues;
  readonly guards: Guards;
  readonly killSwitch: KillSwitch;
  readonly lossWatch: LossWatch;
  readonly notices: Notices;
  readonly alarms: Alarms;
  readonly connectionNews: ConnectionNews;
  readonly tally: Tally;
  readonly life: Life;
  /** Markets that instances quote, in the order of the configuration. */
  readonly quoted: ReadonlyMap<MarketId, QuotedMarket>;
  /** Who looks on; mostly nobody. */
  readonly observer: EngineObserver | null;
}

/** A market that an instance quotes, as far as others look at it. */
export interface QuotedMarket {
  readonly marketId: MarketId;
  readonly owner: QuotingInstance;
  /** Why nothing is quoted; null when something may be. */
  readonly halt: string | null;
  /** What the guards of the market left of its quotes at the last look. */
  readonly stance: Stance;
  /** Fair value of the last look; null while nobody knows. */
  readonly fair: FairValue | null;
  /** Foreign mid of the last look, as probability; null on a one-sided book. */
  readonly mid: number | null;
  /** Foreign weighted mid of the last look, as probability; null on a one-sided book. */
  readonly weightedMid: number | null;
  /** Best foreign prices of the last look. */
  readonly touch: Touch;
}
