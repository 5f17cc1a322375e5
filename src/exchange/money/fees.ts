/**
 * Fees by the share. An order's fees are computed from what they add up to, rounded up once, so that being filled
 * in many parts costs no more than being filled at once, and never more than the lock holds.
 */
import { SHARE_ONE, type Money, type Shares } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { ExchangeConfig, FeeSchedule } from '../contract.js';
import { modeCode } from '../codes.js';

/** A fee schedule with the rate a resting order must be able to pay. Money units per whole share. */
export interface FeeRates {
  readonly taker: number;
  readonly maker: number;
  /** The larger of both, at least 0: a rebate is never spent in advance. */
  readonly worst: number;
}

/** Rates by the code of the currency mode. */
export function feeRates(fees: ExchangeConfig['fees']): readonly FeeRates[] {
  const rates: FeeRates[] = [];
  for (const mode of ['play_money', 'real_money'] as const satisfies readonly CurrencyMode[]) {
    rates[modeCode(mode)] = withWorst(fees[mode]);
  }
  return rates;
}

const withWorst = ({ taker, maker }: FeeSchedule): FeeRates => ({
  taker,
  maker,
  worst: Math.max(taker, maker, 0),
});

/** What is due of an accrued count (rate x share units): rounded up, against the payer. */
export const feeDue = (accrued: number): Money => (Math.ceil(accrued / SHARE_ONE) + 0) as Money;

/** What the venue books of it; the difference to {@link feeDue} is `rounding`. */
export const feeBooked = (accrued: number): Money => Math.floor(accrued / SHARE_ONE) as Money;

/** The most that further shares can add to what is due. */
export const feeReserve = (accrued: number, shares: Shares, worst: number): Money =>
  (worst === 0 ? 0 : feeDue(accrued + worst * shares) - feeDue(accrued)) as Money;
