/** Avellaneda and Stoikov, "High-frequency trading in a limit order book" (2008). */
import { logit, sigmoid } from './binary.js';

/** Where to quote. `reservation` is the centre of both quotes. */
export interface ModelQuotes {
  readonly reservation: number;
  readonly bid: number;
  readonly ask: number;
}

export interface AvellanedaStoikov {
  /** Mid or fair value. */
  readonly mid: number;
  /** Net long shares. */
  readonly inventory: number;
  /** Risk aversion per unit of currency. */
  readonly gamma: number;
  /** Standard deviation of the price per square root of a unit of time. */
  readonly sigma: number;
  /** Decay of the fill rate with the distance: A e^(-k distance), distance in price. */
  readonly k: number;
  /** Until the horizon, in the same unit of time. */
  readonly timeLeft: number;
}

/** r = s - q gamma sigma^2 (T - t); the total spread is gamma sigma^2 (T - t) + (2 / gamma) ln(1 + gamma / k). */
export function avellanedaStoikov(input: AvellanedaStoikov): ModelQuotes {
  const { mid, inventory, gamma, sigma, k, timeLeft } = input;
  const risk = gamma * sigma ** 2 * timeLeft;
  const reservation = mid - inventory * risk;
  const half = risk / 2 + Math.log1p(gamma / k) / gamma;
  return { reservation, bid: reservation - half, ask: reservation + half };
}

export interface LogitAvellanedaStoikov extends Omit<AvellanedaStoikov, 'sigma'> {
  /** Standard deviation of the logit per square root of a unit of time. */
  readonly sigmaLogit: number;
}

/**
 * The same in logit space, so that quotes stay inside (0, 1). Distances are converted with the slope p (1 - p). The
 * variance of the price is bounded by that of the outcome, p (1 - p).
 */
export function logitAvellanedaStoikov(input: LogitAvellanedaStoikov): ModelQuotes {
  const { mid, inventory, gamma, sigmaLogit, k, timeLeft } = input;
  const slope = mid * (1 - mid);
  const variance = Math.min((slope * sigmaLogit) ** 2 * timeLeft, slope);
  const half = (gamma * variance) / 2 + Math.log1p(gamma / k) / gamma;
  const reservation = logit(mid) - (inventory * gamma * variance) / slope;
  return {
    reservation: sigmoid(reservation),
    bid: sigmoid(reservation - half / slope),
    ask: sigmoid(reservation + half / slope),
  };
}
