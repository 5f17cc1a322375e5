/// <reference lib="dom" />
import { confirm, ScopeActions } from './actions.js';
import { Chart } from './chart.js';
import { clock, count, duration, html, list, number, shares, signed, tone } from './html.js';
import { useRead, useStore } from './store.js';

const PROFIT_EVERY_MS = 2_000;
const ALARMS_EVERY_MS = 2_000;
const FILLS_SHOWN = 12;
const POSITIONS_SHOWN = 12;

/** @typedef {import('./store.js').Status} Status */

/** Profit, inventory, worst cases, requests, health and alarms. */
export function Overview() {
  const { status, rows, fills } = useStore();
  /** @type {readonly import('../contract.js').ProfitPointJson[]} */
  const profit = useRead('profit', PROFIT_EVERY_MS) ?? [];
  if (status === null) return html`<p class="empty">Waiting for the bot …</p>`;
  const { currency } = status;
  return html`<h1 class="sr">Overview</h1>
    <${Health} status=${status} />
    <${Figures} status=${status} />
    <section class="card">
      <h2>Profit, ${currency}</h2>
      <${Chart}
        name="profit"
        height=${190}
        lines=${[{ label: `profit, marked at mids`, color: 'blue' }]}
        data=${[profit.map((one) => one.at / 1_000), profit.map((one) => one.profit)]}
      />
    </section>
    <div class="columns">
      <${Inventory} rows=${rows} />
      <${WorstCases} events=${status.events} />
      <${Fills} fills=${fills} rows=${rows} />
      <${Instances} status=${status} />
      <${Notices} status=${status} />
    </div>`;
}

/** @param {{ status: Status }} props */
function Health({ status }) {
  /** @type {readonly import('../contract.js').AlarmJson[]} */
  const alarms = useRead('alarms', ALARMS_EVERY_MS) ?? [];
  const { killed, ready, reasons, pauses } = status;
  return html`<section class="card health" aria-label="Health">
    <p class="line">
      <span class="badge ${ready ? 'good' : 'bad'}">${ready ? 'ready' : 'not ready'}</span>
      <span>${status.phase}, ${status.connection.state} for ${duration(status.uptimeMs)}</span>
      <span class="spacer"></span>
      ${
        killed === null && pauses.length === 0
          ? null
          : html`<button
              onClick=${() =>
                confirm({
                  title: 'Resume everything',
                  text: 'End the kill switch, every pause and what guards latched. Losses until now are accepted.',
                  action: { action: 'resume', scope: {} },
                  isGrave: true,
                })}
            >
              Resume everything
            </button>`
      }
      <button
        class="grave"
        onClick=${() =>
          confirm({
            title: 'Kill',
            text: 'Withdraw everything and quote nothing until a person resumes.',
            action: { action: 'kill', scope: {} },
            isGrave: true,
            asksReason: true,
          })}
      >
        Kill
      </button>
    </p>
    ${reasons
      .filter((reason) => alarms.every(({ text }) => text !== reason))
      .map((reason) => html`<p class="problem">${reason}</p>`)}
    ${pauses.map(
      (pause) =>
        html`<p class="note">
          ${list(
            `${scopeText(pause.scope)} ${pause.isPaused ? 'is paused' : `is widened by ${pause.widenTicks} ticks`} by ${pause.by}`,
            `since ${clock(pause.at)}`,
            pause.until !== null && `until ${clock(pause.until)}`,
          )}
        </p>`,
    )}
    ${alarms.map(
      (alarm) =>
        html`<p class="problem line" role="alert">
          <span>${alarm.text}</span>
          <span class="spacer"></span>
          ${
            alarm.acknowledged === null
              ? html`<button
                  onClick=${() =>
                    confirm({
                      title: 'Acknowledge',
                      text: `Say that somebody has seen the alarm ${alarm.code}.`,
                      action: { action: 'acknowledge', alarm: alarm.code },
                    })}
                >
                  Acknowledge
                </button>`
              : html`<span class="muted">seen by ${alarm.acknowledged.by}</span>`
          }
        </p>`,
    )}
  </section>`;
}

/** @param {{ market?: string, event?: string, instance?: string }} scope */
export function scopeText({ market, event, instance }) {
  if (market !== undefined) return `market ${market}`;
  if (event !== undefined) return `event ${event}`;
  return instance === undefined ? 'everything' : `instance ${instance}`;
}

/** @param {{ status: Status }} props */
function Figures({ status }) {
  const { currency, profit, balance, counts, requests } = status;
  const earned = profit[currency] ?? 0;
  const usedToday = requests.perDay - requests.leftToday;
  const figure = (/** @type {string} */ name, /** @type {any} */ value, /** @type {string} */ beside) =>
    html`<div class="figure">
      <dt>${name}</dt>
      <dd>${value}<small>${beside}</small></dd>
    </div>`;
  return html`<dl class="figures card">
    ${figure('Profit', html`<b class=${tone(earned)}>${signed(earned)}</b>`, currency)}
    ${figure('Cash', number(balance.total), `${number(balance.free)} free`)}
    ${figure('Quoted', `${counts.quoted} / ${counts.markets}`, `markets, ${count(counts.openOrders, 'order')}`)}
    ${figure('Fills', number(counts.fills, 0), `${number(counts.ordersCreated, 0)} orders created`)}
    ${figure('Requests left', number(requests.leftNow, 0), `now, of ${requests.perMinute} a minute`)}
    ${figure('Requests today', number(requests.leftToday, 0), `left, ${number(usedToday, 0)} used`)}
  </dl>`;
}

