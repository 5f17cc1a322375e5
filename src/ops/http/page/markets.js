/// <reference lib="dom" />
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { html, price, shares, signed, tone } from './html.js';
import { useStore } from './store.js';

/**
 * @typedef {import('./store.js').Row} Row
 * @typedef {{ name: string, of: (row: Row) => string | number, isText?: boolean }} Column
 */

/** Pixels; the style sheet says the same. */
const ROW = 34;
const SPARE = 12;

const net = (/** @type {Row} */ { inventory }) => inventory.long - inventory.short;
const spread = (/** @type {Row} */ { bid, ask }) =>
  bid === null || ask === null ? Infinity : ask.price - bid.price;

/** @type {Record<string, Column>} */
const COLUMNS = {
  title: { name: 'Market', of: (row) => `${row.eventTitle} ${row.title}`, isText: true },
  instance: { name: 'Instance', of: (row) => row.instance ?? '', isText: true },
  state: { name: 'State', of: (row) => stateOf(row), isText: true },
  bid: { name: 'Bid', of: (row) => row.bid?.price ?? -1 },
  ask: { name: 'Ask', of: (row) => row.ask?.price ?? 2 },
  spread: { name: 'Spread', of: spread },
  fair: { name: 'Fair', of: (row) => row.fair ?? -1 },
  own: { name: 'Own bid / ask', of: (row) => row.quotes.length },
  net: { name: 'Net', of: net },
  profit: { name: 'Profit', of: (row) => row.profit },
  fills: { name: 'Fills', of: (row) => row.fills },
};

/** @type {Record<string, (row: Row) => boolean>} */
const FILTERS = {
  'all markets': () => true,
  quoted: (row) => row.quotes.length > 0,
  'not quoted': (row) => row.instance !== null && row.quotes.length === 0,
  halted: (row) => row.instance !== null && row.halted !== null,
  'with a position': (row) => net(row) !== 0,
  'at a loss': (row) => row.profit < 0,
};

/** @param {Row} row */
export function stateOf(row) {
  if (row.instance === null) return 'observed';
  return row.halted ?? row.refusedBy ?? (row.quotes.length > 0 ? 'quoting' : 'no quote wanted');
}

/** What the list shows; kept while another view is open. */
const kept = { search: '', filter: 'all markets', by: 'title', isDown: false };

/** @param {Iterable<Row>} rows  @param {typeof kept} how */
export function chosen(rows, { search, filter, by, isDown }) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const column = COLUMNS[by];
  if (column === undefined) throw new Error(`no column ${by}`);
  const isWanted = FILTERS[filter] ?? (() => true);
  const found = [...rows].filter((row) => {
    const text =
      `${row.eventTitle} ${row.title} ${row.marketId} ${row.instance} ${stateOf(row)}`.toLowerCase();
    return isWanted(row) && words.every((word) => text.includes(word));
  });
  const sign = isDown ? -1 : 1;
  return found
    .map((row) => ({ row, key: column.of(row) }))
    .sort((a, b) => {
      if (column.isText) return sign * String(a.key).localeCompare(String(b.key), 'en', { numeric: true });
      return sign * (Number(a.key) - Number(b.key) || 0);
    })
    .map(({ row }) => row);
}

