/** Gueant, Lehalle and Fernandez-Tapia, "Dealing with the inventory risk" (2013). */

export interface Glft {
  /** Fills per unit of time and side at distance 0. */
  readonly a: number;
  /** Decay of the fill rate with the distance: a e^(-k distance), distance in price. */
  readonly k: number;
  /** Standard deviation of the price per square root of a unit of time. */
  readonly sigma: number;
  /** Risk aversion per unit of currency. */
  readonly gamma: number;
  /** Price impact: every fill moves the mid by so much against us. 0 when left out. */
  readonly xi?: number;
}

/** Distances from the mid for an inventory of `q` lots; null on a side that would exceed the bound. */
export interface GlftDistances {
  readonly q: number;
  readonly bid: number | null;
  readonly ask: number | null;
}

/** Constants of the model for lots of one share: c, R and eta, price impact included. */
export function glftConstants({ a, k, sigma, gamma, xi = 0 }: Glft): {
  readonly c: number;
  readonly R: number;
  readonly eta: number;
} {
  const eta = a * (1 + gamma / k) ** -(1 + k / gamma) * Math.exp((-k * xi) / 2);
  const c = Math.log1p(gamma / k) / gamma;
  const R = Math.sqrt(((sigma ** 2 * gamma) / (2 * k * a)) * (1 + gamma / k) ** (1 + k / gamma));
  return { c, R: R * Math.exp((k * xi) / 4), eta };
}

/** Closed form for q lots of one share: bid c + (2q + 1) R / 2, ask c - (2q - 1) R / 2, each plus xi / 2. */
export function glftClosed(model: Glft, q: number): { readonly bid: number; readonly ask: number } {
  const { c, R } = glftConstants(model);
  const centre = c + (model.xi ?? 0) / 2;
  return { bid: centre + ((2 * q + 1) * R) / 2, ask: centre - ((2 * q - 1) * R) / 2 };
}

/**
 * Closed form for orders of `size` shares: half-spread at no inventory, and shift per share held. Both include price
 * impact.
 */
export function glftSized(
  { a, k, sigma, gamma, xi = 0 }: Glft,
  size: number,
): { readonly half: number; readonly skewPerShare: number } {
  const risk = gamma * size;
  const c1 = Math.log1p(risk / k) / risk;
  const c2 = Math.sqrt((gamma / (2 * a * size * k)) * (1 + risk / k) ** (k / risk + 1));
  const skewPerShare = sigma * c2 * Math.exp((k * xi) / 4);
  return { half: c1 + (size / 2) * skewPerShare + xi / 2, skewPerShare };
}

/**
 * Exact distances for every inventory from -bound to bound lots of one share.
 *
 * v solves dv_q/dt = alpha q^2 v_q - eta (v_(q-1) + v_(q+1)) with v_q(T) = 1. The matrix is symmetric and tridiagonal;
 * v = e^(-M (T - t)) 1 comes from its eigenvectors. The smallest eigenvalue is subtracted first, because only ratios of
 * v count and the exponent would overflow.
 * @param timeLeft T - t; Infinity gives the stationary quotes
 */
export function glftExact(model: Glft, bound: number, timeLeft: number): GlftDistances[] {
  const { k, sigma, gamma, xi = 0 } = model;
  const { c, eta } = glftConstants(model);
  const alpha = (k / 2) * gamma * sigma ** 2;
  const inventories = Array.from({ length: 2 * bound + 1 }, (_, i) => i - bound);
  const v = decayed(
    inventories.map((q) => alpha * q * q),
    -eta,
    timeLeft,
  );
  const distance = (from: number, to: number | undefined) =>
    to === undefined ? null : Math.log(from / to) / k + c + xi / 2;
  return inventories.map((q, i) => ({ q, bid: distance(v[i]!, v[i + 1]), ask: distance(v[i]!, v[i - 1]) }));
}

/** e^(-M time) 1 up to a factor, for the tridiagonal M with this diagonal and constant neighbours. */
function decayed(diagonal: readonly number[], neighbour: number, time: number): number[] {
  const { values, vectors } = eigen(diagonal, neighbour);
  const least = Math.min(...values);
  const result = diagonal.map(() => 0);
  values.forEach((value, m) => {
    const vector = vectors.map((row) => row[m]!);
    const weight = vector.reduce((sum, x) => sum + x, 0);
    // Infinity times 0 is no number: the smallest eigenvalue never decays.
    const decay = value === least ? 1 : Math.exp(-(value - least) * time);
    vector.forEach((x, i) => (result[i]! += decay * weight * x));
  });
  return result;
}

/** Eigenvalues and eigenvectors (as columns) of a symmetric tridiagonal matrix, by Jacobi rotations. */
function eigen(diagonal: readonly number[], neighbour: number): { values: number[]; vectors: number[][] } {
  const n = diagonal.length;
  const m = diagonal.map((value, i) =>
    diagonal.map((_, j) => (i === j ? value : Math.abs(i - j) === 1 ? neighbour : 0)),
  );
  const vectors = diagonal.map((_, i) => diagonal.map((__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += m[p]![q]! ** 2;
    if (off < 1e-30) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(m, vectors, p, q);
  }
  return { values: m.map((row, i) => row[i]!), vectors };
}

/** One rotation that makes m[p][q] zero. */
function rotate(m: number[][], vectors: number[][], p: number, q: number): void {
  const pq = m[p]![q]!;
  if (pq === 0) return;
  const theta = (m[q]![q]! - m[p]![p]!) / (2 * pq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const cos = 1 / Math.hypot(t, 1);
  const sin = t * cos;
  for (const row of m) {
    const [a, b] = [row[p]!, row[q]!];
    row[p] = cos * a - sin * b;
    row[q] = sin * a + cos * b;
  }
  for (let i = 0; i < m.length; i++) {
    const [a, b] = [m[p]![i]!, m[q]![i]!];
    m[p]![i] = cos * a - sin * b;
    m[q]![i] = sin * a + cos * b;
  }
  for (const row of vectors) {
    const [a, b] = [row[p]!, row[q]!];
    row[p] = cos * a - sin * b;
    row[q] = sin * a + cos * b;
  }
}
