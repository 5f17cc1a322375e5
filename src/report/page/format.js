/** Numbers and times as people read them. Absent values are a dash. */

const NONE = '–';

/** @param {string} text  @returns {string} with the typographic minus */
const minus = (text) => text.replace('-', '−');

/** @param {number} value  @param {number} places  @returns {string} with thousands apart and never a negative zero */
function fixed(value, places) {
  const rounded = Number(value.toFixed(places)) + 0;
  return minus(formatOf(places).format(rounded === 0 ? 0 : rounded));
}

/** @type {Map<number, Intl.NumberFormat>} */
const formats = new Map();

/** A format takes longer to make than to use. @param {number} places */
function formatOf(places) {
  const format =
    formats.get(places) ??
    new Intl.NumberFormat('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
  formats.set(places, format);
  return format;
}

/** @param {number | null} value  @param {number} [places] */
export const number = (value, places = 2) => (value === null ? NONE : fixed(value, places));

/** @param {number} decimals  @returns {(value: number | null) => string} */
export const places = (decimals) => (value) => number(value, decimals);

/** @param {number | null} value  @returns {string} money with its sign */
export const signed = (value) => {
  if (value === null) return NONE;
  const text = fixed(value, 2);
  return value > 0 && text !== '0.00' ? `+${text}` : text;
};

/** @param {number | null} share  @returns {string} of 1, as per cent */
export const percent = (share) => (share === null ? NONE : `${fixed(share * 100, 1)} %`);

/** @param {number | null} price  @returns {string} a difference of prices in cents, with its sign */
export const cents = (price) => {
  if (price === null) return NONE;
  const text = fixed(price * 100, 2);
  return price > 0 && text !== '0.00' ? `+${text}` : text;
};

/** @param {number} tick  @returns {number} decimals that a price on this grid needs */
export const placesOf = (tick) => Math.max(2, Math.min(4, Math.ceil(-Math.log10(tick) - 1e-9)));

/** @param {number} micros  @returns {string} in UTC */
export const dateTime = (micros) => {
  const text = new Date(micros / 1e3).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
};

/** @param {number} micros  @returns {string} in UTC, to the millisecond */
export const clock = (micros) => new Date(micros / 1e3).toISOString().slice(11, 23);

/** @param {number | null} seconds  @returns {string} in the two largest units */
export function duration(seconds) {
  if (seconds === null) return NONE;
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds < 60 ? Number((seconds % 60).toFixed(1)) : Math.floor(seconds % 60), 's'],
  ];
  const first = parts.findIndex(([count]) => Number(count) > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => Number(count) > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/**
 * Round values that divide a range.
 * @param {number} low  @param {number} high  @param {number} about  how many are wanted
 * @returns {number[]} ascending
 */
export function ticksBetween(low, high, about) {
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

/**
 * Round values for an axis of so many pixels: two at least, or nobody can read a size from it.
 * @param {number} low  @param {number} high  @param {number} pixels
 */
export const axisTicks = (low, high, pixels) => ticksBetween(low, high, Math.max(5, Math.floor(pixels / 30)));

/** @param {readonly number[]} ticks  @returns {number} decimals at which neighbours differ */
export function placesOfTicks(ticks) {
  const step = ticks.length < 2 ? 1 : Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0));
  return Math.max(
    0,
    Math.min(6, Math.ceil(-Math.log10(step) - 1e-9) + (/^0?\.?0*25/.test(String(step)) ? 1 : 0)),
  );
}
