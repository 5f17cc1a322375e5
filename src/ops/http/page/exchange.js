/// <reference lib="dom" />
/** The page of the bundled exchange: books, trades, accounts, participants, and faults to switch on. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clock, count, html, number, price, shares } from './html.js';

/**
 * @typedef {{ id: number, title: string, status: string }} Market
 * @typedef {{ id: number, title: string, status: string, markets: readonly Market[] }} Event
 * @typedef {{ price: number, total_shares: number }} Level
 * @typedef {{ on: string, kind: string, probability?: number, ms?: number }} Rule
 * @typedef {{ seed: number, rules: readonly Rule[] }} Plan
 * @typedef {{ events: readonly Event[], ledger: any, trades: readonly any[], participants: readonly any[], faults: Plan }} Seen
 */

const EVERY_MS = 1_000;
const TRADES = 40;
const EVENTS_AT_ONCE = 100;
const LEVELS = 10;

/** Faults that can be switched on with one click, for every request or message. @type {readonly (readonly [string, Rule])[]} */
const FAULTS = [
  ['answers are lost, one in five', { on: '* /orders/{any}/', kind: 'lose_answer', probability: 0.2 }],
  ['answers are half a second late', { on: '* /orders/{any}/', kind: 'delay', probability: 1, ms: 500 }],
  ['requests fail, one in five', { on: '* /orders/{any}/', kind: 'error_before', probability: 0.2 }],
  [
    'requests are turned away (429), one in five',
    { on: '* /orders/{any}/', kind: 'rate_limit', probability: 0.2 },
  ],
  ['connections are cut, one message in a hundred', { on: 'ws', kind: 'drop_ws', probability: 0.01 }],
  ['messages are lost, one in twenty', { on: 'ws', kind: 'frame_lose', probability: 0.05 }],
  ['messages come twice, one in ten', { on: 'ws', kind: 'frame_dup', probability: 0.1 }],
  ['private messages are muted', { on: 'ws', kind: 'mute_private', probability: 1 }],
];

/** In memory alone. */
let token = '';

