/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { clock, count, html, list, number, price, shares, signed } from './html.js';
import { useRead, useStore } from './store.js';

const EVERY_MS = 2_000;
const SHOWN = 200;

/** @typedef {import('../contract.js').OrderJson} Order */

/** Open orders, each with why it was asked for. */
export function Orders() {
  const { rows } = useStore();
  const [search, setSearch] = useState('');
  const orders = /** @type {readonly Order[] | null} */ (useRead('orders', EVERY_MS));
  if (orders === null) return html`<p class="empty">Waiting for the orders …</p>`;
  const named = (/** @type {Order} */ order) => rows.get(order.marketId)?.title ?? order.marketId;
  const eventOf = (/** @type {Order} */ order) => rows.get(order.marketId)?.eventTitle ?? '';
  const found = inLadders(orders).filter((order) =>
    `${eventOf(order)} ${named(order)} ${order.marketId} ${order.orderId} ${order.state}`
      .toLowerCase()
      .includes(search.toLowerCase()),
  );
  return html`<h1 class="sr">Orders</h1>
    <div class="tools">
      <label class="grow"
        ><span class="sr">Search orders</span>
        <input
          type="search"
          id="search"
          placeholder="Search market, order, state ( / )"
          value=${search}
          onInput=${(/** @type {any} */ event) => setSearch(event.target.value)}
        />
      </label>
      <output class="muted">${count(found.length, 'order')}</output>
    </div>
    <section class="card">
      ${found.length === 0 && html`<p class="empty">No open order.</p>`}
      ${found
        .slice(0, SHOWN)
        .map(
          (order) =>
            html`<${Why}
              key=${order.orderId ?? `${order.marketId}${order.since}`}
              order=${order}
              market=${named(order)}
              event=${eventOf(order)}
            />`,
        )}
      ${found.length > SHOWN && html`<p class="muted">and ${found.length - SHOWN} more: search to see them</p>`}
    </section>`;
}

/** Market by market as they come, each from its highest price down. @param {readonly Order[]} orders */
function inLadders(orders) {
  const places = new Map([...new Set(orders.map(({ marketId }) => marketId))].map((id, at) => [id, at]));
  const placeOf = (/** @type {Order} */ { marketId }) => places.get(marketId) ?? 0;
  return orders.toSorted((a, b) => placeOf(a) - placeOf(b) || b.longPrice - a.longPrice);
}

/**
 * One order, and from what it was made.
 * @param {{ order: Order, market?: string, event?: string, tick?: number }} props
 */
export function Why({ order, market, event = '', tick }) {
  const { why } = order;
  return html`<details class="order ${order.bookSide}">
    <summary>
      <span class="side">${order.bookSide}</span>
      <b>${shares(order.remaining)} at ${price(order.longPrice, tick)}</b>
      ${market !== undefined && html`<a href=${`#/market/${order.marketId}`}>${market}</a>`}
      ${event !== '' && html`<small class="event" title=${event}>${event}</small>`}
      <span class="muted">
        ${list(
          order.state,
          order.ownership !== 'ours' && order.ownership,
          order.aheadAtMost !== null && `at most ${shares(order.aheadAtMost)} ahead`,
          `since ${clock(order.since)}`,
        )}
      </span>
    </summary>
    <p class="muted">
      ${list(
        `Order ${order.orderId ?? 'without an id'}: ${order.side} ${shares(order.shares)} ${order.position} at ${price(order.price, tick)}`,
        `${shares(order.filled)} filled`,
        order.expiresAt !== null && `expires ${clock(order.expiresAt)}`,
      )}
    </p>
    ${why === null ? html`<p>This run did not ask for it, or has forgotten why.</p>` : html`<${Reason} why=${why} />`}
  </details>`;
}

/** @param {{ why: NonNullable<Order['why']> }} props */
function Reason({ why }) {
  const { steps, wanted, rounding, moved, fair, inventory, refusals } = why;
  let sum = 0;
  const places = 4;
  const rows = [
    ...steps.map(({ label, value }) => ({ label, value })),
    ...(rounding === 0 ? [] : [{ label: 'rounded to the tick', value: rounding }]),
    ...(moved === 0 ? [] : [{ label: 'moved behind what it would take', value: moved }]),
  ];
  const by = why.strategy === null ? '' : ` by ${why.strategy} (${why.instance})`;
  const texts = [
    `Asked for at ${clock(why.at)} after an input of kind ${why.input}${by}.`,
    fair !== null &&
      `Fair value ${number(fair.p, places)} from ${fair.source}, ${number(fair.ageMs / 1_000, 1)} s old.`,
    inventory !== null && `Held: ${shares(inventory.long)} long, ${shares(inventory.short)} short.`,
  ];
  return html`<p>${texts.filter(Boolean).join(' ')}</p>
    ${
      wanted !== null &&
      html`<table class="steps">
        <tbody>
          ${rows.map(({ label, value }, at) => {
            sum += value;
            return html`<tr>
              <th scope="row">${label}</th>
              <td>${at === 0 ? number(value, places) : signed(value, places)}</td>
              <td class="muted">${number(sum, places)}</td>
            </tr>`;
          })}
        </tbody>
      </table>`
    }
    ${refusals.map((refusal) => html`<p class="note">Refused of the same plan: ${refusal}</p>`)}`;
}
