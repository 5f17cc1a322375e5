import { destination, pino, stdTimeFunctions } from 'pino';
import { styleText } from 'node:util';
import { plainJson, plainText } from '../../domain/plain-text.js';
import { createRedactor } from './redaction.js';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Ids that connect lines: a decision, its request, the orders of the request, their market. */
export interface Correlation {
  readonly runId?: string;
  /** Of several in one process. */
  readonly bot?: string;
  readonly requestId?: number;
  readonly orderId?: number;
  readonly marketId?: string;
  readonly eventId?: number;
  readonly instance?: string;
}

/** Members of a line beside its text; an error is `err`. The logger removes secrets. */
export type LogMembers = Correlation & Readonly<Record<string, unknown>>;

export interface Logger {
  trace(text: string, members?: LogMembers): void;
  debug(text: string, members?: LogMembers): void;
  info(text: string, members?: LogMembers): void;
  warn(text: string, members?: LogMembers): void;
  error(text: string, members?: LogMembers): void;
  /** Returns a logger that adds these members to every line. */
  child(correlation: Correlation): Logger;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Values that must not appear in any line, such as the private key. */
  readonly secrets?: readonly string[];
  /** `lines` for a person at a terminal, `json` for machines; by default what standard error is. */
  readonly style?: 'lines' | 'json';
  /** Receives whole lines with their line feed. Default: standard error. */
  readonly write?: (line: string) => void;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** Writes log lines to standard error, because standard output is for results. Secrets are removed. */
export function createLogger(options: LoggerOptions): Logger {
  const redactor = createRedactor(options.secrets);
  const style = options.style ?? (process.stderr.isTTY ? 'lines' : 'json');
  const write = options.write ?? standardError();
  const finish = style === 'lines' ? prettyLine : plainJson;
  const members = (value: object) => redactor.value(value) as Record<string, unknown>;
  const shape = {
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    // Redaction has turned errors into plain objects already.
    serializers: { err: (error: unknown) => error },
    formatters: { level: (label: string) => ({ level: label }), log: members, bindings: members },
  };
  return facade(
    pino(
      { ...shape, level: options.level },
      // The text itself is redacted last: a message may contain a secret.
      { write: (line) => write(finish(redactor.text(line))) },
    ),
  );
}

/** Writes synchronously, so that the line that explains a crash is not lost in a buffer. */
function standardError(): (line: string) => void {
  const stream = destination({ dest: 2, sync: true });
  return (line) => void stream.write(line);
}

type Sink = Pick<pino.Logger, 'child' | (typeof LEVELS)[number]>;

/** Takes the text first and the members second. pino takes them the other way round. */
function facade(sink: Sink): Logger {
  const log =
    (level: (typeof LEVELS)[number]) =>
    (text: string, members?: LogMembers): void =>
      members === undefined ? sink[level](text) : sink[level](members, text);
  return {
    trace: log('trace'),
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: (correlation) => facade(sink.child(correlation)),
  };
}

const COLOURS = {
  trace: 'gray',
  debug: 'gray',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
} as const;

/** Formats one JSON line for a person: time, level, text, members. Other text stays unchanged. */
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

/** Puts text on one line and removes control characters that a terminal would obey. */
const shown = (value: unknown): string =>
  plainText(typeof value === 'string' ? value : JSON.stringify(value));

/** A stack contains type and message too. */
function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { stack, message } = error as { stack?: unknown; message?: unknown };
  const text = stack ?? message ?? error;
  const lines = typeof text === 'string' ? text.split('\n') : [text];
  return lines.map((line) => `\n  ${shown(line)}`).join('');
}
