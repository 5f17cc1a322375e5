import { shadowOf, type Shadow } from '../../runs/shadow/shadow.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { TapeReader } from '../../storage/index.js';
import { unlessStopped } from '../../runs/interruption.js';
import { interruptible } from '../signals.js';
import { ReadingProgress } from '../screen/progress.js';
import type { MarkOutFigures } from '../../analytics/analysis.js';
import type { DelayFigures } from '../../analytics/calibration/poisson-intensity.js';
import type { FillTotals, ScenarioFigures } from '../../runs/shadow/shadow-figures.js';
import type { PowerFigures } from '../../runs/shadow/queue-fit.js';
import type { QueueFigures, ShadowFigures } from '../../runs/shadow/shadow-run.js';
import { column, durationText } from '../screen/format.js';
import { print, printJson } from '../output.js';

export interface ShadowArguments {
  readonly json: boolean;
}

/** `oddsmith shadow <tape>`: predicted against real fills of a recorded run, and the parameters that follow from them. */
export async function shadowRun(path: string, { json }: ShadowArguments): Promise<ExitCode> {
  const progress = new ReadingProgress('shadowing', await new TapeReader(path).packedBytes());
  const shadow = await interruptible('there are no figures, and no file is written', (stop) =>
    unlessStopped(shadowOf(path, { onRead: progress.onRead }), stop).finally(() => progress.done()),
  );
  if (json) printJson(shadow);
  else print(...shadowLines(shadow));
  return EXIT.clean;
}

/** What `oddsmith shadow` prints: a page for people, then YAML to paste. */

const SHOWN_SECONDS: readonly (number | null)[] = [10, 60, 300];

export function shadowLines(shadow: Shadow): readonly string[] {
  const { figures } = shadow;
  return [
    ...headLines(shadow),
    '',
    ...fillLines(figures),
    '',
    ...waitLines(figures.scenarios),
    '',
    ...figures.scenarios.filter(({ name }) => name === 'expected').flatMap(markOutLines),
    '',
    ...queueLines(figures.queue),
    '',
    ...yamlLines(figures),
  ];
}

function headLines({ run, figures, gaps, ending }: Shadow): readonly string[] {
  const { seconds, orders, leftOut, books, prints } = figures;
  return [
    `shadow of run ${run}: ${durationText(seconds * 1_000)}, ${count(orders)} orders, ${count(books)} books, ${count(prints)} inferred prints`,
    'orders reached the simulated venues when they reached the real one',
    ...(leftOut.length > 0
      ? [`${count(leftOut.length)} orders left out: they stood before their book was seen`]
      : []),
    ...(gaps > 0 ? [`${count(gaps)} gaps in the tape: what was filled there is unknown`] : []),
    ...(ending.state === 'closed' ? [] : ['the tape is unfinished']),
  ];
}

function fillLines({ real, scenarios }: ShadowFigures): readonly string[] {
  return [
    row('fills', 'orders', 'fills', 'shares', 'of real', 'matched', 'only sim.', 'missed'),
    row('real', ...totalsCells(real), '', '', '', ''),
    ...scenarios.map(({ name, simulated, ratio, matched, onlySimulated, missed }) =>
      row(
        name,
        ...totalsCells(simulated),
        ratio === null ? '-' : `${(ratio * 100).toFixed(1)} %`,
        shares(matched),
        shares(onlySimulated),
        shares(missed),
      ),
    ),
    `of the real shares ${shares(real.takenShares)} traded on arrival`,
  ];
}

const totalsCells = (totals: FillTotals): readonly [string, string, string] => [
  count(totals.orders),
  count(totals.fills),
  shares(totals.shares),
];

const waitLines = (scenarios: readonly ScenarioFigures[]): readonly string[] => [
  row('s to fill', 'orders', 'real', 'simulated', 'earlier by', 'median', 'later by', ''),
  ...scenarios.map(({ name, wait }) =>
    wait === null
      ? row(name, '0', '-', '-', '-', '-', '-', '')
      : row(
          name,
          count(wait.orders),
          wait.realMedian.toFixed(2),
          wait.simulatedMedian.toFixed(2),
          wait.quartiles[0].toFixed(2),
          wait.quartiles[1].toFixed(2),
          wait.quartiles[2].toFixed(2),
          '',
        ),
  ),
  'medians of the orders that were filled both ways; quartiles of simulated less real',
];