/** @param {{ rows: Map<string, import('./store.js').Row> }} props */
function Inventory({ rows }) {
  const held = [...rows.values()]
    .map((row) => ({ row, net: row.inventory.long - row.inventory.short }))
    .filter(({ net }) => net !== 0)
    .sort((a, b) => Math.abs(b.net) - Math.abs(a.net));
  const most = Math.max(1, ...held.map(({ net }) => Math.abs(net)));
  return html`<section class="card">
    <h2>Inventory</h2>
    ${held.length === 0 && html`<p class="empty">No shares are held.</p>`}
    <table class="bars">
      <tbody>
        ${held.slice(0, POSITIONS_SHOWN).map(
          ({ row, net }) =>
            html`<tr key=${row.marketId}>
              <th scope="row"><${MarketLink} row=${row} id=${row.marketId} /></th>
              <td class="bar">
                <i class=${tone(net)} style=${{ width: `${(100 * Math.abs(net)) / most}%` }}></i>
              </td>
              <td>${signed(net, Number.isInteger(net) ? 0 : 2)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${held.length > POSITIONS_SHOWN && html`<p class="muted">and ${held.length - POSITIONS_SHOWN} more</p>`}
  </section>`;
}

/** Outcomes of different events have the same title. @param {{ row?: import('./store.js').Row, id: string }} props */
const MarketLink = ({ row, id }) =>
  html`<a href=${`#/market/${id}`} title=${row?.eventTitle}>${row?.title ?? id}</a>
    ${row !== undefined && html`<small class="event">${row.eventTitle}</small>`}`;

/** @param {{ events: Status['events'] }} props */
function WorstCases({ events }) {
  const shown = events.toSorted((a, b) => a.worst - b.worst).slice(0, POSITIONS_SHOWN);
  return html`<section class="card">
    <h2>Worst case by event</h2>
    <table class="bars">
      <tbody>
        ${shown.map(
          ({ eventId, title, worst, maxLoss }) =>
            html`<tr key=${eventId}>
              <th scope="row"><a href=${`#/event/${eventId}`}>${title || eventId}</a></th>
              <td class="bar">
                <i
                  class="loss"
                  style=${{ width: `${Math.min(100, (100 * Math.max(0, -worst)) / (maxLoss || 1))}%` }}
                ></i>
              </td>
              <td>${signed(worst)} <small>of ${number(-maxLoss, 0)}</small></td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${events.length > shown.length && html`<p class="muted">and ${events.length - shown.length} more</p>`}
  </section>`;
}

/** @param {{ fills: readonly import('./store.js').Fill[], rows: Map<string, import('./store.js').Row> }} props */
function Fills({ fills, rows }) {
  return html`<section class="card">
    <h2>Fills</h2>
    ${fills.length === 0 && html`<p class="empty">None yet.</p>`}
    <table>
      <tbody>
        ${fills.slice(0, FILLS_SHOWN).map(
          (fill) =>
            html`<tr key=${fill.id}>
              <td class="muted">${clock(fill.at)}</td>
              <td>
                <${MarketLink} row=${rows.get(fill.marketId)} id=${fill.marketId} />
              </td>
              <td>${fill.side === 'bid' ? 'bought' : 'sold'} ${fill.position}</td>
              <td>${shares(fill.shares)}</td>
              <td>${number(fill.price)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** @param {{ status: Status }} props */
function Instances({ status }) {
  const isHeld = (/** @type {string} */ name) => status.pauses.some(({ scope }) => scope.instance === name);
  return html`<section class="card">
    <h2>Instances</h2>
    ${status.instances.map(
      ({ name, strategy, fault, markets }) =>
        html`<div key=${name} class="instance">
          <p class="line">
            <b>${name}</b> <span class="muted">${strategy}, ${count(markets, 'market')}</span>
          </p>
          ${fault !== null && html`<p class="problem">${fault}</p>`}
          <${ScopeActions} scope=${{ instance: name }} what=${`instance ${name}`} isHeld=${isHeld(name)} />
        </div>`,
    )}
  </section>`;
}

/** @param {{ status: Status }} props */
function Notices({ status }) {
  return html`<section class="card wide">
    <h2>What it said of late</h2>
    ${status.notices.length === 0 && html`<p class="empty">Nothing.</p>`}
    <ul class="notices">
      ${status.notices.map(
        ({ at, level, text }) => html`<li class=${level}><time>${clock(at)}</time> <span>${text}</span></li>`,
      )}
    </ul>
  </section>`;
}
