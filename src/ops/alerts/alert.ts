/** What a receiver is told. */
import type { Micros } from '../../domain/units.js';
import type { RuleName } from '../../settings/index.js';

export type Severity = 'info' | 'warning' | 'critical';

/** What a rule found. */
export interface Finding {
  readonly rule: RuleName;
  readonly state: 'firing' | 'resolved';
  readonly severity: Severity;
  /** A few words. */
  readonly title: string;
  readonly text: string;
}

/** A finding of a bot, as it is sent. A webhook gets exactly this. */
export interface Alert extends Omit<Finding, 'rule'> {
  readonly rule: RuleName | 'test';
  /** ISO 8601. */
  readonly at: string;
  readonly runId: string;
  readonly venue: string;
  /** Paper money is not lost. */
  readonly mode: 'live' | 'paper';
}

export const isoTime = (at: Micros): string => new Date(at / 1_000).toISOString();

/** One line that says what matters: `Oddsmith PAPER futuur: the kill switch is latched`. */
export const headline = ({ venue, mode, state, title, severity }: Alert): string => {
  const who = `Oddsmith ${mode === 'paper' ? 'PAPER ' : ''}${venue}`;
  if (state === 'resolved') return `${who}: over: ${title}`;
  return severity === 'critical' ? `${who}: CRITICAL: ${title}` : `${who}: ${title}`;
};
