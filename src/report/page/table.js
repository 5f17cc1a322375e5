/// <reference lib="dom" />
import { el } from './dom.js';

/**
 * @typedef {string | number | boolean | null} Value
 * @typedef {object} Column
 * @property {string} name
 * @property {string} [unit]
 * @property {(row: any) => Value} of  what its rows are sorted by
 * @property {(row: any) => string | null} [link]  where a text leads; null: nowhere
 * @property {(value: any) => string} [as]  how that is shown, as figures are; left out: a text
 */

const NONE = '–';

/**
 * A table whose rows are sorted by a press on the name of a column, and the other way round by a second one.
 * @param {string} caption  @param {readonly Column[]} columns  @param {readonly any[]} rows
 * @param {(row: any) => boolean} [isChosen]  rows that stand out
 */
export function table(caption, columns, rows, isChosen = () => false) {
  const lines = rows.map((row) => {
    const values = columns.map(({ of }) => of(row));
    const cells = columns.map((column, index) =>
      cell(column, values[index] ?? null, index, column.link?.(row) ?? null),
    );
    return { values, line: el('tr', isChosen(row) ? { class: 'chosen' } : {}, ...cells) };
  });
  const body = el('tbody', {}, ...lines.map(({ line }) => line));
  /** @param {number} index */
  const sort = (index) => {
    const first = lines.some(({ values }) => typeof values[index] === 'string') ? 'ascending' : 'descending';
    const other = first === 'ascending' ? 'descending' : 'ascending';
    const way = heads[index]?.getAttribute('aria-sort') === first ? other : first;
    for (const head of heads) head.removeAttribute('aria-sort');
    heads[index]?.setAttribute('aria-sort', way);
    const order = lines.toSorted((one, another) =>
      compare(one.values[index] ?? null, another.values[index] ?? null, way === 'ascending' ? 1 : -1),
    );
    body.replaceChildren(...order.map(({ line }) => line));
  };
  const heads = columns.map((column, index) => head(column, () => sort(index), rows.length > 1));
  return el(
    'div',
    { class: 'tablebox', tabindex: 0, role: 'region', 'aria-label': caption },
    el('table', {}, el('caption', {}, caption), el('thead', {}, el('tr', {}, ...heads)), body),
  );
}

/** @param {Column} column  @param {() => void} sort  @param {boolean} isSortable */
function head({ name, unit = '', as }, sort, isSortable) {
  const content = [name, el('small', {}, unit)];
  const attributes = { scope: 'col', ...(as === undefined && { class: 'text' }) };
  if (!isSortable || name === '') return el('th', attributes, ...content);
  return el('th', attributes, el('button', { type: 'button', click: sort }, ...content));
}

/** @param {Column} column  @param {Value} value  @param {number} index  @param {string | null} link */
function cell({ as }, value, index, link) {
  const shown = (as ?? text)(value);
  const content = link === null ? shown : el('a', { href: link }, shown);
  if (index === 0) return el('th', { scope: 'row', title: shown }, content);
  const looks = [as === undefined ? 'text' : '', shown === NONE ? 'none' : ''].filter((look) => look !== '');
  return el('td', looks.length === 0 ? {} : { class: looks.join(' ') }, content);
}

/** @param {Value} value */
const text = (value) => (value === null ? NONE : String(value));

/** What is not known comes last, whichever way. @param {Value} one  @param {Value} other  @param {1 | -1} way */
function compare(one, other, way) {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  if (typeof one === 'number' && typeof other === 'number') return way * (one - other);
  return way * String(one).localeCompare(String(other), 'en', { numeric: true });
}
