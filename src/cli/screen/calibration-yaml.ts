/** What calibration found, as YAML that can be pasted, with what it rests on in comments. */
import type { Calibrated } from '../../app/calibrate.js';
import type { CalibrationFigures, Estimate } from '../../analytics/calibration/calibrator.js';
import type { DelayFigures } from '../../analytics/calibration/delays.js';
import { PRICE_ONE } from '../../domain/units.js';

/** Moves over this many seconds are the least disturbed by the bounce between bid and ask. */
const PASTED_SECONDS = 30;

export function calibrationYaml({ figures, recordings, step, notes }: Calibrated): string {
  return [
    ...head(figures, recordings),
    ...notes.map((note) => `# ${note}`),
    ...intensityLines(figures, step),
    ...volatilityLines(figures),
    ...latencyLines(figures),
    '',
  ].join('\n');
}

const head = (
  { markets, seconds, trades, sweeps, blocks, blockSeconds }: CalibrationFigures,
  recordings: number,
): readonly string[] => [
  `# ${many(recordings, 'recording')}, ${many(markets, 'market')}, ${Math.round(seconds)} s of two-sided books, ${trades} prints of ${sweeps} takers.`,
  `# Standard errors by leaving out each of ${many(blocks, 'stretch', 'stretches')} of ${blockSeconds} s in turn, unknown below 10.`,
];

function intensityLines({ intensity, cells }: CalibrationFigures, step: number): readonly string[] {
  const counts = cells.map(({ distance, fills }) => `${price(distance)}: ${fills}`).join(', ');
  const basis = [
    '',
    '# Fills per second and side of a quote at distance d from the mid, first in line: A exp(-k d).',
    `# Poisson maximum likelihood over steps of ${price(step / PRICE_ONE)}; takers that reached d or beyond: ${counts}.`,
  ];
  if (intensity === null)
    return [...basis, '# Takers reached fewer than two distances: A and k cannot be told.'];
  const { lnA, k, poissonErrorOfLnA, poissonErrorOfK } = intensity;
  return [
    ...basis,
    'intensity:',
    `  A: ${figure(Math.exp(lnA.value))} # per second; ln A ${figure(lnA.value)}, ${errors(lnA, poissonErrorOfLnA)}`,
    `  k: ${figure(k.value)} # per unit of price; ${errors(k, poissonErrorOfK)}`,
  ];
}

const errors = ({ error }: Estimate, ifIndependent: number): string =>
  `standard error ${error === null ? 'unknown' : figure(error)} (${figure(ifIndependent)} if fills were independent)`;

function volatilityLines({ volatility }: CalibrationFigures): readonly string[] {
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
    return [...basis, '# No book was two-sided long enough: volatility cannot be told.'];
  return [
    ...basis,
    ...lines,
    'volatility:',
    `  sigma: ${figure(pasted.sigma.value)} # over ${pasted.seconds} s${plusMinus(pasted.sigma)}`,
  ];
}

const plusMinus = ({ error }: Estimate): string =>
  error === null ? ', standard error unknown' : `, standard error ${figure(error)}`;

/** Quantiles as `backtest.latency` takes them. The way there and the way back are half of a round trip each. */
function latencyLines({ feed, roundTrip }: CalibrationFigures): readonly string[] {
  if (feed === null && roundTrip === null)
    return ['', '# Latency: these recordings carry exchange time alone; a tape of a running bot tells it.'];
  return [
    '',
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