/** All markets: search, filter, sort; only the rows in sight are drawn. */
export function Markets() {
  const { rows } = useStore();
  const [how, setHow] = useState(kept);
  const [top, setTop] = useState(0);
  const [focus, setFocus] = useState(-1);
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const change = (/** @type {Partial<typeof kept>} */ next) => {
    Object.assign(kept, next);
    setHow({ ...kept });
  };
  const found = useMemo(() => chosen(rows.values(), how), [how, rows, ...rows.values()]);
  const height = box.current?.clientHeight ?? 700;
  const first = Math.max(0, Math.floor(top / ROW) - SPARE);
  const last = Math.min(found.length, Math.ceil((top + height) / ROW) + SPARE);
  // At once: the row that has the focus may leave the page, and the next key would go nowhere.
  useLayoutEffect(() => {
    if (focus < 0) return;
    const row = box.current?.querySelector(`[data-at="${focus}"] a`);
    if (row instanceof HTMLElement) row.focus();
  }, [focus]);
  /** @param {KeyboardEvent} event */
  const move = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    const place = event.target instanceof Element ? event.target.closest('[data-at]') : null;
    if (step === undefined || !(place instanceof HTMLElement)) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(found.length - 1, Number(place.dataset['at']) + step));
    const pane = box.current;
    if (pane !== null) {
      if (next * ROW < pane.scrollTop) pane.scrollTop = next * ROW;
      if ((next + 3) * ROW > pane.scrollTop + pane.clientHeight)
        pane.scrollTop = (next + 3) * ROW - pane.clientHeight;
      setTop(pane.scrollTop);
    }
    setFocus(next);
  };
  const head = (/** @type {string} */ key, /** @type {Column} */ { name }) =>
    html`<th
      scope="col"
      aria-sort=${how.by === key ? (how.isDown ? 'descending' : 'ascending') : 'none'}
      class=${key}
    >
      <button onClick=${() => change({ by: key, isDown: how.by === key && !how.isDown })}>${name}</button>
    </th>`;
  return html`<h1 class="sr">Markets</h1>
    <div class="tools">
      <label class="grow"
        ><span class="sr">Search markets</span>
        <input
          type="search"
          id="search"
          placeholder="Search title, event, id, instance, state ( / )"
          value=${how.search}
          onInput=${(/** @type {any} */ event) => change({ search: event.target.value })}
        />
      </label>
      <label
        ><span class="sr">Filter</span>
        <select
          value=${how.filter}
          onChange=${(/** @type {any} */ event) => change({ filter: event.target.value })}
        >
          ${Object.keys(FILTERS).map((name) => html`<option>${name}</option>`)}
        </select>
      </label>
      <output class="muted">${found.length} of ${rows.size}</output>
    </div>
    <div
      class="card list"
      ref=${box}
      onScroll=${(/** @type {any} */ event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown=${move}
    >
      <table aria-rowcount=${found.length + 1} class="markets">
        <thead>
          <tr aria-rowindex="1">
            ${Object.entries(COLUMNS).map(([key, column]) => head(key, column))}
          </tr>
        </thead>
        <tbody>
          ${first > 0 && html`<tr aria-hidden="true" style=${{ height: `${first * ROW}px` }}></tr>`}
          ${found.slice(first, last).map((row, at) => html`<${Line} key=${row.marketId} row=${row} at=${first + at} />`)}
          ${last < found.length && html`<tr aria-hidden="true" style=${{ height: `${(found.length - last) * ROW}px` }}></tr>`}
        </tbody>
      </table>
      ${found.length === 0 && html`<p class="empty">No market matches.</p>`}
    </div>`;
}

/** @param {{ row: Row, at: number }} props */
function Line({ row, at }) {
  const own = (/** @type {'bid' | 'ask'} */ side) => {
    const prices = row.quotes.filter((quote) => quote.side === side).map((quote) => quote.price);
    if (prices.length === 0) return '–';
    return price(side === 'bid' ? Math.max(...prices) : Math.min(...prices));
  };
  const state = stateOf(row);
  const width = spread(row);
  return html`<tr data-at=${at} aria-rowindex=${at + 2}>
    <th scope="row" class="title" title=${`${row.eventTitle}: ${row.title}`}>
      <a href=${`#/market/${row.marketId}`}>${row.title}</a>${' '}
      <a class="muted" href=${`#/event/${row.eventId}`}>${row.eventTitle}</a>
    </th>
    <td class="instance">${row.instance ?? '–'}</td>
    <td class="state"><span class="badge ${state === 'quoting' ? 'good' : 'quiet'}">${state}</span></td>
    <td class="bid">${price(row.bid?.price)}</td>
    <td class="ask">${price(row.ask?.price)}</td>
    <td class="spread">${width === Infinity ? '–' : price(width)}</td>
    <td class="fair">${price(row.fair, 0.001)}</td>
    <td class="own">${own('bid')} / ${own('ask')}</td>
    <td class="net">${net(row) === 0 ? '–' : shares(net(row))}</td>
    <td class="profit ${tone(row.profit)}">${signed(row.profit)}</td>
    <td class="fills">${row.fills}</td>
  </tr>`;
}
