import type { RunAnalysis, GuardFigures } from '../analytics/analysis.js';
import { type RunComparison, type Headline, headlineOf } from '../analytics/comparison.js';
import type { HeldFigures, StopFigures } from '../analytics/guard-figures.js';

/** Something a reader should know of the run, such as its configuration or its seed. */
export interface RunFact {
  readonly name: string;
  readonly value: string;
}

/** The latest fills of the scenario of the headline, in the order of the tables that have all. */
export interface ReportedFills {
  /** How many there are. */
  readonly of: number;
  readonly rows: readonly {
    /** By the clock of the bot. */
    readonly at: number;
    /** Of the run, in the order in which it learned of them. */
    readonly id: number;
    /** No message told of it. */
    readonly isInferred: boolean;
    readonly instance: string | null;
    readonly eventId: string;
    readonly marketId: string;
    readonly orderId: string;
    readonly side: 'bid' | 'ask';
    readonly position: 'long' | 'short';
    /** Of the position, on average. */
    readonly price: number | null;
    readonly shares: number;
    readonly amount: number;
    readonly fee: number;
    readonly currency: string;
    readonly liquidity: 'maker' | 'taker' | 'unknown';
  }[];
}

/** 2: series of the depth of the book. 3: requests by market, event, strategy and side. 4: worst case of events. 5: instances, days, fills. */
export const REPORT_VERSION = 5;

/** Everything a report shows: `report.json`, with a fixed order of keys. */
export interface RunReport {
  readonly kind: 'oddsmith-report';
  readonly version: typeof REPORT_VERSION;
  readonly title: string;
  readonly mode: 'live' | 'paper' | 'backtest';
  readonly facts: readonly RunFact[];
  readonly headline: Headline;
  /** What whoever reads the headline has to know: faults, what guards did, what is still held, what was refused. */
  readonly remarks: readonly string[];
  /** The same run under each fill scenario; one for a live run. */
  readonly scenarios: readonly RunAnalysis[];
  readonly comparison: RunComparison | null;
  /** null: they were not noted. */
  readonly fills: ReportedFills | null;
}

/** A line for each kind, the gravest first. */
export function remarksOf({ facts, scenarios }: Pick<RunReport, 'facts' | 'scenarios'>): readonly string[] {
  const told = (wanted: string): readonly string[] =>
    facts.filter(({ name }) => name === wanted).map(({ value }) => value);
  return [
    ...told('stopped'),
    ...guardLines(scenarios, titlesOf(scenarios)),
    ...told('at the end'),
    ...told('refused'),
  ];
}

/** @param scenarios at least one */
export const reportOf = (
  run: Pick<RunReport, 'title' | 'mode' | 'facts' | 'scenarios'> & {
    /** Left out: the first one. */
    readonly headline?: Pick<Headline, 'scenario'>;
    readonly comparison?: RunComparison;
    readonly fills?: ReportedFills | null;
  },
): RunReport => ({
  kind: 'oddsmith-report',
  version: REPORT_VERSION,
  title: run.title,
  mode: run.mode,
  facts: run.facts,
  headline: headlineOf(run.scenarios, run.headline?.scenario ?? ''),
  remarks: remarksOf(run),
  scenarios: run.scenarios,
  comparison: run.comparison ?? null,
  fills: run.fills ?? null,
});

/** What events and markets are called, by `event 300` and `market 3001`. */
export type Titles = ReadonlyMap<string, string>;

export const titlesOf = (scenarios: readonly Pick<RunAnalysis, 'events' | 'markets'>[]): Titles =>
  new Map(
    scenarios.flatMap(({ events, markets }) => [
      ...events.map(({ id, title }) => [`event ${id}`, title] as const),
      ...markets.map(({ id, title }) => [`market ${id}`, title] as const),
    ]),
  );

/** What guards did to a run, a line for each kind: whoever reads a profit has to know that quoting was stopped. */

/** One scenario, or the one of a live run. */
export interface GuardedScenario {
  readonly scenario: string;
  /** null: not known. */
  readonly guards: Pick<GuardFigures, 'stops' | 'held'> | null;
}

/** What every run has at its beginning and at its end. */
const OF_EVERY_RUN: ReadonlySet<string> = new Set(['starting', 'stopping', 'ended']);
/** Shorter parts of the observed time are told in the files alone. */
const LEAST_SHARE = 0.01;
const NOT_KNOWN = 'what guards stopped is not known: the report was written by a version that did not say';

/** @returns none when nothing was stopped or held back for long */
export function guardLines(
  scenarios: readonly GuardedScenario[],
  titles: Titles = new Map(),
): readonly string[] {
  if (scenarios.some(({ guards }) => guards === null)) return [NOT_KNOWN];
  return [
    ...linesOf(scenarios, ({ stops }) => stops.map((stop) => [kindOf(stop), stopText(stop, titles)])),
    ...linesOf(scenarios, ({ held }) =>
      held.filter(isWorthALine).map((one) => [`not quoted in full, ${one.reason}`, heldText(one)]),
    ),
  ];
}

/** Rules that stopped something or made it smaller, each once, in the order in which they first did. */
export const stoppedBy = (stops: readonly StopFigures[]): readonly string[] => [
  ...new Set(stops.map(({ rule }) => rule)),
];

type Told = (guards: NonNullable<GuardedScenario['guards']>) => readonly (readonly [string, string])[];

/** A line for each kind; where all scenarios say the same it is said once. */
function linesOf(scenarios: readonly GuardedScenario[], tell: Told): readonly string[] {
  const kinds = new Map<string, Map<string, string[]>>();
  for (const { scenario, guards } of scenarios)
    for (const [kind, texts] of byKind(tell(guards!))) {
      const told = kinds.get(kind) ?? new Map<string, string[]>();
      told.set(texts, [...(told.get(texts) ?? []), scenario]);
      kinds.set(kind, told);
    }
  return [...kinds].map(([kind, told]) => {
    const parts = [...told].map(([text, names]) => `${text} (${names.join(', ')})`);
    return `${kind}: ${parts.join('; ')}`;
  });
}

function byKind(told: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  for (const [kind, text] of told)
    kinds.set(kind, kinds.has(kind) ? `${kinds.get(kind)}, and ${text}` : text);
  return kinds;
}

const kindOf = ({ rule }: StopFigures): string =>
  rule === 'mark-out-reduced' ? `made smaller by ${rule}` : `stopped by ${rule}`;

/** `everywhere at 2026-03-02 09:20:31Z: fell by 3.1, limit 3`. */
function stopText({ scope, id, text, times, firstAt, lastAt }: StopFigures, titles: Titles): string {
  const title = titles.get(`${scope} ${id}`);
  const named = title === undefined ? '' : ` (${title})`;
  const where = scope === 'all' ? 'everywhere' : `${scope} ${id}${named}`;
  const when = times === 1 ? `at ${utc(firstAt)}` : `${times} times from ${utc(firstAt)} to ${utc(lastAt)}`;
  return `${where} ${when}: ${text}`;
}

const heldText = ({ seconds, share }: HeldFigures): string =>
  `${seconds.toFixed(1)} s, ${(share * 100).toFixed(1)} % of the observed time`;

const isWorthALine = ({ reason, share }: HeldFigures): boolean =>
  !OF_EVERY_RUN.has(reason) && share >= LEAST_SHARE;

const utc = (micros: number): string =>
  `${new Date(Math.floor(micros / 1e3)).toISOString().slice(0, 19).replace('T', ' ')}Z`;
