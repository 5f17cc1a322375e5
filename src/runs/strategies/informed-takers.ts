/**
 * A simulated market in which a share of the takers knows the value: it has just jumped, and the mid follows a second
 * later. Strategies quote in it through the code that trades, all of them before the same takers.
 */
import type { Random } from '../../core/ports/random.js';
import { StrategyInstance } from '../../core/strategy/instance.js';
import type { ModifierUse } from '../../core/strategy/modifiers.js';
import { glftSized, localVolatility, normalQuantile } from '../../core/strategy/models/index.js';
import { checkParameters } from '../../core/strategy/parameters.js';
import { MarketSignals } from '../../core/strategy/signals/market-signals.js';
import type { ContextWithoutInstance } from '../../core/strategy/context.js';
import type { FillView } from '../../core/strategy/contract.js';
import type { QuoteLevel } from '../../domain/intent.js';
import { wholeShares } from '../../domain/units.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { loadModifier, loadStrategy } from './strategies.js';
import { bookOf, eventOf, inventoryOf, marketOf, roomOf } from './testing.js';

/** Of the market: takers a second and side, how far they reach, seconds to the close, and how far the value jumps. */
const MARKET = { a: 0.5531, k: 95.8, seconds: 600, jump: 0.03, tick: 0.001 } as const;
/** Of the maker: risk aversion, shares of an order, most net shares. */
const MAKER = { gamma: 0.01, shares: 20, maxInventory: 300 } as const;
/**
 * Half of the average loss is added, as GLFT does with xi. In ten minutes of a volatile price the default weight would
 * mostly follow noise.
 */
const TOXICITY = { factor: 0.5, weight: 0.05 } as const;
/** The move of the mid against a fill is seen so long after it. */
const IMPACT_SECONDS = 10;
const START_MS = 1_786_000_000_000;
/** Variance of the outcome itself: what is left when the volatility of the logit is without bound. */
const TERMINAL = 10;
const PILOT_PATHS = 200;

export interface InformedOptions {
  /** Shares of informed takers, 0 to 0.3. */
  readonly m: readonly number[];
  readonly paths: number;
  readonly seed: number;
}

export interface InformedRow {
  readonly m: number;
  readonly strategy: string;
  readonly modifier: 'toxicity' | null;
  /** -ln(mean exp(-gamma profit)) / gamma, with its standard error. */
  readonly certaintyEquivalent: number;
  readonly error: number;
  readonly profit: number;
  readonly stdProfit: number;
  /** A path. */
  readonly fills: number;
  /** Move of the mid against a fill within ten seconds, of `glft` in this market; `glft-xi` quotes with it. */
  readonly xi: number;
  readonly paths: number;
  readonly seed: number;
}

/** Whether one is better than the other, by the difference of certainty equivalents on the same paths. */
export interface InformedOrder {
  readonly m: number;
  readonly better: string;
  readonly than: string;
  readonly difference: number;
  readonly error: number;
  /** null: within two standard errors of nothing. */
  readonly holds: boolean | null;
}

