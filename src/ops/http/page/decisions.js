/// <reference lib="dom" />
import { clock, html } from './html.js';
import { useRead } from './store.js';

const EVERY_MS = 2_000;
const SHOWN = 200;

/** The latest requests that left, newest first. */
export function DecisionsView() {
  const decisions = /** @type {readonly import('../contract.js').DecisionJson[] | null} */ (
    useRead('decisions', EVERY_MS)
  );
  if (decisions === null) return html`<p class="empty">Waiting for the decisions …</p>`;
  return html`<h1 class="sr">Decisions</h1>
    <section class="card scroll"><${Decisions} decisions=${decisions.slice(0, SHOWN)} /></section>`;
}

/** @param {{ decisions: readonly import('../contract.js').DecisionJson[] }} props */
export function Decisions({ decisions }) {
  if (decisions.length === 0) return html`<p class="empty">None yet.</p>`;
  return html`<table class="decisions">
    <thead>
      <tr>
        ${['Time', 'Input', 'Request', 'Orders'].map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${decisions.map(
        ({ requestId, at, seq, input, kind, orders }) =>
          html`<tr key=${requestId}>
            <td class="muted">${clock(at)}</td>
            <td>${input} ${seq}</td>
            <td>${requestId} ${kind}</td>
            <td>${orders.map((order) => html`<div>${order}</div>`)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
