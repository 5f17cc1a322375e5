/** One scenario of a backtest: what it is made of, and how it ends. */
import type { EndEffect, NoticeEffect } from '../../domain/effects.js';
import type { AccountId, MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { ExchangeConfig, TradeEvent } from '../../exchange/contract.js';
import type { LatencyModel } from '../../venues/simulated/models/latency.js';
import type { LiquidityModels } from '../../venues/simulated/models/liquidity.js';
import type { RequestLimits } from '../../exchange-server/http/rate-limit.js';
import type { RunMarket } from './run-market.js';

/** Everything one scenario of a backtest is made of; together with the rows it determines every decision. */
export interface ScenarioOptions {
  readonly engine: EngineOptions;
  readonly exchange: ExchangeConfig;
  readonly account: AccountId;
  readonly markets: readonly RunMarket[];
  readonly latency: LatencyModel;
  readonly liquidity: LiquidityModels;
  /** Whether a recorded level that crosses an order of ours fills it. */
  readonly crossing: 'fill' | 'ignore';
  /** null: as many requests as one likes. */
  readonly rateLimit: RequestLimits | null;
  readonly bookCacheMs: number;
  /** A request without an answer by then is in doubt. */
  readonly timeoutMs: number;
  /** Looks on; changes nothing. */
  readonly observer?: EngineObserver;
  readonly onTrade?: (trade: TradeEvent) => void;
  /** Prints are about to reach the book of a market. */
  readonly onPrints?: (market: MarketId) => void;
  /** What they traded, before anything else reaches any book; `onTrade` is told of it with all of its time. */
  readonly onPrinted?: (trade: TradeEvent) => void;
  readonly onNotice?: (notice: NoticeEffect, at: Micros) => void;
}

/** How a scenario ended. */
export interface ScenarioEnd {
  readonly outcome: EndEffect['outcome'];
  readonly at: Micros;
  /** Inputs that the engine took in. */
  readonly inputs: number;
  readonly decisions: { readonly count: number; readonly hash: string };
}