/** @param {string} path  @param {object} [body]  to be posted  @returns {Promise<any>} */
async function ask(path, body) {
  const response = await fetch(path, {
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail ?? JSON.stringify(answer));
  return answer;
}

/** @param {() => Promise<void>} work  @param {readonly unknown[]} of */
function useEvery(work, of) {
  useEffect(() => {
    let isGone = false;
    let timer = /** @type {any} */ (null);
    const again = async () => {
      await work();
      if (!isGone) timer = setTimeout(() => void again(), EVERY_MS);
    };
    void again();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, of);
}

function Page() {
  const [hasToken, setHasToken] = useState(false);
  const [seen, setSeen] = useState(/** @type {Seen | null} */ (null));
  const [problem, setProblem] = useState('');
  useEvery(async () => {
    if (!hasToken) return;
    try {
      const [{ results }, ledger, trades, participants, faults] = await Promise.all([
        ask(`/events/?page_size=${EVENTS_AT_ONCE}`),
        ...['ledger', 'trades', 'participants', 'faults'].map((name) => ask(`/admin/${name}/`)),
      ]);
      setSeen({ events: results, ledger, trades, participants, faults });
      setProblem('');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }, [hasToken]);
  /** @param {SubmitEvent} event */
  const enter = (event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target)).get('token');
    if (typeof given !== 'string') return;
    token = given;
    setHasToken(true);
  };
  return html`<header>
      <p class="mode demo">EXCHANGE</p>
      <p class="who"><b>Oddsmith</b><span>the bundled venue: play money, simulated traders</span></p>
    </header>
    ${problem !== '' && html`<p class="banner bad" role="alert">${problem}</p>`}
    <main id="main">
      <h1 class="sr">The bundled exchange</h1>
      ${
        seen === null
          ? html`<form class="card" onSubmit=${enter}>
              <label
                >Admin token (exchange.adminToken; kept until this page is closed)
                <input name="token" type="password" required autocomplete="off"
              /></label>
              <p class="buttons"><button class="primary">Open</button></p>
            </form>`
          : html`<${Books} events=${seen.events} />
              <div class="columns">
                <${Faults} plan=${seen.faults} say=${setProblem} />
                <${Accounts} ledger=${seen.ledger} />
                <${Participants} participants=${seen.participants} />
                <${Trades} trades=${seen.trades} />
              </div>`
      }
    </main>`;
}

/** @param {{ events: readonly Event[] }} props */
function Books({ events }) {
  const markets = events.flatMap((event) => event.markets.map((market) => ({ event, market })));
  const [chosen, choose] = useState(markets[0]?.market.id ?? 0);
  const [book, setBook] = useState(
    /** @type {{ bid: readonly Level[], ask: readonly Level[] } | null} */ (null),
  );
  useEvery(async () => {
    try {
      setBook(await ask(`/markets/${chosen}/book/?currency_mode=play_money`));
    } catch {
      setBook(null);
    }
  }, [chosen]);
  const [bids, asks] = [book?.bid.slice(0, LEVELS) ?? [], book?.ask.slice(0, LEVELS) ?? []];
  const most = Math.max(1, ...[...bids, ...asks].map((level) => level.total_shares));
  const line = (/** @type {'bid' | 'ask'} */ side, /** @type {Level} */ level) =>
    html`<tr key=${`${side}${level.price}`} class=${side}>
      <th scope="row">${price(level.price)}</th>
      <td class="size">
        <i style=${{ width: `${(100 * level.total_shares) / most}%` }}></i
        ><span>${shares(level.total_shares)}</span>
      </td>
    </tr>`;
  return html`<section class="card">
    <h2>Book</h2>
    <div class="tools">
      <label class="grow"
        ><span class="sr">Market</span>
        <select value=${chosen} onChange=${(/** @type {any} */ event) => choose(Number(event.target.value))}>
          ${markets.map(
            ({ event, market }) =>
              html`<option value=${market.id}>
                ${`${event.title}: ${market.title} (${market.id}, ${market.status})`}
              </option>`,
          )}
        </select>
      </label>
      <output class="muted">${count(markets.length, 'market')}</output>
    </div>
    <table class="ladder">
      <tbody>
        ${asks.toReversed().map((level) => line('ask', level))}
        <tr class="middle">
          <td colspan="2">${bids.length + asks.length === 0 ? 'nobody quotes' : 'play money'}</td>
        </tr>
        ${bids.map((level) => line('bid', level))}
      </tbody>
    </table>
  </section>`;
}

/** @param {{ plan: Plan, say: (problem: string) => void }} props */
function Faults({ plan, say }) {
  const isOn = (/** @type {Rule} */ rule) =>
    plan.rules.some((one) => one.kind === rule.kind && one.on === rule.on);
  /** @param {readonly Rule[]} rules */
  const replace = async (rules) => {
    try {
      await ask('/admin/faults/', { seed: plan.seed, rules });
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  const turn = (/** @type {Rule} */ rule) =>
    replace(
      isOn(rule)
        ? plan.rules.filter((one) => one.kind !== rule.kind || one.on !== rule.on)
        : [...plan.rules, rule],
    );
  return html`<section class="card">
    <h2>Faults</h2>
    ${FAULTS.map(
      ([text, rule]) =>
        html`<label class="line"
          ><input type="checkbox" checked=${isOn(rule)} onChange=${() => turn(rule)} /> ${text}</label
        >`,
    )}
    <p class="muted">${count(plan.rules.length, 'rule')} in force, seed ${plan.seed}</p>
    ${plan.rules.length > 0 && html`<button onClick=${() => replace([])}>Switch all off</button>`}
  </section>`;
}

/** @param {{ ledger: any }} props */
function Accounts({ ledger }) {
  return html`<section class="card">
    <h2>Accounts</h2>
    <table>
      <thead>
        <tr>
          ${['Account', 'Cash', 'Locked', 'Positions'].map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${ledger.accounts.map(
          (/** @type {any} */ one) =>
            html`<tr key=${`${one.id}${one.currency}`}>
              <th scope="row">${one.id}</th>
              <td>${number(Number(one.cash))} ${one.currency}</td>
              <td>${number(Number(one.locked))}</td>
              <td>${one.shares.length}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="muted">
      ${`Everything adds up to ${Object.entries(ledger.sum)
        .map(([currency, sum]) => `${sum} ${currency}`)
        .join(', ')}`}
    </p>
  </section>`;
}

/** @param {{ participants: readonly any[] }} props */
function Participants({ participants }) {
  return html`<section class="card">
    <h2>Participants</h2>
    ${participants.length === 0 && html`<p class="empty">None.</p>`}
    <table>
      <tbody>
        ${participants.map(
          ({ kind, account, markets = [] }) =>
            html`<tr>
              <th scope="row">${kind}</th>
              <td>account ${account}</td>
              <td>${count(markets.length, 'market')}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** @param {{ trades: readonly any[] }} props */
function Trades({ trades }) {
  return html`<section class="card">
    <h2>Trades</h2>
    ${trades.length === 0 && html`<p class="empty">None yet.</p>`}
    <table>
      <tbody>
        ${trades
          .slice(-TRADES)
          .toReversed()
          .map(
            (trade) =>
              html`<tr key=${trade.id}>
                <td class="muted">${clock(Date.parse(trade.timestamp))}</td>
                <td>market ${trade.market}</td>
                <td>${shares(Number(trade.shares))} at ${price(Number(trade.price))}</td>
                <td class="muted">${trade.taker_account} from ${trade.maker_account}</td>
              </tr>`,
          )}
      </tbody>
    </table>
  </section>`;
}

const app = document.getElementById('app');
if (app !== null) render(html`<${Page} />`, app);
