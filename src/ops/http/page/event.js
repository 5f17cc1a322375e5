/// <reference lib="dom" />
import { ScopeActions } from './actions.js';
import { html, number, price, shares, signed, tone } from './html.js';
import { stateOf } from './markets.js';
import { useRead, useStore } from './store.js';

const EVERY_MS = 1_000;

/** All outcomes of an event, and what each of its endings brings. @param {{ id: string }} props */
export function EventView({ id }) {
  const { status } = useStore();
  const event = /** @type {import('../contract.js').EventJson | null} */ (
    useRead(`events/${encodeURIComponent(id)}`, EVERY_MS)
  );
  if (event === null) return html`<p class="empty">Waiting for event ${id} …</p>`;
  const isHeld = status?.pauses.some(({ scope }) => scope.event === id) ?? false;
  const most = Math.max(1e-9, ...event.scenarios.map(({ profit }) => Math.abs(profit)));
  const sum = event.outcomes.reduce((total, { fair }) => total + (fair ?? 0), 0);
  return html`<h1>${event.title} <small>event ${id}</small></h1>
    <p class="line">
      <span
        >Worst case
        <b class=${tone(event.worst)}>${signed(event.worst)}</b>${` of ${number(-event.maxLoss, 0)}`}</span
      >
      <span class="muted">fair values add up to ${number(sum, 3)}</span>
    </p>
    <${ScopeActions} scope=${{ event: id }} what=${`event ${id}`} isHeld=${isHeld} />
    <section class="card scroll">
      <h2>Outcomes</h2>
      <table>
        <thead>
          <tr>
            ${['Outcome', 'State', 'Bid', 'Ask', 'Fair', 'Long', 'Short', 'Profit'].map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${event.outcomes.map(
            (row) =>
              html`<tr key=${row.marketId}>
                <th scope="row"><a href=${`#/market/${row.marketId}`}>${row.title}</a></th>
                <td>${stateOf(row)}</td>
                <td>${price(row.bid?.price)}</td>
                <td>${price(row.ask?.price)}</td>
                <td>${price(row.fair, 0.001)}</td>
                <td>${shares(row.inventory.long)}</td>
                <td>${shares(row.inventory.short)}</td>
                <td class=${tone(row.profit)}>${signed(row.profit)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
    <section class="card">
      <h2>How it may end</h2>
      <p class="muted">What each ending brings, every open order filled that costs.</p>
      <table class="bars">
        <tbody>
          ${event.scenarios.map(
            ({ ending, marketId, title, profit }) =>
              html`<tr key=${`${ending}${marketId}`}>
                <th scope="row">
                  ${ending === 'wins' ? `${title} wins` : ending === 'none' ? 'no outcome wins' : 'any is void'}
                </th>
                <td class="bar">
                  <i class=${tone(profit)} style=${{ width: `${(100 * Math.abs(profit)) / most}%` }}></i>
                </td>
                <td class=${tone(profit)}>${signed(profit)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
}
