/// <reference lib="dom" />
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { clock, html } from './html.js';

/**
 * @typedef {{ label: string, color: string, dash?: number[], width?: number, points?: boolean, stepped?: boolean }} Line
 * @typedef {{ name: string, lines: readonly Line[], data: readonly (readonly (number | null)[])[], height: number, places?: number }} ChartProps
 */

/** @param {string} name  of a variable of the style sheet */
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const dark = matchMedia('(prefers-color-scheme: dark)');

/** @param {ChartProps} props  @param {number} width  @returns {any} */
function optionsOf({ lines, height, places = 2 }, width) {
  const axis = {
    stroke: color('muted'),
    grid: { stroke: color('grid'), width: 1 },
    ticks: { show: false },
    font: '11px sans-serif',
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false },
    padding: [8, 8, 0, 0],
    axes: [
      {
        ...axis,
        size: 28,
        values: (/** @type {any} */ _plot, /** @type {number[]} */ times) =>
          times.map((time) => clock(time * 1_000)),
      },
      {
        ...axis,
        size: 58,
        values: (/** @type {any} */ _plot, /** @type {number[]} */ ticks) =>
          ticks.map((one) => one.toFixed(places)),
      },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        label: line.label,
        stroke: color(line.color),
        width: line.points ? 0 : (line.width ?? 1.5),
        ...(line.dash !== undefined && { dash: line.dash }),
        ...(line.stepped && { paths: uPlot.paths.stepped?.({ align: 1 }) }),
        points: line.points
          ? { show: true, size: 7, fill: color(line.color), stroke: color(line.color) }
          : { show: false },
        spanGaps: false,
      })),
    ],
  };
}

/** A picture over time; the first column of `data` is seconds. @param {ChartProps} props */
export function Chart(props) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const plot = useRef(/** @type {any} */ (null));
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    const draw = () => {
      plot.current?.destroy();
      const { data } = latest.current;
      plot.current = new uPlot(
        optionsOf(latest.current, place.clientWidth),
        /** @type {any} */ (data),
        place,
      );
    };
    draw();
    const resized = new ResizeObserver(() =>
      plot.current.setSize({ width: place.clientWidth, height: latest.current.height }),
    );
    resized.observe(place);
    dark.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      dark.removeEventListener('change', draw);
      plot.current.destroy();
    };
  }, []);
  useEffect(() => plot.current?.setData(props.data), [props.data]);
  return html`<figure class="chart" data-chart=${props.name}>
    <div ref=${box} role="img" aria-label=${props.name}></div>
    <figcaption class="key">
      ${props.lines.map((line) => html`<span><i class="mark ${line.color} ${line.dash ? 'dashed' : ''}"></i>${line.label}</span>`)}
    </figcaption>
  </figure>`;
}