/** Beside each mark-out the shares that it is of: of late fills the longer ones are not known. */
function markOutLines({ name, markOuts }: ScenarioFigures): readonly string[] {
  const cells = (all: readonly MarkOutFigures[]): readonly string[] =>
    SHOWN_SECONDS.flatMap((seconds) => {
      const figures = all.find((one) => one.seconds === seconds);
      return [markOut(figures), figures === undefined ? '-' : shares(figures.shares)];
    });
  return [
    row('mark-outs', ...SHOWN_SECONDS.flatMap((seconds) => [`${seconds} s`, 'shares'])),
    row('real', ...cells(markOuts.real)),
    row('only simulated', ...cells(markOuts.onlySimulated)),
    row('missed', ...cells(markOuts.missed)),
    `in cents a share with the error of the mean, in scenario ${name}; by the mid of others' books`,
  ];
}

function markOut(figures: MarkOutFigures | undefined): string {
  if (figures === undefined || figures.perShare === null) return '-';
  const cents = (figures.perShare * 100).toFixed(2);
  return figures.standardError === null ? cents : `${cents} ±${(figures.standardError * 100).toFixed(2)}`;
}

function queueLines({ observations, orders, joined, models }: QueueFigures): readonly string[] {
  const basis = `queue: trades proved something of the place of ${count(orders)} orders, ${count(observations)} times`;
  if (joined === null) return [basis];
  return [
    `${basis}; ${joined.map(shares).join(' / ')} ahead when they joined (quartiles)`,
    row('shares ahead', 'too many by', 'off by'),
    ...models.map(({ name, excess, distance }) => row(name, excess.toFixed(3), distance.toFixed(3))),
  ];
}

function yamlLines({ queue, ways }: ShadowFigures): readonly string[] {
  const { power } = queue;
  const fills =
    power === null
      ? ['#   Too few trades tell one exponent of the power queue from another: it stays as it is.']
      : [
          ...edgeLines(power),
          '  scenarios:',
          `    expected: { queue: power, power: ${figure(power.power)} } # 95 % of the draws within ${figure(power.low)} to ${figure(power.high)}; standard error of its logarithm ${figure(power.errorOfLog)}`,
        ];
  return [
    '# Quantiles from 0 to 1 in equal steps, milliseconds. Clocks of venue and bot are taken as equal.',
    'backtest:',
    ...fills,
    ...latencyLines(ways),
  ];
}

/** The best of what was tried may lie beyond. */
function edgeLines({ power, isEdge }: PowerFigures): readonly string[] {
  if (!isEdge) return [];
  const side = power < 1 ? 'less: what leaves a level stood ahead of ours as often as behind' : 'more';
  return [`#   No exponent that was tried fits better than ${figure(power)}; it may be ${side}.`];
}

function latencyLines({ feed, request, response }: ShadowFigures['ways']): readonly string[] {
  const lines = [
    ...delayLine('feedMs', feed),
    ...delayLine('requestMs', request),
    ...delayLine('responseMs', response),
  ];
  return lines.length === 0 ? [] : ['  latency:', ...lines];
}

function delayLine(name: string, delays: DelayFigures | null): readonly string[] {
  if (delays === null) return [];
  const { quantiles, count: seen, median, errorOfMedian } = delays;
  const list = quantiles.map((ms) => Math.max(0, ms).toFixed(1)).join(', ');
  const error = errorOfMedian === null ? 'unknown' : errorOfMedian.toFixed(2);
  return [`    ${name}: [${list}] # ${seen} seen; median ${median.toFixed(1)}, standard error ${error}`];
}

const row = (name: string, ...cells: readonly string[]): string =>
  (column(name, 16) + cells.map((cell) => column(cell, 13, 'right')).join('')).trimEnd();

const count = (value: number): string => value.toLocaleString('en-US');
const shares = (value: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Three digits that count. */
const figure = (value: number): string => String(Number(value.toPrecision(3)));
