/// <reference lib="dom" />
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { confirm, Confirmation } from './actions.js';
import { ConfigView } from './config.js';
import { DecisionsView } from './decisions.js';
import { EventView } from './event.js';
import { html, signed, tone } from './html.js';
import { MarketView } from './market.js';
import { Markets } from './markets.js';
import { Orders } from './orders.js';
import { Overview } from './overview.js';
import { follow, useStore } from './store.js';

/** @type {readonly (readonly [string, string, (props: { id: string }) => any])[]} */
const VIEWS = [
  ['', 'Overview', Overview],
  ['markets', 'Markets', Markets],
  ['orders', 'Orders', Orders],
  ['decisions', 'Decisions', DecisionsView],
  ['config', 'Configuration', ConfigView],
];
/** @type {Readonly<Record<string, (props: { id: string }) => any>>} */
const DETAILS = { market: MarketView, event: EventView };

const place = () => location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);

function App() {
  const { status, connection } = useStore();
  const [[view = '', id = ''], go] = useState(place);
  useEffect(() => {
    const moved = () => {
      go(place());
      document.getElementById('main')?.focus({ preventScroll: true });
      scrollTo(0, 0);
    };
    addEventListener('hashchange', moved);
    addEventListener('keydown', shortcut);
    return () => {
      removeEventListener('hashchange', moved);
      removeEventListener('keydown', shortcut);
    };
  }, []);
  const name = status === null ? 'Oddsmith' : `${status.mode} ${status.runId}`;
  useEffect(() => {
    document.title = name;
  }, [name]);
  const Shown = DETAILS[view] ?? VIEWS.find(([path]) => path === view)?.[2] ?? Overview;
  const isHere = (/** @type {string} */ path) => path === view || (path === 'markets' && view in DETAILS);
  const earned = status?.profit[status.currency] ?? 0;
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <header class=${status?.mode === 'PAPER' ? 'paper' : ''}>
      <p class="mode ${(status?.mode ?? '').toLowerCase()}">${status?.mode ?? '…'}</p>
      <p class="who">
        <b>Oddsmith</b>
        ${status !== null && html`<span>${status.venue}, account ${status.account}, ${status.currency}</span>`}
      </p>
      ${status !== null && html`<p class="earned ${tone(earned)}">${signed(earned)} <small>${status.currency}</small></p>`}
      <nav aria-label="Views">
        ${VIEWS.map(
          ([path, label], at) =>
            html`<a
              href=${`#/${path}`}
              aria-current=${isHere(path) ? 'page' : null}
              aria-keyshortcuts=${at + 1}
              title=${`${label} (key ${at + 1})`}
              >${label}</a
            >`,
        )}
      </nav>
    </header>
    ${status?.killed && html`<p class="banner bad" role="alert">Killed: ${status.killed}</p>`}
    ${connection === 'lost' && html`<p class="banner bad" role="alert">The bot does not answer. Trying again …</p>`}
    ${
      connection === 'refused' &&
      html`<p class="banner bad" role="alert">
        From here the page needs the token.
        <button
          onClick=${() =>
            confirm({ title: 'Give the token', text: 'It is kept until this page is closed.', action: null })}
        >
          Give the token
        </button>
      </p>`
    }
    <main id="main" tabindex="-1" class=${connection === 'lost' ? 'stale' : ''}><${Shown} id=${id} /></main>
    <footer>
      ${status !== null && html`<span>Run ${status.runId}, process ${status.pid}</span>`}
      <span>Keys: 1 to ${VIEWS.length} views, / search, arrows in the list</span>
    </footer>
    <${Confirmation} />`;
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** @param {KeyboardEvent} event */
function shortcut(event) {
  const { target, key } = event;
  const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const view = VIEWS[Number(key) - 1];
  if (view !== undefined) location.hash = `#/${view[0]}`;
  const search = document.getElementById('search');
  if (key === '/' && search !== null) {
    event.preventDefault();
    search.focus();
  }
}

const app = document.getElementById('app');
if (app !== null) render(html`<${App} />`, app);
void follow();
