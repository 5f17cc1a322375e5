/// <reference lib="dom" />
import { align } from './columns.js';
import { areaMark, el, keyLine, lineMark, triangleMark } from './dom.js';
import { clock, number, placesOf } from './format.js';
import { namesOf } from './names.js';
import { color } from './theme.js';
import { timeChart } from './time-chart.js';

/**
 * @typedef {import('../run-report.js').RunReport} RunReport
 * @typedef {import('../../analytics/analysis.js').MarketFigures} MarketFigures
 * @typedef {MarketFigures['fillSample']['fills'][number]} PicturedFill
 */

const SYNC = 'book';

/** Lines that bound the depth, behind the four that are drawn, and what is shaded between which lines. */
const EDGES = ['half of the asks', 'last ask', 'half of the bids', 'last bid'];
const BANDS = /** @type {{ between: [number, number], color: string }[]} */ ([
  { between: [0, 1], color: 'band' },
  { between: [4, 0], color: 'asks-near' },
  { between: [5, 4], color: 'asks-far' },
  { between: [1, 6], color: 'bids-near' },
  { between: [6, 7], color: 'bids-far' },
]);

/** Quotes and fills over the book, and the inventory below it, of one market under one scenario. @param {RunReport} report */
export function bookFigure({ scenarios, headline }) {
  const stage = el('div');
  const scenario = choice(
    'Scenario',
    scenarios.map((run) => run.scenario),
    scenarios.findIndex((run) => run.scenario === headline.scenario),
    () => show(),
  );
  const market = choice('Market', marketNames(scenarios[0]), busiest(scenarios[0]), () => show());
  const show = () => {
    const run = scenarios[scenario.chosen()];
    const figures = run?.markets[market.chosen()];
    if (run !== undefined && figures !== undefined) stage.replaceChildren(...pictures(figures, run.endedAt));
  };
  show();
  const hint = el(
    'span',
    { class: 'readout' },
    'drag or wheel: zoom · double click or 0: all · arrows: move',
  );
  return el(
    'figure',
    {},
    el(
      'div',
      { class: 'controls' },
      ...(scenarios.length > 1 ? [scenario.element] : []),
      market.element,
      hint,
    ),
    keyLine([
      { text: 'between best bid and ask of others', mark: areaMark('var(--band)') },
      { text: 'nearer, farther half of the bids', mark: areaMark('var(--bids-near)') },
      { text: 'of the asks', mark: areaMark('var(--asks-near)') },
      { text: 'own bid', mark: lineMark('var(--blue)') },
      { text: 'own ask', mark: lineMark('var(--orange)') },
      { text: 'bought', mark: triangleMark('var(--blue)', 'up') },
      { text: 'sold', mark: triangleMark('var(--orange)', 'down') },
    ]),
    stage,
  );
}

/** @param {RunReport['scenarios'][number] | undefined} run */
const marketNames = (run) => {
  const names = run === undefined ? null : namesOf(run);
  return (run?.markets ?? []).map(({ id }) => names?.whole(id) ?? id);
};

/** @param {RunReport['scenarios'][number] | undefined} run  @returns {number} the market with most fills */
function busiest(run) {
  const counts = (run?.markets ?? []).map(({ fills }) => fills.count);
  return counts.indexOf(Math.max(...counts));
}

/** @param {string} label  @param {readonly string[]} names  @param {number} first  @param {() => void} changed */
function choice(label, names, first, changed) {
  const options = names.map((name, index) => el('option', { value: index, selected: index === first }, name));
  const select = /** @type {HTMLSelectElement} */ (el('select', { change: changed }, ...options));
  return { element: el('label', {}, label, select), chosen: () => Number(select.value) };
}

