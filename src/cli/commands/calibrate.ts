import { calibrate, type Calibrated } from '../../runs/calibrate.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { PRICE_ONE } from '../../domain/units.js';
import { unlessStopped } from '../../runs/interruption.js';
import { interruptible } from '../signals.js';
import type { CalibrationFigures, Estimate } from '../../analytics/calibration/calibrator.js';
import type { DelayFigures } from '../../analytics/calibration/poisson-intensity.js';
import { print } from '../output.js';

export interface CalibrateArguments {
  /** A price. */
  readonly step?: number;
  readonly distances: number;
}

/** `oddsmith calibrate <recording...>`: what models need, from recordings, as YAML on standard output. */
export async function calibrateRecordings(
  files: readonly string[],
  { step, distances }: CalibrateArguments,
): Promise<ExitCode> {
  const units = step === undefined ? null : Math.round(step * PRICE_ONE);
  if (units !== null && (units < 1 || units >= PRICE_ONE))
    throw new UsageError(`--step ${step} is no distance between prices; expected 0.0001 to 0.9999`);
  if (!Number.isInteger(distances) || distances < 2)
    throw new UsageError(`--distances ${distances} is no number of quotes; expected 2 or more`);
  const calibrated = await interruptible('no parameters are found, and no file is written', (stop) =>
    unlessStopped(calibrate(files, { step: units, distances }), stop),
  );
  print(...calibrationYaml(calibrated));
  return EXIT.clean;
}

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
  const lines = [...intensity.lines, ...volatility.lines];
  const where =
    '# Into the instance of a strategy that declares them, as in docs/guides/write-a-strategy.md, "By a model":';
  return [
    ...intensity.basis,
    ...volatility.basis,
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
