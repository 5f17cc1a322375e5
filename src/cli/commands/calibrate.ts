import {
  calibrate,
  type Calibrated,
  type CalibrateOptions,
  type RankedMarket,
  rankMarkets,
} from '../../runs/calibrate.js';
import { readableRecordings } from '../../recordings/index.js';
import { DEFAULT_STATE_DIR } from '../../settings/bot-schema.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { PRICE_ONE } from '../../domain/units.js';
import { unlessStopped } from '../../runs/interruption.js';
import { interruptible } from '../signals.js';
import type { CalibrationFigures } from '../../analytics/calibration/calibrator.js';
import { type Estimate, MOVE_SECONDS } from '../../analytics/calibration/calibration-sums.js';
import type { EdgeRow } from '../../analytics/calibration/edge.js';
import type { DelayFigures } from '../../analytics/calibration/poisson-intensity.js';
import { print } from '../output.js';

export interface CalibrateArguments {
  /** A price. */
  readonly step?: number;
  readonly distances: number;
}

/** `oddsmith calibrate <recording...>`: what models need, from recordings, as YAML on standard output. */
export async function calibrateRecordings(
  paths: readonly string[],
  given: CalibrateArguments,
): Promise<ExitCode> {
  const options = optionsOf(given);
  const files = await readableRecordings(paths, DEFAULT_STATE_DIR);
  const calibrated = await interruptible('no parameters are found, and no file is written', (stop) =>
    unlessStopped(calibrate(files, options), stop),
  );
  print(...calibrationYaml(calibrated));
  return EXIT.clean;
}

export interface EdgeArguments extends CalibrateArguments {
  /** Recordings, and folders of them. */
  readonly edge: readonly string[];
  readonly json: boolean;
}

/** `oddsmith markets --edge <recordings...>`: markets by what a quote first in line would have earned there. */
export async function rankRecordedMarkets({ edge, json, ...rest }: EdgeArguments): Promise<ExitCode> {
  const options = optionsOf(rest);
  const files = await readableRecordings(edge, DEFAULT_STATE_DIR);
  const ranked = await interruptible('no market is ranked', (stop) =>
    unlessStopped(rankMarkets(files, options), stop),
  );
  if (json) print(...ranked.map((one) => JSON.stringify(rankOf(one))));
  else print(...rankingLines(ranked));
  return EXIT.clean;
}

function optionsOf({ step, distances }: CalibrateArguments): CalibrateOptions {
  const units = step === undefined ? null : Math.round(step * PRICE_ONE);
  if (units !== null && (units < 1 || units >= PRICE_ONE))
    throw new UsageError(`--step ${step} is no distance between prices; expected 0.0001 to 0.9999`);
  if (!Number.isInteger(distances) || distances < 2)
    throw new UsageError(`--distances ${distances} is no number of quotes; expected 2 or more`);
  return { step: units, distances };
}

const HOUR = 3_600;

/** Of the distance that earns most; of a market where none does, of the one that loses least. Prices, and price an hour. */
function rankOf({ recording, market, figures }: RankedMarket) {
  const { rows, best, xi } = figures.edges;
  const row = best ?? rows.filter(({ earns }) => earns !== null).toSorted(byEarnings)[0] ?? null;
  const perHour = (estimate: Estimate | null | undefined): Estimate | null =>
    estimate === null || estimate === undefined
      ? null
      : { value: estimate.value * HOUR, error: estimate.error === null ? null : estimate.error * HOUR };
  return {
    recording,
    market,
    earns: best !== null,
    distance: row?.distance ?? null,
    takers: row?.takers ?? 0,
    edge: row?.edge ?? null,
    perHour: perHour(row?.earns),
    xi,
    hours: figures.seconds / HOUR,
  };
}

const byEarnings = (one: EdgeRow, other: EdgeRow): number => other.earns!.value - one.earns!.value;