/** @param {MarketFigures} market  @param {number} endedAt  @returns {HTMLElement[]} */
function pictures(market, endedAt) {
  const ends = market.resolvedAt ?? endedAt;
  const { bid, ask, bidHalf, bidFar, askHalf, askFar, ownBid, ownAsk, inventory } = market.series;
  // One line of times for both, so that they show the same range.
  const drawn = [ask, bid, ownAsk, ownBid, askHalf, askFar, bidHalf, bidFar];
  const { times, values } = align([...drawn, inventory], ends);
  const tip = el('div', { class: 'tip', hidden: true });
  const prices = timeChart({
    name: 'quotes and fills',
    unit: 'price (probability)',
    height: 380,
    sync: SYNC,
    places: placesOf(market.tick),
    data: { times, values: values.slice(0, drawn.length) },
    lines: [
      { label: 'best ask', color: 'market', width: 1 },
      { label: 'best bid', color: 'market', width: 1 },
      { label: 'own ask', color: 'orange', width: 1.75 },
      { label: 'own bid', color: 'blue', width: 1.75 },
      ...EDGES.map((label) => ({ label, color: 'market', isEdge: true })),
    ],
    bands: BANDS,
    paint: (plot) => drawFills(plot, market.fillSample.fills),
    hover: (plot) => showFill(plot, market.fillSample.fills, tip, placesOf(market.tick)),
  });
  prices.append(tip);
  const held = timeChart({
    name: 'inventory',
    unit: 'net shares',
    height: 170,
    sync: SYNC,
    withZero: true,
    data: { times, values: values.slice(drawn.length) },
    lines: [{ label: 'inventory', color: 'green', width: 1.75 }],
  });
  return [prices, held, el('figcaption', {}, caption(market))];
}

/** @param {MarketFigures} market */
function caption({ fillSample, fills, resolution, series }) {
  const end = resolution === null ? 'Not resolved when the run ended.' : `Resolved ${resolution}.`;
  const shown =
    fillSample.every === 1 ? `${fills.count} fills` : `every ${fillSample.every}th of ${fills.count} fills`;
  const width = series.bid.widthMicros / 1e6;
  return `${shown}, larger marks for more shares; prices of the long side, a point per ${width} s in which something changed. Inventory is long minus short shares. ${end}`;
}

/** @param {PicturedFill} fill  @returns {number} half the width of its mark, CSS pixels */
const sizeOf = ({ shares }) => Math.max(3.5, Math.min(11, 1.5 * Math.sqrt(shares)));

/** @param {any} plot  @param {readonly PicturedFill[]} fills */
function drawFills(plot, fills) {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = ratio;
  ctx.setLineDash([]);
  ctx.strokeStyle = color('card');
  for (const fill of fills) {
    const x = plot.valToPos(fill.at / 1e6, 'x', true);
    if (x < bbox.left - 20 || x > bbox.left + bbox.width + 20) continue;
    const y = plot.valToPos(fill.price, 'y', true);
    ctx.fillStyle = color(fill.side === 'bid' ? 'blue' : 'orange');
    triangle(ctx, x, y, sizeOf(fill) * ratio, fill.side === 'bid' ? 1 : -1);
  }
  ctx.restore();
}

/** @param {any} ctx  @param {number} x  @param {number} y  @param {number} half  @param {number} way  1 points up */
function triangle(ctx, x, y, half, way) {
  ctx.beginPath();
  ctx.moveTo(x, y - way * half);
  ctx.lineTo(x + half, y + way * half * 0.8);
  ctx.lineTo(x - half, y + way * half * 0.8);
  ctx.closePath();
  ctx.fill();
  ctx.stroke();
}

/** @param {any} plot  @param {readonly PicturedFill[]} fills  @param {HTMLElement} tip  @param {number} places */
function showFill(plot, fills, tip, places) {
  const { left, top } = plot.cursor;
  const near = left < 0 ? undefined : nearest(plot, fills, left, top);
  tip.hidden = near === undefined;
  if (near === undefined) return;
  const { at, side, price, shares, mid } = near;
  const word = side === 'bid' ? 'bought' : 'sold';
  const against = mid === null ? '' : `, mid ${number(mid, places + 1)}`;
  tip.textContent = `${clock(at)}  ${word} ${number(shares)} at ${number(price, places)}${against}`;
  const x = plot.valToPos(at / 1e6, 'x') + plot.over.offsetLeft;
  const y = plot.valToPos(price, 'y') + plot.over.offsetTop;
  tip.style.left = `${Math.min(x + 12, plot.width - tip.offsetWidth - 4)}px`;
  tip.style.top = `${y + 14}px`;
}

/** @param {any} plot  @param {readonly PicturedFill[]} fills  @param {number} left  @param {number} top */
function nearest(plot, fills, left, top) {
  let [best, found] = [15, /** @type {PicturedFill | undefined} */ (undefined)];
  for (const fill of fills) {
    const distance = Math.hypot(
      plot.valToPos(fill.at / 1e6, 'x') - left,
      plot.valToPos(fill.price, 'y') - top,
    );
    if (distance < best) [best, found] = [distance, fill];
  }
  return found;
}
