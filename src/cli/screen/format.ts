/** Integers of the domain as the columns of a terminal. */
import { styleText } from 'node:util';
import {
  MONEY_ONE,
  type Money,
  PRICE_ONE,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
} from '../../domain/units.js';
import { cut, widthOf } from './text.js';

const two = (value: number): string => String(value).padStart(2, '0');

const grouped = (text: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

function fixed(value: number, digits: number): string {
  const [whole = '0', fraction] = Math.abs(value).toFixed(digits).split('.');
  return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
}

const minus = (value: number, text: string): string => (value < 0 && /[1-9]/.test(text) ? `-${text}` : text);

/** `0.48`, with as many digits as the price has, at least two. */
export function priceText(price: PriceUnits): string {
  const digits = price % 100 === 0 ? 2 : price % 10 === 0 ? 3 : 4;
  return (price / PRICE_ONE).toFixed(digits);
}

export const probabilityText = (p: number): string => p.toFixed(4);

/** `1,200` or `12.50`. */
export function sharesText(amount: Shares): string {
  const digits = amount % SHARE_ONE === 0 ? 0 : 2;
  const value = amount / SHARE_ONE;
  return minus(value, fixed(value, digits));
}

/** `-1,234.56`. */
export function moneyText(amount: Money): string {
  const value = amount / MONEY_ONE;
  return minus(value, fixed(value, 2));
}

/** With its sign, for profit and inventory. */
export const signed = (text: string): string =>
  text.startsWith('-') || /^0(\.0+)?$/.test(text) ? text : `+${text}`;

/** `00:12` or `1:02:03`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const hours = Math.floor(seconds / 3_600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Local time of day, `14:03:09`. */
export function timeText(micros: number): string {
  const date = new Date(micros / 1_000);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Cut or padded to so many places of a terminal; an ellipsis marks a cut. */
export function column(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, width);
  const padding = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return align === 'left' ? shown + padding : padding + shown;
}

/** Lines of at most so many places, broken between words; a longer word stands alone. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(last) + 1 + widthOf(word) > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Colours by meaning; the plain one leaves text as it is. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly alarm: (text: string) => string;
}

const same = (text: string): string => text;

export const PLAIN: Paint = { strong: same, dim: same, good: same, bad: same, warn: same, alarm: same };

export const COLOURED: Paint = {
  strong: (text) => styleText('bold', text, { validateStream: false }),
  dim: (text) => styleText('dim', text, { validateStream: false }),
  good: (text) => styleText('green', text, { validateStream: false }),
  bad: (text) => styleText('red', text, { validateStream: false }),
  warn: (text) => styleText('yellow', text, { validateStream: false }),
  alarm: (text) => styleText(['bgRed', 'white', 'bold'], text, { validateStream: false }),
};

/** Gains and losses by colour; nothing is neither. */
export const paintSigned = (text: string, value: number, paint: Paint): string =>
  value > 0 ? paint.good(text) : value < 0 ? paint.bad(text) : text;