function rankingLines(ranked: readonly RankedMarket[]): readonly string[] {
  const rows = ranked.map(rankOf);
  const earning = rows.filter(({ earns }) => earns).length;
  const lines = rows.map(({ recording, market, distance, takers, edge, perHour, xi, hours }) => {
    const name = `${recording} ${market}`.padEnd(40);
    if (distance === null || edge === null || perHour === null)
      return `${name}  no taker went beyond the mid in ${figure(hours)} h`;
    const cents = (estimate: Estimate): string => ofError(estimate, 100);
    return `${name}  d ${price(distance)}  takers ${takers}  edge ${cents(edge)} c  an hour ${cents(perHour)} c  xi ${xi === null ? 'unknown' : `${cents(xi)} c`}`;
  });
  return [
    '# A quote first in line at distance d from the mid: takers that reached it, edge = d less the move of the mid against',
    '# it after 10 s, edge times takers an hour and side, xi = the move after 30 s. Cents a share, +- one standard error.',
    ...lines,
    earning === 0
      ? 'In no market does any distance earn: the mid moves further against a fill than the quote stands from it.'
      : `In ${earning} of ${many(rows.length, 'market')} some distance earns; the best of many looks better than it is.`,
  ];
}

const ofError = ({ value, error }: Estimate, times: number): string =>
  `${(value * times).toFixed(2)} +- ${error === null ? '?' : (error * times).toFixed(2)}`;

/** What calibration found, as YAML whose blocks can be pasted, with where they go and what they rest on in comments. */

/** Moves over this many seconds are the least disturbed by the bounce between bid and ask. */
const PASTED_SECONDS = 30;

function calibrationYaml({ figures, recordings, isChosen, notes }: Calibrated): readonly string[] {
  return [
    ...head(figures, recordings),
    ...notes.map((note) => `# ${note}`),
    ...parameterLines(figures, isChosen),
    ...latencyLines(figures),
  ];
}

const head = (
  { markets, seconds, trades, sweeps, blocks, blockSeconds }: CalibrationFigures,
  recordings: number,
): readonly string[] => [
  `# ${many(recordings, 'recording')}, ${many(markets, 'market')}, ${Math.round(seconds)} s of two-sided books, ${trades} prints of ${sweeps} takers.`,
  `# Standard errors by leaving out each of ${many(blocks, 'stretch', 'stretches')} of ${blockSeconds} s in turn, unknown below 10.`,
];

/** No key of a bot's file takes them: which of them a strategy wants, and by what name, it declares itself. */
function parameterLines(figures: CalibrationFigures, isChosen: boolean): readonly string[] {
  const intensity = intensityLines(figures, isChosen);
  const volatility = volatilityLines(figures);
  const edge = edgeLines(figures);
  const lines = [...intensity.lines, ...volatility.lines, ...edge.lines];
  const where =
    '# Into the instance of a strategy that declares them, as in docs/guides/write-a-strategy.md, "By a model":';
  return [
    ...intensity.basis,
    ...volatility.basis,
    ...edge.basis,
    ...(lines.length === 0 ? [] : ['', where, 'params:', ...lines]),
  ];
}

interface Found {
  /** Comments. */
  readonly basis: readonly string[];
  /** What can be pasted; nothing where it cannot be told. */
  readonly lines: readonly string[];
}

function intensityLines({ intensity, cells, step }: CalibrationFigures, isChosen: boolean): Found {
  const chosen = isChosen ? ', chosen so that one in twenty takers reaches the furthest quote,' : '';
  const counts = cells
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ distance, fills }) => `${price(distance)}: ${fills}`)
    .join(', ');
  const basis = [
    '',
    '# Fills per second and side of a quote at distance d from the mid, first in line: A exp(-k d).',
    `# Poisson maximum likelihood over steps of ${price(step / PRICE_ONE)}${chosen} on the grid of each market.`,
    `# Takers that reached d or beyond, from mids of which a quote can stand there: ${counts}.`,
  ];
  if (intensity === null)
    return {
      basis: [...basis, '# Takers reached fewer than two distances: A and k cannot be told.'],
      lines: [],
    };
  const { lnA, k, poissonErrorOfLnA, poissonErrorOfK } = intensity;
  return {
    basis,
    lines: [
      `  a: ${figure(Math.exp(lnA.value))} # per second; ln A ${figure(lnA.value)}, ${errors(lnA, poissonErrorOfLnA)}`,
      `  k: ${figure(k.value)} # per unit of price; ${errors(k, poissonErrorOfK)}`,
    ],
  };
}

const errors = ({ error }: Estimate, ifIndependent: number): string =>
  `standard error ${error === null ? 'unknown' : figure(error)} (${figure(ifIndependent)} if fills were independent)`;

