import {
  coherent,
  defineEventStrategy,
  type EventView,
  lmsrAnchor,
  lmsrLiquidity,
  lmsrPrices,
  lmsrShares,
  type OutcomeContext,
  param,
  passiveAsk,
  passiveBid,
  type Quote,
  quoteAt,
  reachesMinimum,
} from 'oddsmith/sdk';

/**
 * Hanson's logarithmic market scoring rule (2003) over all outcomes of an exclusive event, as resting orders.
 *
 *     b = budget / ln(1 / min p0)
 *     p_j = p0_j e^(s_j / b) / sum_i p0_i e^(s_i / b)
 *     shares that move p_j from one price to another = b (L(to) - L(from))
 *
 * p0 are the fair values at the first call, made to sum to 1; s_j are the shares sold of an outcome since then. An order stands on
 * every tick and holds the shares that move the price from the tick before. Whoever buys one outcome makes the others cheaper.
 * Whatever wins, the loss is at most the budget. The anchor, p0 and what was held then, is kept across restarts.
 *
 * It asks for no opinion but the first one and has no view on who trades: it pays for prices that are found by trading.
 */
export default defineEventStrategy({
  name: 'lmsr',
  params: {
    // What was sold at one liquidity cannot be priced at another without breaking the bound of the loss.
    budget: param.ratio({
      default: 100,
      min: 0.01,
      max: 1e7,
      live: false,
      help: 'greatest loss, in currency units',
    }),
    b: param.ratio({
      default: 0,
      min: 0,
      max: 1e7,
      live: false,
      help: 'liquidity in shares; 0: from the budget',
    }),
    levels: param.count({ default: 3, min: 1, max: 50, help: 'ticks a side that are quoted' }),
    maxFairAgeMs: param.ms({ default: 60_000, help: 'no anchor is taken from a fair value older than this' }),
  },
  initialState: null as Anchor | null,
  stateVersion: 1,
  depth: ({ levels }) => levels,
  quote({ event, markets, params, state }) {
    if (event.resolutionMode !== 'exclusive')
      throw new Error('lmsr needs an event of which at most one outcome wins: set resolutionMode: exclusive');
    const ids = event.markets.map(({ id }) => id);
    const isOld = markets.some(({ fair }) => fair === null || fair.ageMs > params.maxFairAgeMs);
    const kept = state !== null && ids.every((id) => id in state.p0) ? state : null;
    const anchor = kept ?? (isOld ? null : anchorOf(event));
    if (anchor === null) return { ladders: {} };
    const p0 = ids.map((id) => anchor.p0[id]!);
    const none = 1 - sumOf(p0);
    // None of the outcomes is one more, of which nothing is sold.
    const all = none > LEAST_NONE ? [...p0, none] : p0;
    const b = params.b > 0 ? params.b : lmsrLiquidity(all, params.budget);
    const sold = event.markets.map(({ id, inventory }) => anchor.held[id]! - inventory);
    const prices = lmsrPrices(
      lmsrAnchor(all, b).map((q, at) => q + (sold[at] ?? 0)),
      b,
    );
    const ladders = markets.map((context) => {
      const at = ids.indexOf(context.market.id);
      const use = { context, price: prices[at]!, p0: p0[at]!, b, levels: params.levels };
      return [context.market.id, { bids: side(use, -1), asks: side(use, 1) }] as const;
    });
    return { ladders: new Map(ladders), state: anchor };
  },
});

/** Prices and net shares of each outcome when the rule began. */
interface Anchor {
  readonly [key: string]: Readonly<Record<string, number>>;
  readonly p0: Readonly<Record<string, number>>;
  readonly held: Readonly<Record<string, number>>;
}

/** What is left for none of the outcomes counts from here on. */
const LEAST_NONE = 1e-6;

/** @returns null while a fair value is not known */
function anchorOf({ markets, winners }: EventView): Anchor | null {
  const fair = markets.map(({ fair: p }) => p);
  if (!fair.every((p): p is number => p !== null && p > 0 && p < 1)) return null;
  const sum = sumOf(fair);
  const agrees = markets.length === 1 || (winners.least === 0 && sum < 1);
  const p0 = agrees ? fair : coherent(fair).mu;
  return {
    p0: Object.fromEntries(markets.map(({ id }, at) => [id, p0[at]!])),
    held: Object.fromEntries(markets.map(({ id, inventory }) => [id, inventory])),
  };
}

interface Use {
  readonly context: OutcomeContext;
  /** Of the rule now, and when it began. */
  readonly price: number;
  readonly p0: number;
  readonly b: number;
  readonly levels: number;
}

/** @param sign 1 for asks, -1 for bids */
function side({ context, price, p0, b, levels }: Use, sign: 1 | -1): readonly Quote[] {
  const { market } = context;
  const { tick } = market;
  const fee = sign * Math.max(0, market.makerFee);
  const ticks = price / tick;
  const first = sign > 0 ? Math.floor(ticks + FLOAT_NOISE) + 1 : Math.ceil(ticks - FLOAT_NOISE) - 1;
  const quotes: Quote[] = [];
  let [from, waiting] = [price, 0];
  for (let level = 0; level < levels; level++) {
    const to = (first + sign * level) * tick;
    const at = to + fee;
    if (to <= 0 || to >= 1 || at <= 0 || at >= 1) break;
    // What is too small for an order of its own is added to the next, which is dearer.
    const shares = waiting + sign * lmsrShares(from, to, b);
    from = to;
    const stands = sign > 0 ? passiveAsk(at, context) : passiveBid(at, context);
    if (stands === null) break;
    waiting = reachesMinimum(stands, shares, market) ? 0 : shares;
    if (waiting === 0)
      quotes.push(quoteAt(stands, shares, { anchor: p0, sold: price - p0, tick: to - price, fee }));
  }
  return quotes;
}

const FLOAT_NOISE = 1e-9;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
