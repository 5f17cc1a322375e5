/**
 * Where profit comes from. Everything counts money units (0.000001) of one currency, as floats: marks may be halves of
 * a price unit. To 1e-9 currency units: total = spread + inventory + resolution - fees + rebates
 * (market-making formulas, "Analytics").
 */
export interface Attribution {
  /** Sum over fills of side x (mid - price) x shares, in long-side terms. */
  readonly spread: number;
  /** Sum over changes of the mark of net shares held x change. */
  readonly inventory: number;
  /** Net shares at resolution x (payout - last mark). */
  readonly resolution: number;
  readonly fees: number;
  readonly rebates: number;
}

/** Profit of a market, an event or everything in one currency; see {@link Attribution} for the units. */
export interface Profit extends Attribution {
  /** Of shares sold or paid out against their average cost, less fees, plus rebates. */
  readonly realised: number;
  /** Of shares held, at the last mark, against their average cost. */
  readonly unrealised: number;
  /** Realised plus unrealised, less what shares that were held before had gained by the first mark: that is nobody's profit. */
  readonly total: number;
}

export const NO_PROFIT: Profit = {
  spread: 0,
  inventory: 0,
  resolution: 0,
  fees: 0,
  rebates: 0,
  realised: 0,
  unrealised: 0,
  total: 0,
};

/** Adds up profits of one currency. */
export const addProfit = (a: Profit, b: Profit): Profit => ({
  spread: a.spread + b.spread,
  inventory: a.inventory + b.inventory,
  resolution: a.resolution + b.resolution,
  fees: a.fees + b.fees,
  rebates: a.rebates + b.rebates,
  realised: a.realised + b.realised,
  unrealised: a.unrealised + b.unrealised,
  total: a.total + b.total,
});
