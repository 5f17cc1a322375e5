/** More quotes to move than requests to move them with: how far the quotes lag behind, by who decides. */
import type { Micros } from '../../../src/domain/units.js';
import { RequestBudget } from '../../../src/core/execution/sending/budget.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { type LaggingMarket, laggingMarkets, mispricing, TICK_US } from './markets.js';
import { ScheduledSender } from './scheduled-sender.js';
import {
  type Allowance,
  ClairvoyantSender,
  MARKETS_PER_BATCH,
  type Moves,
  NaiveSender,
  type Sender,
} from './senders.js';

export const QUOTAS = {
  /** 2,000 a minute, and days without end. */
  minute: { perMinute: 2_000, perDay: 1e9 },
  /** 1,000,000 a day, which is less than a minute would allow. */
  day: { perMinute: 2_000, perDay: 1_000_000 },
} as const;
export type Quota = keyof typeof QUOTAS;
/**
 * `clairvoyant` sees every fair value at every moment and takes what helps most until they move again; `foresight`
 * knows, besides, how they will move until the market's next turn, which nobody does.
 */
export const SENDERS = ['scheduler', 'clairvoyant', 'foresight', 'naive'] as const;
export type SenderName = (typeof SENDERS)[number];

/** Settled before it is counted: at first a burst is allowed. */
const WARM_UP_S = 60;
const COUNTED_S = 240;
const ANSWER_US = 50_000;
const RESERVES = { burst: 0.25, readReserve: 25, bookShare: 0.25 };

export interface Lag {
  /** Mean over time of the sum over quotes of |quote - desired| x size, in ticks times shares. */
  readonly mispricing: number;
  readonly requests: number;
  /** Requests that moved no quote nearer to where it should be when they were sent. */
  readonly useless: number;
}

/** Virtual time: the same seed gives the same figures. */
export function runOverload(quota: Quota, name: SenderName, seed: number): Lag {
  const markets = laggingMarkets(seededRandom(seed), WARM_UP_S + COUNTED_S);
  const budget = new RequestBudget({ ...QUOTAS[quota], ...RESERVES }, 0 as Micros);
  const run = new Run(markets, senderOf(name, markets, budget, quota));
  for (let second = 0; second < WARM_UP_S + COUNTED_S; second++) run.playSecond(second);
  return { mispricing: run.sum / (COUNTED_S * TICK_US), requests: run.requests, useless: run.useless };
}

function senderOf(
  name: SenderName,
  markets: readonly LaggingMarket[],
  budget: RequestBudget,
  quota: Quota,
): Sender {
  if (name === 'scheduler') return new ScheduledSender(markets, budget);
  const allowance = budget as unknown as Allowance;
  if (name === 'naive') return new NaiveSender(markets, allowance);
  return new ClairvoyantSender(markets, allowance, name === 'foresight' ? turnOf(markets.length, quota) : 1);
}

/** Seconds in which every market can be moved once. */
function turnOf(markets: number, quota: Quota): number {
  const { perMinute, perDay } = QUOTAS[quota];
  const perSecond = Math.min((perMinute * (1 - RESERVES.burst)) / 60, perDay / 86_400);
  return Math.ceil(markets / (MARKETS_PER_BATCH * perSecond));
}

class Run {
  sum = 0;
  requests = 0;
  useless = 0;
  readonly #underWay: { readonly at: number; readonly moves: Moves }[] = [];
  #second = 0;
  #at = 0;

  constructor(
    private readonly markets: readonly LaggingMarket[],
    private readonly sender: Sender,
  ) {}

  playSecond(second: number): void {
    this.#passTo(second * TICK_US);
    this.#second = second;
    this.sender.moved(second, this.#at);
    this.#send();
    const end = (second + 1) * TICK_US;
    for (let next = this.#next(); next < end; next = this.#next()) {
      this.#passTo(next);
      this.#answer();
      this.#send();
    }
    this.#passTo(end);
  }

  /** Never the present again: what could leave now has left. */
  #next(): number {
    const due = Math.max(this.sender.nextDue(this.#at), this.#at + 1);
    return Math.min(due, this.#underWay[0]?.at ?? Infinity);
  }

  #passTo(at: number): void {
    if (this.#second >= WARM_UP_S) this.sum += this.#total() * (at - this.#at);
    this.#at = at;
  }

  #total(): number {
    let total = 0;
    for (const market of this.markets) total += mispricing(market, this.#second);
    return total;
  }

  #send(): void {
    for (const moves of this.sender.due(this.#at)) {
      this.requests += 1;
      if (!moves.markets.some((market) => mispricing(market, this.#second) > 0)) this.useless += 1;
      this.#underWay.push({ at: this.#at + ANSWER_US, moves });
    }
  }

  #answer(): void {
    for (
      let first = this.#underWay[0];
      first !== undefined && first.at <= this.#at;
      first = this.#underWay[0]
    ) {
      this.#underWay.shift();
      for (const [place, market] of first.moves.markets.entries()) {
        market.quote = first.moves.to[place]!;
        market.isBusy = false;
      }
      this.sender.answered(first.moves, this.#at);
    }
  }
}
