/** Numbers for the words of the vocabulary, because tables are indexed by them. Each is the word's place in its list. */
import type { Currency, CurrencyMode, Position, Side } from '../domain/vocabulary.js';
import { CURRENCIES, CURRENCY_MODES, POSITIONS, SIDES } from '../domain/vocabulary.js';

export const CURRENCY_COUNT = CURRENCIES.length;

/** 0 `OOM`, 1 `USDC`, 2 `USDT`, 3 `USD`. */
export const currencyCode = (currency: Currency): number =>
  currency === 'OOM' ? 0 : currency === 'USDC' ? 1 : currency === 'USDT' ? 2 : 3;
export const currencyOf = (code: number): Currency => CURRENCIES[code] as Currency;

/** 0 `play_money`, 1 `real_money`. */
export const modeCode = (mode: CurrencyMode): number => (mode === 'play_money' ? 0 : 1);
export const modeAt = (code: number): CurrencyMode => CURRENCY_MODES[code] as CurrencyMode;
/** The mode a currency belongs to. */
export const modeOfCurrency = (currency: number): number => (currency === 0 ? 0 : 1);

/** 0 `bid`, 1 `ask`. */
export const BUY = 0;
const SELL = 1;
export const sideCode = (side: Side): number => (side === 'bid' ? BUY : SELL);
export const sideAt = (code: number): Side => SIDES[code] as Side;

/** 0 `long`, 1 `short`. */
export const LONG = 0;
export const SHORT = 1;
export const positionCode = (position: Position): number => (position === 'long' ? LONG : SHORT);
export const positionAt = (code: number): Position => POSITIONS[code] as Position;
