import { styleText } from 'node:util';

const COLOURS = {
  trace: 'gray',
  debug: 'gray',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
} as const;

/** One JSON line of the log as a person reads it: time, level, text, then the members. Other text stays as it is. */
export function prettyLine(json: string): string {
  const entry = parsed(json);
  if (entry === null) return json;
  const { level, time, msg, err, ...members } = entry;
  const parts = [
    clockText(time),
    levelText(level),
    shown(msg ?? ''),
    ...Object.entries(members).map(memberText),
  ];
  return `${parts.filter((part) => part !== '').join(' ')}${errorText(err)}\n`;
}

function parsed(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** `2026-01-31T09:30:00.250Z` is `09:30:00.250`. */
const clockText = (time: unknown): string => styleText('gray', shown(time ?? '').slice(11, 23));

function levelText(level: unknown): string {
  const word = shown(level ?? 'info');
  const colour = Object.hasOwn(COLOURS, word) ? COLOURS[word as keyof typeof COLOURS] : 'white';
  return styleText(colour, word.toUpperCase().padEnd(5));
}

const memberText = ([name, value]: [string, unknown]): string =>
  `${styleText('gray', `${name}=`)}${shown(value)}`;

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The stack names type and message too. */
function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { stack, message } = error as { stack?: unknown; message?: unknown };
  return `\n  ${shown(stack ?? message ?? error).replaceAll('\n', '\n  ')}`;
}
