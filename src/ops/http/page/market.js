/// <reference lib="dom" />
import { useMemo } from 'preact/hooks';
import { ScopeActions } from './actions.js';
import { Chart } from './chart.js';
import { Decisions } from './decisions.js';
import { html, list, number, price, shares, signed, tone } from './html.js';
import { stateOf } from './markets.js';
import { Why } from './orders.js';
import { useRead, useStore } from './store.js';

const EVERY_MS = 500;
const HISTORY_EVERY_MS = 2_000;
const LEVELS = 12;
const DECISIONS = 12;

/** @typedef {import('../contract.js').MarketJson} Market */

/** One market: its ladder with own quotes, fair value with its parts, the picture over time, orders, decisions. @param {{ id: string }} props */
export function MarketView({ id }) {
  const { status } = useStore();
  const market = /** @type {Market | null} */ (useRead(`markets/${encodeURIComponent(id)}`, EVERY_MS));
  if (market === null) return html`<p class="empty">Waiting for market ${id} …</p>`;
  const isHeld =
    status?.pauses.some(({ scope }) => scope.market === id || scope.event === market.eventId) ?? false;
  const state = stateOf(market);
  return html`<h1>
      ${market.title} <small><a href=${`#/event/${market.eventId}`}>${market.eventTitle}</a></small>
    </h1>
    <p class="line">
      <span class="badge ${state === 'quoting' ? 'good' : 'quiet'}">${state}</span>
      <span class="muted">
        ${list(
          `market ${id}`,
          market.status,
          `book ${market.book}`,
          market.bookReason !== market.book && market.bookReason,
          `tick ${market.tick}`,
          market.instance !== null && `instance ${market.instance}`,
        )}
      </span>
      <span class="spacer"></span>
      <b class=${tone(market.profit)}>${signed(market.profit)} ${status?.currency ?? ''}</b>
    </p>
    ${market.instance !== null && html`<${ScopeActions} scope=${{ market: id }} what=${`market ${id}`} isHeld=${isHeld} />`}
    <${Picture} id=${id} market=${market} />
    <div class="columns">
      <${Ladder} market=${market} />
      <${Fair} market=${market} />
      <section class="card wide">
        <h2>Own orders and why</h2>
        ${market.orders.length === 0 && html`<p class="empty">None.</p>`}
        ${market.orders.map((order) => html`<${Why} key=${order.orderId} order=${order} tick=${market.tick} />`)}
      </section>
      <section class="card wide">
        <h2>Decisions</h2>
        <${Decisions} decisions=${market.decisions.slice(0, DECISIONS)} />
      </section>
    </div>`;
}

/** @param {{ id: string, market: Market }} props */
function Picture({ id, market }) {
  /** @type {readonly import('../contract.js').HistoryPointJson[]} */
  const history = useRead(`markets/${encodeURIComponent(id)}/history`, HISTORY_EVERY_MS) ?? [];
  const fills = market.recentFills.filter(({ longPrice }) => longPrice !== null);
  const key = `${history.at(-1)?.at} ${fills[0]?.id}`;
  const data = useMemo(() => {
    const from = history[0]?.at ?? 0;
    const points = [
      ...history.map((one) => ({
        at: one.at,
        values: [one.bid, one.ask, one.fair, one.ownBid, one.ownAsk, null, null],
      })),
      ...fills
        .filter(({ at }) => at >= from)
        .map(({ at, longPrice, side, position }) => {
          const bought = (side === 'bid') === (position === 'long');
          const hold = lastBefore(history, at);
          return { at, values: [...hold, bought ? longPrice : null, bought ? null : longPrice] };
        }),
    ].sort((a, b) => a.at - b.at);
    return [
      points.map(({ at }) => at / 1_000),
      ...[0, 1, 2, 3, 4, 5, 6].map((line) => points.map(({ values }) => values[line] ?? null)),
    ];
  }, [key]);
  return html`<section class="card">
    <h2>Book, quotes and fills</h2>
    <${Chart}
      name="book, quotes and fills"
      height=${240}
      places=${market.tick < 0.01 ? 3 : 2}
      lines=${[
        { label: 'bid of others', color: 'market', stepped: true },
        { label: 'ask of others', color: 'market', stepped: true },
        { label: 'fair value', color: 'gold', dash: [4, 3] },
        { label: 'own bid', color: 'blue', width: 2, stepped: true },
        { label: 'own ask', color: 'orange', width: 2, stepped: true },
        { label: 'bought', color: 'green', points: true },
        { label: 'sold', color: 'loss', points: true },
      ]}
      data=${data}
    />
  </section>`;
}

/** What stood just before a time. @param {readonly import('../contract.js').HistoryPointJson[]} history  @param {number} at */
function lastBefore(history, at) {
  const one = history.findLast((point) => point.at <= at);
  return one === undefined
    ? [null, null, null, null, null]
    : [one.bid, one.ask, one.fair, one.ownBid, one.ownAsk];
}

/** @param {{ market: Market }} props */
function Ladder({ market }) {
  const { bids, asks, tick, orders } = market;
  const most = Math.max(1, ...[...bids, ...asks].map((level) => level.shares));
  const ahead = (/** @type {'bid' | 'ask'} */ side, /** @type {number} */ at) =>
    orders.find((order) => order.bookSide === side && order.longPrice === at && order.aheadAtMost !== null)
      ?.aheadAtMost ?? null;
  const line = (/** @type {'bid' | 'ask'} */ side, /** @type {Market['bids'][number]} */ level) => {
    const before = level.own > 0 ? ahead(side, level.price) : null;
    return html`<tr key=${`${side}${level.price}`} class="${side} ${level.own > 0 ? 'mine' : ''}">
      <td class="own">${level.own > 0 ? shares(level.own) : ''}</td>
      <td class="queue">${before === null ? '' : `≤ ${shares(before)} ahead`}</td>
      <th scope="row">${price(level.price, tick)}</th>
      <td class="size">
        <i style=${{ width: `${(100 * level.shares) / most}%` }}></i><span>${shares(level.shares)}</span>
      </td>
    </tr>`;
  };
  return html`<section class="card">
    <h2>Ladder</h2>
    <table class="ladder">
      <thead>
        <tr>
          <th scope="col">Ours</th>
          <th scope="col">Queue</th>
          <th scope="col">Price</th>
          <th scope="col">Shares</th>
        </tr>
      </thead>
      <tbody>
        ${asks
          .slice(0, LEVELS)
          .toReversed()
          .map((level) => line('ask', level))}
        <tr class="middle">
          <td colspan="4">
            ${bids.length === 0 && asks.length === 0 ? 'no book' : `mid of others ${number(market.mid, 3)}`}
          </td>
        </tr>
        ${bids.slice(0, LEVELS).map((level) => line('bid', level))}
      </tbody>
    </table>
  </section>`;
}

/** @param {{ market: Market }} props */
function Fair({ market }) {
  const { fairFrom, inventory, restriction, signals } = market;
  const row = (/** @type {string} */ name, /** @type {any} */ value) =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${value}</td>
    </tr>`;
  return html`<section class="card">
    <h2>Fair value and what follows</h2>
    <table class="facts">
      <tbody>
        ${row('Fair value', fairFrom === null ? 'not known' : html`<b>${number(fairFrom.p, 4)}</b>`)}
        ${fairFrom !== null && row('from', fairFrom.source)}
        ${fairFrom !== null && row('age, confidence', `${number(fairFrom.ageMs / 1_000, 1)} s, ${number(fairFrom.confidence)}`)}
        ${row('mid, weighted', `${number(market.mid, 4)}, ${number(market.weightedMid, 4)}`)}
        ${signals.map(({ name, value, ageMs }) => row(`signal ${name}`, `${number(value, 4)} (${number(ageMs / 1_000, 1)} s)`))}
        ${row('held', `${shares(inventory.long)} long, ${shares(inventory.short)} short`)}
        ${row('guards leave', restrictionText(restriction))}
        ${market.refusedBy !== null && row('refused by', market.refusedBy)}
      </tbody>
    </table>
  </section>`;
}

/** @param {Market['restriction']} restriction */
function restrictionText({ out, reduceOnly, widenTicks, size }) {
  if (out !== null) return `nothing: ${out}`;
  const parts = [
    ...(reduceOnly ? ['only what reduces the position'] : []),
    ...(widenTicks > 0 ? [`${widenTicks} ticks further away`] : []),
    ...(size < 1 ? [`${number(100 * size, 0)} % of the size`] : []),
  ];
  return parts.length === 0 ? 'everything' : parts.join(', ');
}