interface Maker {
  readonly name: string;
  readonly strategy: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function makersOf(xi: number): readonly Maker[] {
  const { gamma, shares, maxInventory } = MAKER;
  const { a, k } = MARKET;
  const sized = { shares, maxInventory };
  const sigma = localVolatility(0.5, MARKET.seconds);
  const halfSpread = glftSized({ a, k, gamma, sigma }, shares).half;
  const glft = { ...sized, a, k, gamma };
  return [
    { name: 'symmetric', strategy: 'fixed-spread', params: { ...sized, halfSpread } },
    {
      name: 'avellaneda-stoikov',
      strategy: 'avellaneda-stoikov',
      params: { ...sized, k, gamma, sigma: TERMINAL },
    },
    { name: 'glft', strategy: 'glft', params: glft },
    { name: 'glft-xi', strategy: 'glft', params: { ...glft, xi } },
  ];
}

/** What happens on one path whatever the maker does. */
interface Path {
  /** Public price of each second; the last is the outcome. */
  readonly mids: readonly number[];
  /** Of each second a taker on either side, at most. */
  readonly takers: readonly (readonly Taker[])[];
}

interface Taker {
  readonly side: 'bid' | 'ask';
  /** How far from the mid the taker buys or sells. */
  readonly reach: number;
}

interface PathEnd {
  readonly profit: number;
  readonly fills: number;
  /** Sum over fills of the move of the mid against them. */
  readonly impact: number;
}

/** Rows of every share of informed takers, then the comparisons. */
export async function tryInformedTakers({
  m: shares,
  paths,
  seed,
}: InformedOptions): Promise<readonly (InformedRow | InformedOrder)[]> {
  const rows: InformedRow[] = [];
  const orders: InformedOrder[] = [];
  const toxicity = await toxicityUse();
  for (const m of shares) {
    const drawn = drawPaths(m, paths, seededRandom(seed));
    const pilot = drawPaths(m, PILOT_PATHS, seededRandom(seed).fork('pilot'));
    const xi = impactOf(await ends(makersOf(0)[2]!, [], pilot));
    const results = new Map<string, readonly PathEnd[]>();
    for (const maker of makersOf(xi))
      for (const modifiers of [[], [toxicity]]) {
        const found = await ends(maker, modifiers, drawn);
        results.set(nameOf(maker.name, modifiers.length > 0), found);
        const modifier = modifiers.length > 0 ? 'toxicity' : null;
        rows.push({ m, strategy: maker.name, modifier, ...figuresOf(found), xi, paths, seed });
      }
    for (const [better, than] of pairsOf(m))
      orders.push({ m, better, than, ...compared(results.get(better)!, results.get(than)!) });
  }
  return [...rows, ...orders];
}

const nameOf = (strategy: string, isModified: boolean): string =>
  isModified ? `${strategy} + toxicity` : strategy;

/** What the literature says of a market without informed takers, and of one with some. */
function pairsOf(m: number): readonly (readonly [string, string])[] {
  const lifted = ['symmetric', 'avellaneda-stoikov', 'glft', 'glft-xi'].map(
    (name) => [nameOf(name, true), name] as const,
  );
  const bare = [['glft', 'avellaneda-stoikov'] as const, ['avellaneda-stoikov', 'symmetric'] as const];
  return m === 0 ? bare : [...bare, ['glft-xi', 'glft'], ...lifted];
}

async function toxicityUse(): Promise<ModifierUse> {
  const modifier = await loadModifier('toxicity', '');
  const check = checkParameters(modifier.params, TOXICITY);
  if (!check.ok) throw new Error(check.issues.map(({ name }) => name).join(', '));
  return { modifier, parameters: check.values };
}

/**
 * The price is the chance that a Brownian motion ends above nothing, Phi(W / sqrt(time left)). An informed taker comes
 * right after it jumped up or down with the same chance, so that it stays a martingale.
 */
function drawPaths(m: number, paths: number, random: Random): readonly Path[] {
  const chance = 1 - Math.exp(-MARKET.a);
  return Array.from({ length: paths }, (_, at) => {
    const draws = random.fork(`path ${at}`);
    const mids: number[] = [];
    const takers: Taker[][] = [];
    let value = 0.5;
    for (let left: number = MARKET.seconds; left > 0; left--) {
      mids.push(value);
      const mayJump = value > MARKET.jump && value < 1 - MARKET.jump;
      let jump = 0;
      const came: Taker[] = [];
      for (const side of ['bid', 'ask'] as const) {
        const [comes, knows, how] = [draws.uniform(), draws.uniform(), draws.uniform()];
        if (comes >= chance) continue;
        if (knows >= m) came.push({ side, reach: -Math.log1p(-how) / MARKET.k });
        else if (mayJump && jump === 0) {
          jump = side === 'bid' ? MARKET.jump : -MARKET.jump;
          came.unshift({ side, reach: MARKET.jump });
        }
      }
      takers.push(came);
      value = moved(value + jump, left, normal(draws));
    }
    return { mids: [...mids, value], takers };
  });
}

/** The price a second later. */
function moved(price: number, left: number, shock: number): number {
  if (price <= 0 || price >= 1) return price;
  const w = normalQuantile(price) * Math.sqrt(left) + shock;
  return left === 1 ? (w > 0 ? 1 : 0) : normalBelow(w / Math.sqrt(left - 1));
}

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log1p(-random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

/** Distribution function of the normal distribution (Abramowitz and Stegun 26.2.17, within 7.5e-8). */
function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}

async function ends(
  { strategy: name, params }: Maker,
  modifiers: readonly ModifierUse[],
  paths: readonly Path[],
): Promise<readonly PathEnd[]> {
  const strategy = await loadStrategy(name, '');
  const check = checkParameters(strategy.params, params);
  if (!check.ok) throw new Error(check.issues.map(({ name: of }) => of).join(', '));
  const market = marketOf({ tick: MARKET.tick });
  return paths.map((path) =>
    walk(
      path,
      new StrategyInstance({
        name,
        strategy,
        modifiers,
        parameters: check.values,
        tickUnits: new Map([[market.id, MARKET.tick * 10_000]]),
      }),
      market,
    ),
  );
}

/** One maker on one path: every second the quotes are made anew, then the takers come. */
function walk(
  { mids, takers }: Path,
  instance: StrategyInstance,
  market: ContextWithoutInstance['market'],
): PathEnd {
  const signals = new MarketSignals(false);
  signals.declare(instance.signals);
  const random = seededRandom(1);
  let [cash, net, fills, impact] = [0, 0, 0, 0];
  let recent: FillView[] = [];
  for (let second = 0; second < MARKET.seconds; second++) {
    const mid = mids[second]!;
    const nowMs = START_MS + 1_000 * second;
    const msToClose = 1_000 * (MARKET.seconds - second);
    const book = bookOf(Math.max(0, mid - MARKET.tick), Math.min(1, mid + MARKET.tick));
    const fair = { p: mid, ageMs: 0, confidence: 1 };
    signals.look(() => ({ nowMs, book, fair, msToClose }));
    const decision = instance.decide({
      market,
      event: eventOf({ msToClose }),
      book,
      inventory: inventoryOf(net),
      room: roomOf(),
      working: [],
      fair,
      fills: recent,
      trades: [],
      signals: signals.views,
      nowMs,
      random,
      log: () => undefined,
    });
    if (!decision.ok) throw new Error(decision.fault.text);
    recent = [];
    const later = mids[Math.min(MARKET.seconds, second + IMPACT_SECONDS)]!;
    const { bids, asks } = decision.intents[0]!;
    const best = { bid: bids[0], ask: asks[0] };
    for (const { side, reach } of takers[second]!) {
      const buys = side === 'bid';
      const met = buys ? 'ask' : 'bid';
      const quote = best[met];
      if (quote === undefined) continue;
      const price = priceOf(quote);
      if (buys ? price > mid + reach : price < mid - reach) continue;
      const shares = wholeShares(quote.shares);
      cash += buys ? price * shares : -price * shares;
      net += buys ? -shares : shares;
      fills += 1;
      impact += buys ? later - mid : mid - later;
      const fill: FillView = {
        side: buys ? 'ask' : 'bid',
        price,
        shares,
        liquidity: 'maker',
        midBefore: mid,
      };
      signals.filled(fill, nowMs);
      recent.push(fill);
      // What is filled is gone until the next second.
      best[met] = undefined;
    }
  }
  return { profit: cash + net * mids[MARKET.seconds]!, fills, impact };
}

const priceOf = ({ price }: QuoteLevel): number => price * MARKET.tick;

/** Nothing where it is no more than chance. */
function impactOf(found: readonly PathEnd[]): number {
  const fills = found.reduce((sum, one) => sum + one.fills, 0);
  const mean = found.reduce((sum, one) => sum + one.impact, 0) / fills;
  const squares = found.reduce((sum, one) => sum + (one.impact - mean * one.fills) ** 2, 0);
  const error = Math.sqrt(squares) / fills;
  return mean > 2 * error ? mean : 0;
}

/** Each path's part in the certainty equivalent; their mean is nothing. */
function influences(found: readonly PathEnd[]): {
  readonly value: number;
  readonly parts: readonly number[];
} {
  const { gamma } = MAKER;
  const utilities = found.map(({ profit }) => Math.exp(-gamma * profit));
  const mean = utilities.reduce((sum, one) => sum + one, 0) / utilities.length;
  return { value: -Math.log(mean) / gamma, parts: utilities.map((one) => (1 - one / mean) / gamma) };
}

const errorOf = (parts: readonly number[]): number =>
  Math.sqrt(parts.reduce((sum, part) => sum + part ** 2, 0)) / parts.length;

function figuresOf(found: readonly PathEnd[]) {
  const { value, parts } = influences(found);
  const profit = found.reduce((sum, one) => sum + one.profit, 0) / found.length;
  const squares = found.reduce((sum, one) => sum + (one.profit - profit) ** 2, 0);
  return {
    certaintyEquivalent: value,
    error: errorOf(parts),
    profit,
    stdProfit: Math.sqrt(squares / found.length),
    fills: found.reduce((sum, one) => sum + one.fills, 0) / found.length,
  };
}

function compared(better: readonly PathEnd[], than: readonly PathEnd[]) {
  const [one, other] = [influences(better), influences(than)];
  const difference = one.value - other.value;
  const error = errorOf(one.parts.map((part, at) => part - other.parts[at]!));
  return { difference, error, holds: Math.abs(difference) <= 2 * error ? null : difference > 0 };
}
