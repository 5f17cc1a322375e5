/** What `oddsmith tape info` and `verify` print. */
import type { Micros } from '../../../domain/units.js';
import { describePlace, type SilentTime, type TapeSurvey } from '../../../storage/index.js';
import { column, durationText } from '../../screen/format.js';

const instant = (at: Micros | null): string => (at === null ? '-' : new Date(at / 1_000).toISOString());
const count = (value: number): string => value.toLocaleString('en-US');
const spanText = (from: Micros, to: Micros): string => durationText((to - from) / 1_000);

export function infoLines(survey: TapeSurvey): readonly string[] {
  const head = survey.heads.at(-1);
  return [
    `tape of ${head?.purpose ?? 'nobody'}, run ${survey.heads.map(({ run }) => run).join(', ')}, ${head?.program ?? ''}`,
    `${count(survey.lines)} lines in ${count(survey.files)} files`,
    `from ${instant(survey.first)} to ${instant(survey.last)}${spanOf(survey)}`,
    endingText(survey),
    '',
    'lines by kind',
    ...table(survey.kinds),
    ...(Object.keys(survey.events).length === 0 ? [] : ['', 'frames by event', ...table(survey.events)]),
    '',
    `${column('market', 44)}${column('books', 12, 'right')}${column('trades', 12, 'right')}${column('statuses', 12, 'right')}`,
    ...survey.markets.map(
      ({ market, title, books, trades, statuses }) =>
        column(`${market} ${title}`, 44) +
        [books, trades, statuses].map((value) => column(count(value), 12, 'right')).join(''),
    ),
    '',
    ...twiceLines(survey),
    ...gapLines(survey),
    ...oddityLines(survey),
  ];
}

/** One line when all is well, else what is not. */
export function verdictLines(survey: TapeSurvey): readonly string[] {
  return [
    `every sum of ${count(survey.lines)} lines in ${count(survey.files)} files fits`,
    endingText(survey),
    ...twiceLines(survey),
    ...gapLines(survey),
    ...oddityLines(survey),
  ];
}

function endingText({ ending, heads, end, inputs }: TapeSurvey): string {
  const run =
    end === null
      ? ''
      : `; the run ended ${end.outcome} after ${count(inputs)} inputs, ${count(end.decisions)} decisions, hash ${end.hash}`;
  if (ending.state === 'closed') return `closed${run}`;
  const flushMs = heads.at(-1)?.flushMs ?? null;
  const missing =
    flushMs === null ? 'its end may be missing' : `at most about the last ${flushMs} ms are missing`;
  const torn = ending.tornBytes === 0 ? '' : `, ${ending.tornBytes} bytes of a torn line left out`;
  return `unfinished: its process was killed, its disk took no more, or it still runs; of what came before that ${missing}${torn}${run}`;
}

const spanOf = ({ first, last }: TapeSurvey): string =>
  first === null || last === null ? '' : ` (${spanText(first, last)})`;

const table = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `  ${column(name, 30)}${column(count(value), 12, 'right')}`);

const twiceLines = ({ twice }: TapeSurvey): readonly string[] =>
  twice === 0
    ? []
    : [
        `${count(twice)} frames stand there twice: parts of one run that overlap were put together; merge them anew, and each is taken once`,
      ];

function gapLines({ gaps, gapCount }: TapeSurvey): readonly string[] {
  if (gapCount === 0) return ['no gaps'];
  const more = gapCount > gaps.length ? [`  and ${count(gapCount - gaps.length)} more`] : [];
  return [gapCount === 1 ? '1 gap' : `${count(gapCount)} gaps`, ...gaps.map(gapText), ...more];
}

function gapText({ from, to, reason, lines }: SilentTime): string {
  const span = from === null ? '' : `, ${((to - from) / 1_000_000).toFixed(3)} s`;
  return `  ${instant(to)} ${reason}${span}${lines === null ? '' : `, ${count(lines)} lines left out`}`;
}

function oddityLines({ oddities, oddityCount }: TapeSurvey): readonly string[] {
  if (oddityCount === 0) return [];
  const more = oddityCount > oddities.length ? [`  and ${count(oddityCount - oddities.length)} more`] : [];
  return [
    oddityCount === 1
      ? '1 thing that should not be there'
      : `${count(oddityCount)} things that should not be there`,
    ...oddities.map(({ place, text }) => `  ${describePlace(place)}: ${text}`),
    ...more,
  ];
}
