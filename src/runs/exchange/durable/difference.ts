/** Where two configurations of an exchange part, in the words of its file. */
import type { Micros, Money, PriceUnits } from '../../../domain/units.js';
import { CURRENCIES } from '../../../domain/vocabulary.js';
import { formatMoney, formatPrice } from '../../../venues/futuur/protocol/decimals.js';
import { formatMilliseconds } from '../../../venues/futuur/protocol/timestamps.js';

/** The first place where they differ, with both values as the file would write them. */
export interface Difference {
  /** `events[0].minAmount` */
  readonly path: string;
  readonly there: string;
  readonly wanted: string;
}

/** @param path of both values; empty: they are the section itself. @returns null when they are equal */
export function differenceOf(path: string, there: unknown, wanted: unknown): Difference | null {
  if (isObject(there) && isObject(wanted)) {
    for (const key of namesOf(there, wanted)) {
      const differs = differenceOf(joined(path, key), there[key], wanted[key]);
      if (differs !== null) return differs;
    }
    return null;
  }
  if (JSON.stringify(there) === JSON.stringify(wanted)) return null;
  const write = writerOf(path);
  return { path, there: write(there), wanted: write(wanted) };
}

/** What follows from other names comes last, so that the cause is told and not the effect. */
const FOLLOWING = ['email', 'slug'];

function namesOf(there: object, wanted: object): readonly string[] {
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(there)])];
  const follows = (name: string): boolean => FOLLOWING.includes(name);
  return [...names.filter((name) => !follows(name)), ...names.filter(follows)];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the file calls otherwise than the exchange does. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  betStart: 'betStartDate',
  betEnd: 'betEndDate',
  eventStart: 'eventStartDate',
  eventEnd: 'eventEndDate',
  tickUnits: 'tickSize',
};

function joined(path: string, key: string): string {
  const name = FILE_NAMES[key] ?? key;
  return path === '' ? name : `${path}.${name}`;
}

const money = (value: number): string => JSON.stringify(formatMoney(value as Money));
const price = (value: number): string => JSON.stringify(formatPrice(value as PriceUnits));
const time = (value: number): string => formatMilliseconds(value as Micros);

/** How a number of this name stands in the file. */
const WRITERS: Readonly<Record<string, (value: number) => string>> = {
  ...Object.fromEntries(CURRENCIES.map((currency) => [currency, money])),
  taker: money,
  maker: money,
  minAmount: money,
  maxAmount: money,
  tickSize: price,
  betStartDate: time,
  betEndDate: time,
  eventStartDate: time,
  eventEndDate: time,
  dateJoined: time,
};

function writerOf(path: string): (value: unknown) => string {
  const write = WRITERS[path.slice(path.lastIndexOf('.') + 1)];
  return (value) => {
    if (write !== undefined && typeof value === 'number') return write(value);
    return value === undefined ? 'nothing' : JSON.stringify(value);
  };
}
