/** `oddsmith validate`: the formulas that trade, for any input, beside what the literature prints. */
import { readFileSync } from 'node:fs';
import { findPlanted } from '../../analytics/calibration/planted-market.js';
import { fitIntensity } from '../../analytics/calibration/poisson-intensity.js';
import { runExperiment } from '../../analytics/experiment.js';
import { OrderCosts, type Winners, WorstCase } from '../../core/portfolio/worst-case.js';
import {
  coherent,
  glftClosed,
  glftConstants,
  glftExact,
  lmsrAnchor,
  lmsrBound,
  lmsrCost,
  lmsrLadder,
  lmsrLiquidity,
  lmsrPrices,
} from '../../core/strategy/models/index.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { marketId } from '../../domain/ids.js';
import {
  currencyUnits,
  type Money,
  type PriceUnits,
  PRICE_ONE,
  SHARE_ONE,
  type Shares,
} from '../../domain/units.js';
import type { Position, Side } from '../../domain/vocabulary.js';
import { tryInformedTakers } from '../../runs/strategies/informed-takers.js';
import { tryModifiers } from '../../runs/strategies/modifier-trial.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import {
  aheadAfter,
  front,
  log,
  power,
  type QueueModel,
  riskAverse,
} from '../../venues/simulated/models/queue.js';

export interface Json {
  readonly json: boolean;
}

/** One line of JSON a row, or a table for people. */
function print(rows: readonly object[], { json }: Json): ExitCode {
  if (json) process.stdout.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  else process.stdout.write(rows.map((row) => `${textOf(row)}\n`).join(''));
  return EXIT.clean;
}

