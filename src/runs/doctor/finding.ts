/** What an examination finds: a line for a person, and what to do about it. */
export type FindingState = 'ok' | 'warning' | 'failure';

export interface Finding {
  /** What was looked at, in one or two words. */
  readonly name: string;
  readonly state: FindingState;
  readonly text: string;
  /** What to do; null where nothing is. */
  readonly advice: string | null;
}

export const fine = (name: string, text: string): Finding => ({ name, state: 'ok', text, advice: null });

export const warning = (name: string, text: string, advice: string): Finding => ({
  name,
  state: 'warning',
  text,
  advice,
});

export const failure = (name: string, text: string, advice: string): Finding => ({
  name,
  state: 'failure',
  text,
  advice,
});

/** The worst of several; `ok` for none. */
export const worstOf = (findings: readonly Finding[]): FindingState =>
  findings.some(({ state }) => state === 'failure')
    ? 'failure'
    : findings.some(({ state }) => state === 'warning')
      ? 'warning'
      : 'ok';

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
