/** What makes a comparison of two runs less than fair, in sentences for people. */
import type { RunAnalysis } from './analysis.js';

/** An event that is not compared. */
export interface Stranger {
  readonly id: string;
  readonly reason: string;
}

/** Numbers that are named; there may be thousands. */
const NAMED = 10;

/** A sentence for each reason. */
export function strangerNotes(strangers: readonly Stranger[]): readonly string[] {
  const reasons = [...new Set(strangers.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const ids = strangers.filter((one) => one.reason === reason).map(({ id }) => id);
    const named = ids.slice(0, NAMED).join(', ');
    const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
    return `left out: ${ids.length === 1 ? 'event' : 'events'} ${named}${more}: ${reason}`;
  });
}

/** What the runs took for granted, when it was not the same; guards, or a fault of a strategy, that stopped one of them. */
export function unlikeNotes(base: RunAnalysis, other: RunAnalysis): readonly string[] {
  const [live, tested] = [base, other].map(isLive);
  if (live !== tested)
    return ['not alike: one is a live run, the other a backtest', ...stopNotes(base, other)];
  const only = (one: RunAnalysis, than: RunAnalysis): readonly string[] =>
    one.assumptions
      .filter((text) => !than.assumptions.includes(text))
      .map((text) => `${one.runId} has ${text}`);
  const unknown = [base, other].filter(({ events }) =>
    events.some(({ recordings }) => recordings === undefined),
  );
  return [
    ...[...only(base, other), ...only(other, base)].map((text) => `not alike: ${text}`),
    ...unknown.map(({ runId }) => `of which recordings ${runId} is made is not known: it may be others`),
    ...stopNotes(base, other),
  ];
}

const isLive = ({ scenario }: RunAnalysis): boolean => scenario === 'live';

const stopNotes = (...runs: readonly RunAnalysis[]): readonly string[] =>
  runs.flatMap(({ runId, guards }) => {
    const failed = (guards?.held ?? []).filter(({ reason }) => reason === 'strategy-fault');
    const rules = new Set([
      ...(guards?.stops ?? []).map(({ rule }) => rule),
      ...failed.map(({ reason }) => reason),
    ]);
    return rules.size === 0 ? [] : [`${runId} was stopped by ${[...rules].join(', ')}`];
  });
