import { UsageError } from '../domain/errors.js';

/** One thing wrong in a configuration: where it stands, what was found, what was expected. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  /** Dotted path of the field, such as `instances[0].params.halfSpread`. */
  readonly path: string;
  readonly message: string;
}

/** A configuration that cannot be used; the message lists every problem, one per line, as file:line:column. */
export class SettingsError extends UsageError {
  constructor(
    readonly file: string,
    readonly problems: readonly Problem[],
  ) {
    super(problems.map((problem) => describeProblem(file, problem)).join('\n'));
  }
}

export function describeProblem(file: string, problem: Problem): string {
  const subject = problem.path === '' ? '' : ` ${problem.path}:`;
  return `${file}:${problem.line}:${problem.column}${subject} ${problem.message}`;
}

/** `['instances', 0, 'params']` to `instances[0].params`. */
export function dotted(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path)
    text += typeof part === 'number' ? `[${part}]` : text === '' ? String(part) : `.${String(part)}`;
  return text;
}
