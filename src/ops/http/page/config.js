/// <reference lib="dom" />
import { html } from './html.js';
import { useRead } from './store.js';

const EVERY_MS = 5_000;

/** What the bot runs with, and what its file says otherwise by now. */
export function ConfigView() {
  const config = /** @type {import('../contract.js').ConfigJson | null} */ (useRead('config', EVERY_MS));
  if (config === null) return html`<p class="empty">Waiting for the configuration …</p>`;
  const { file, differences, problem, inUse } = config;
  return html`<h1 class="sr">Configuration</h1>
    <section class="card scroll">
      <h2>File and bot</h2>
      ${problem !== null && html`<p class="problem">The file on disk is not valid: ${problem}</p>`}
      ${problem === null && differences.length === 0 && html`<p>${file} says what the bot runs with.</p>`}
      ${
        differences.length > 0 &&
        html`<p>${file} says something else by now:</p>
          <table>
            <thead>
              <tr>
                ${['Key', 'In use', 'In the file'].map((name) => html`<th scope="col">${name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${differences.map(
                ({ path, inUse: now, onDisk }) =>
                  html`<tr key=${path}>
                    <th scope="row">${path}</th>
                    <td>${now ?? 'nothing'}</td>
                    <td>${onDisk ?? 'nothing'}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
      }
    </section>
    <section class="card scroll">
      <h2>In use, as resolved at the start</h2>
      <pre tabindex="0">${JSON.stringify(inUse, null, 2)}</pre>
    </section>`;
}