function volatilityLines({ volatility }: CalibrationFigures): Found {
  const basis = ['', '# Moves of the mid: price per square root of a second.'];
  const lines = volatility.map(({ seconds, moves, sigma }) =>
    sigma === null
      ? `#   over ${seconds} s: none`
      : `#   over ${seconds} s: ${figure(sigma.value)}${plusMinus(sigma)}, ${moves} moves`,
  );
  const pasted =
    volatility.find(({ seconds, sigma }) => seconds === PASTED_SECONDS && sigma !== null) ??
    volatility.find(({ sigma }) => sigma !== null);
  if (pasted === undefined || pasted.sigma === null)
    return {
      basis: [...basis, '# No book was two-sided long enough: volatility cannot be told.'],
      lines: [],
    };
  return {
    basis: [...basis, ...lines],
    lines: [`  sigma: ${figure(pasted.sigma.value)} # over ${pasted.seconds} s${plusMinus(pasted.sigma)}`],
  };
}

/** What a quote earns at each distance, and the impact that `glft` takes. */
function edgeLines({ edges: { rows, best, xi } }: CalibrationFigures): Found {
  const cents = (estimate: Estimate | null, times = 100): string =>
    (estimate === null ? 'unknown' : ofError(estimate, times)).padStart(14);
  const head = [
    '#      d  takers  prints',
    ...MOVE_SECONDS.map((seconds) => `${seconds} s`.padStart(14)),
    'edge'.padStart(14),
    'an hour'.padStart(14),
  ].join('  ');
  const lines = rows.map(({ distance, takers, prints, moves, edge, earns }) =>
    [
      `# ${price(distance).padStart(6)}`,
      String(takers).padStart(6),
      String(prints).padStart(6),
      ...moves.map((move) => cents(move)),
      cents(edge),
      cents(earns, 100 * HOUR),
    ].join('  '),
  );
  const basis = [
    '',
    '# What a quote first in line at d from the mid would have met: takers and prints that reached it, the move of the',
    '# mid against it so long after, edge = d less the move after 10 s, and edge times takers an hour and side.',
    '# Cents a share, +- one standard error. Fees, rebates and the queue are not in it.',
    head,
    ...lines,
    `# ${verdictOn(best, rows)}`,
  ];
  if (xi === null) return { basis, lines: [] };
  return {
    basis,
    lines: [
      `  # xi: ${figure(Math.max(0, xi.value))} # of glft: move of the mid after a fill, 30 s later${plusMinus(xi)}`,
    ],
  };
}

function verdictOn(best: EdgeRow | null, rows: readonly EdgeRow[]): string {
  if (rows.every(({ edge }) => edge === null))
    return 'No mid was seen ten seconds after a taker: edge cannot be told.';
  if (best === null)
    return 'No distance earns: the mid moves further against a fill than the quote stands from it.';
  const { distance, earns } = best;
  const isSure = earns!.error !== null && earns!.value > 2 * earns!.error;
  return (
    `${price(distance)} earns most, ${ofError(earns!, 100 * HOUR).trim()} cents a share, hour and side` +
    (isSure ? '.' : ': less than two standard errors above nothing.')
  );
}

const plusMinus = ({ error }: Estimate): string =>
  error === null ? ', standard error unknown' : `, standard error ${figure(error)}`;

/** Quantiles as `backtest.latency` takes them. The way there and the way back are half of a round trip each. */
function latencyLines({ feed, roundTrip }: CalibrationFigures): readonly string[] {
  if (feed === null && roundTrip === null)
    return ['', '# Latency: these recordings carry exchange time alone; a tape of a running bot tells it.'];
  return [
    '',
    "# Into a bot's file that is backtested, as it stands.",
    '# Quantiles from 0 to 1 in equal steps, milliseconds. Clocks of venue and bot are taken as equal.',
    'backtest:',
    '  latency:',
    ...delayLines('feedMs', feed, 1),
    ...delayLines('requestMs', roundTrip, 0.5),
    ...delayLines('responseMs', roundTrip, 0.5),
  ];
}

function delayLines(name: string, delays: DelayFigures | null, part: number): readonly string[] {
  if (delays === null) return [];
  const { quantiles, count, median, errorOfMedian } = delays;
  const list = quantiles.map((ms) => Math.max(0, ms * part).toFixed(1)).join(', ');
  const error = errorOfMedian === null ? 'unknown' : (errorOfMedian * part).toFixed(2);
  return [
    `    ${name}: [${list}] # ${count} seen; median ${(median * part).toFixed(1)}, standard error ${error}`,
  ];
}

const many = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

const price = (distance: number): string => String(Number(distance.toFixed(4)));

/** Four digits that count. */
const figure = (value: number): string => String(Number(value.toPrecision(4)));
