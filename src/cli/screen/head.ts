/** What stands above the markets of a screen: how the bot is, what only a person can mend, where to look. */
import type { EngineView } from '../../core/engine/observing/view.js';
import { column, durationText, wrapped } from './format.js';
import type { ScreenFrame } from './frame.js';
import type { Paint } from './paint.js';
import { fitted, type Segment } from './segments.js';
import { widthOf } from './text-width.js';

/** The state of the bot; why it is killed or not connected stands below it where it has no room behind it. */
export function statusLines(frame: ScreenFrame, columns: number, paint: Paint): readonly string[] {
  const segments = statusSegments(frame, paint);
  let line = segments.map(({ text }) => text).join('  ');
  const below: string[] = [];
  for (const { text, painted } of reasonsOf(frame.view, paint)) {
    if (widthOf(line) + 2 + widthOf(text) <= columns) line = `${line}  ${painted(text)}`;
    else below.push(...wrapped(text, columns).map(painted));
  }
  return [widthOf(line) <= columns ? line : fitted(segments, columns), ...below];
}

function statusSegments({ title, view, elapsedMs }: ScreenFrame, paint: Paint): readonly Segment[] {
  const isReal = view.mode === 'real_money';
  const { state } = view.connection;
  return [
    { text: paint.strong(title), rank: 4 },
    { text: `${isReal ? paint.alarm(' REAL MONEY ') : 'play money'} ${view.currency}`, rank: isReal ? 1 : 5 },
    { text: view.phase, rank: 2 },
    { text: durationText(elapsedMs), rank: 3 },
    { text: state === 'connected' ? paint.good('● connected') : paint.bad(`○ ${state}`), rank: 0 },
  ];
}

interface Reason {
  readonly text: string;
  readonly painted: (text: string) => string;
}

const reasonsOf = (
  { connection: { state, reason }, killed }: EngineView,
  paint: Paint,
): readonly Reason[] => [
  ...(state === 'connected' || reason === '' ? [] : [{ text: reason, painted: paint.bad }]),
  ...(killed === null ? [] : [{ text: ` KILLED: ${killed} `, painted: paint.alarm }]),
];

const RESET =
  'nothing is quoted until a person resets it: oddsmith resume <file>, behind a fence oddsmith guard clear <file>';

/** What only a person can mend, and how, stays in sight until it is. */
export const warningLines = (
  { killed, alarms, instances }: EngineView,
  columns: number,
  paint: Paint,
): readonly string[] => [
  ...(killed === null ? [] : wrapped(RESET, columns)),
  ...[...alarms.map(({ text }) => text), ...instances.flatMap(stoppedText)].flatMap((text) =>
    wrapped(text, columns - 2).map((line) => paint.alarm(` ${line} `)),
  ),
];

/** One sentence about an instance whose strategy failed, with what to do; none about the others. */
const stoppedText = ({ name, fault }: EngineView['instances'][number]): readonly string[] =>
  fault === null
    ? []
    : [
        `strategy instance ${name} is stopped: ${fault}; oddsmith resume <file> lets it go on, a changed strategy takes a restart`,
      ];

export const linkLines = ({ links }: ScreenFrame, paint: Paint): readonly string[] =>
  links.map(({ name, url }) => paint.dim(`${column(name, 8)} ${url}`));
