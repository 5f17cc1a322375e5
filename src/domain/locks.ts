import type { TradingTerms } from './market.js';
import { type Money, money, type PriceUnits, SHARE_ONE, type Shares } from './units.js';

/** Both fees of a market. */
export type Fees = Pick<TradingTerms, 'takerFee' | 'makerFee'>;

/** The dearer of both fees, money units per whole share; a rebate is not counted on. */
export const dearerFee = ({ takerFee, makerFee }: Fees): number => Math.max(takerFee, makerFee, 0);

/**
 * What a fee comes to; fractions of a money unit are rounded against us.
 * @param fee money units per whole share; negative is a rebate
 */
export const feeFor = (shares: Shares, fee: number): number =>
  fee === 0 ? 0 : Math.ceil((fee * shares) / SHARE_ONE);

/**
 * What a resting bid locks (facts, "Trading rules"): its cost and the larger fee, rounded against us.
 * @param fee the {@link dearerFee} of the market
 */
export const lockAt = (price: PriceUnits, shares: Shares, fee: number): Money =>
  money(price * shares + feeFor(shares, fee));