const textOf = (row: object): string =>
  Object.entries(row)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? figure(value) : plain(value)}`)
    .join('   ');

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const figure = (value: number): string => String(Number(value.toPrecision(10)));

export interface ModifiersArguments extends Json {
  readonly contexts: number;
  readonly seed: number;
}

/** Exit code 1 when a modifier made a ladder that cannot be used. */
export async function validateModifiers(options: ModifiersArguments): Promise<ExitCode> {
  const rows = await tryModifiers(options.contexts, options.seed);
  print(rows, options);
  return rows.every(({ faults }) => faults === 0) ? EXIT.clean : EXIT.internal;
}

export interface InformedArguments extends Json {
  readonly m: readonly number[];
  readonly paths: number;
  readonly seed: number;
}

/** Exit code 1 when an order of the literature is contradicted; one that chance could explain is not. */
export async function validateInformedTakers(options: InformedArguments): Promise<ExitCode> {
  if (options.m.some((share) => share < 0 || share > 0.3))
    throw new UsageError(`--m ${options.m.join(',')}: expected shares of informed takers from 0 to 0.3`);
  const rows = await tryInformedTakers(options);
  print(rows, options);
  return rows.every((row) => !('holds' in row) || row.holds !== false) ? EXIT.clean : EXIT.internal;
}

export interface ExperimentArguments extends Json {
  readonly gamma: number;
  readonly paths: number;
  readonly seed: number;
}

export const validateAvellanedaStoikov = (options: ExperimentArguments): ExitCode =>
  print(runExperiment(options, seededRandom(options.seed)), options);

export interface GlftArguments extends Json {
  readonly sigma: number;
  readonly A: number;
  readonly k: number;
  readonly gamma: number;
  readonly Q: number;
  readonly T: number;
  readonly t: number;
  readonly xi: number;
}

export function validateGlft(options: GlftArguments): ExitCode {
  const { sigma, k, gamma, xi, Q, T, t } = options;
  const model = { a: options.A, k, sigma, gamma, xi };
  if (t > T) throw new UsageError(`--t ${t} is after --T ${T}; expected a time from 0 to T`);
  if (Q > 100) throw new UsageError(`--Q ${Q} is too many lots; expected 1 to 100`);
  const rows = glftExact(model, Q, T - t).map((row) => {
    const closed = glftClosed(model, row.q);
    return { ...row, closedBid: closed.bid, closedAsk: closed.ask };
  });
  const { eta, c, R } = glftConstants(model);
  return print([...rows, { eta, c, R }], options);
}

export interface LmsrArguments extends Json {
  readonly prices: readonly number[];
  readonly b?: number;
  readonly budget?: number;
  /** From 1. */
  readonly outcome: number;
  readonly buy: number;
  readonly tick: number;
  readonly levels: number;
}

export function validateLmsr(options: LmsrArguments): ExitCode {
  const { prices, outcome, buy, tick, levels } = options;
  const b = options.b ?? lmsrLiquidity(prices, options.budget ?? 100);
  if (outcome < 1 || outcome > prices.length)
    throw new UsageError(
      `--outcome ${outcome} is none of the ${prices.length} prices; expected 1 to ${prices.length}`,
    );
  const before = lmsrAnchor(prices, b);
  const after = before.map((sold, at) => (at === outcome - 1 ? sold + buy : sold));
  const row = {
    prices: lmsrPrices(after, b),
    cost: lmsrCost(after, b) - lmsrCost(before, b),
    bound: lmsrBound(prices, b),
    ladder: lmsrLadder(prices[outcome - 1]!, b, tick, levels, 1),
  };
  return print([row], options);
}

export interface CoherenceArguments extends Json {
  readonly winners: number;
}

export function validateCoherence(prices: readonly number[], options: CoherenceArguments): ExitCode {
  if (!(options.winners > 0 && options.winners < prices.length))
    throw new UsageError(
      `--winners ${options.winners}: expected above 0 and below the number of prices, ${prices.length}`,
    );
  return print([coherent(prices, options.winners)], options);
}

export interface CalibrationArguments extends Json {
  /** With counts, A and k of these alone; without, prints are simulated. */
  readonly distances?: readonly number[];
  readonly fills?: readonly number[];
  readonly seconds: number;
  readonly A: number;
  readonly k: number;
  readonly xi: number;
  readonly sigma: number;
  readonly seed: number;
}

export function validateCalibration(options: CalibrationArguments): ExitCode {
  const { distances, fills, seconds } = options;
  if (distances === undefined && fills === undefined)
    return print(findPlanted(options, seededRandom(options.seed)), options);
  if (distances?.length !== fills?.length)
    throw new UsageError(
      `${distances?.length ?? 0} distances and ${fills?.length ?? 0} fills; expected as many of both`,
    );
  const found = fitIntensity(distances!.map((distance, at) => ({ distance, seconds, fills: fills![at]! })));
  if (found === null) throw new UsageError('fewer than two distances have fills: A and k cannot be told');
  const { lnA, k, errorOfLnA, errorOfK } = found;
  return print([{ A: Math.exp(lnA), k, errorOfLnA, errorOfK }], options);
}

export interface QueueArguments extends Json {
  readonly ahead: number;
  readonly level: number;
  readonly steps: readonly string[];
  readonly power: number;
}

/** Steps: a number is the new size of the level, `t` and a number a trade at its price. */
export function validateQueue(options: QueueArguments): ExitCode {
  const models: readonly (readonly [string, QueueModel])[] = [
    ['risk-averse', riskAverse],
    [`power ${options.power}`, power(options.power)],
    ['log', log],
    ['front', front],
  ];
  const rows = models.map(([model, queue]) => {
    let [ahead, level, traded] = [options.ahead, options.level, 0];
    const path = options.steps.map((step) => {
      const value = Number(step.replace(/^t/, ''));
      if (!Number.isFinite(value) || value < 0)
        throw new UsageError(
          `step ${step}: expected the new size of the level, or t and the shares of a trade`,
        );
      if (step.startsWith('t')) {
        // The size of the level says it later: a trade belongs to the change after it.
        traded += value;
        ahead = Math.max(0, ahead - value);
      } else {
        const change = { before: units(level), after: units(value), traded: units(traded) };
        ahead = aheadAfter(queue, units(ahead), change) / SHARE_ONE;
        [level, traded] = [value, 0];
      }
      return ahead;
    });
    return { model, ahead: path };
  });
  return print(rows, options);
}

const units = (shares: number): number => shares * SHARE_ONE;

interface PortfolioMarket {
  readonly long?: number;
  readonly short?: number;
  readonly cost?: number;
  readonly orders?: readonly {
    readonly side: Side;
    readonly position: Position;
    readonly price: number;
    readonly shares: number;
    readonly fee?: number;
  }[];
}

interface Portfolio {
  readonly events: readonly {
    readonly exclusive?: boolean;
    /** How many win where they do not exclude each other; left out: any number. */
    readonly winners?: Winners;
    readonly nonePossible?: boolean;
    readonly voidPossible?: boolean;
    /** Cost of the whole event, where it is not stated by market. */
    readonly cost?: number;
    readonly markets: readonly PortfolioMarket[];
  }[];
}

export interface ExposureArguments extends Json {
  readonly portfolio: string;
}

/** The least that each event of a portfolio can bring, open orders counted. */
export function validateExposure(options: ExposureArguments): ExitCode {
  const { events } = readPortfolio(options.portfolio);
  return print([{ worstCase: events.map(worstCaseOf) }], options);
}

function readPortfolio(file: string): Portfolio {
  try {
    const portfolio = JSON.parse(readFileSync(file, 'utf8')) as Portfolio;
    if (Array.isArray(portfolio.events) && portfolio.events.every(({ markets }) => Array.isArray(markets)))
      return portfolio;
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new UsageError(
    `${file}: expected { "events": [{ "exclusive": true, "markets": [{ "long", "short", "cost", "orders" }] }] }`,
  );
}

function worstCaseOf({
  exclusive,
  winners,
  nonePossible,
  voidPossible,
  cost,
  markets,
}: Portfolio['events'][number]): number {
  const worst = new WorstCase({
    resolutionMode: exclusive === false ? 'non_exclusive' : 'exclusive',
    winners,
    nonePossible: nonePossible ?? false,
    voidPossible: voidPossible ?? false,
  });
  markets.forEach((market, at) => {
    const id = marketId(at + 1);
    const paid = (market.cost ?? 0) + (at === 0 ? (cost ?? 0) : 0);
    worst.hold(id, { long: sharesOf(market.long), short: sharesOf(market.short), cost: moneyOf(paid) });
    const orders = new OrderCosts();
    for (const { side, position, price, shares, fee } of market.orders ?? [])
      orders.add(
        { side, position, price: Math.round(price * PRICE_ONE) as PriceUnits },
        sharesOf(shares),
        moneyOf(fee ?? 0),
      );
    worst.order(id, orders);
  });
  return currencyUnits(worst.worst());
}

const sharesOf = (shares: number | undefined): Shares => Math.round((shares ?? 0) * SHARE_ONE) as Shares;
const moneyOf = (amount: number): Money => Math.round(amount * PRICE_ONE * SHARE_ONE) as Money;
