/** What instances earned alone on each of many recordings, as plain JSON. */
import { createHash } from 'node:crypto';
import type { GroupFigures, RunAnalysis } from '../analytics/analysis.js';
import { clusterMean } from '../analytics/statistics.js';
import { stoppedBy } from './run-report.js';

/** Money in currency units, shares whole; lists in the order of the scenarios. */
export interface EachSums {
  /** Open inventory at what the book at the end would pay; of a day at the mark. */
  readonly profits: readonly number[];
  readonly fills: readonly number[];
  /** Under the scenario of the headline. */
  readonly shares: number;
  readonly amount: number;
  readonly fees: number;
  /** The worst of any one. */
  readonly drawdown: number;
}

/** A market, an underlying or a day, over all recordings. */
export interface EachGroup extends EachSums {
  readonly instance: string;
  readonly name: string;
  readonly recordings: number;
}

/** An instance on one recording. */
export interface EachRow extends EachSums {
  readonly instance: string;
  readonly strategy: string;
  readonly recording: string;
  readonly runId: string;
  readonly underlying: string;
  /** On which the recording begins, UTC. */
  readonly day: string;
  /** Strategies that failed, and guards that stopped something in any scenario. */
  readonly stoppedBy: readonly string[];
  /** Of the page of the run, from this one; null: there is none. */
  readonly page: string | null;
}

/** An instance over all recordings, a figure for each scenario. */
export interface EachTotal extends EachSums {
  readonly instance: string;
  readonly strategy: string;
  readonly recordings: number;
  /** First days and underlyings: recordings that share both are one piece of evidence. */
  readonly independent: number;
  readonly means: readonly number[];
  /** Of the means, by days and underlyings; null below two. */
  readonly errors: readonly (number | null)[];
}

export interface EachReport {
  readonly kind: 'oddsmith-each';
  readonly version: 1;
  readonly id: string;
  /** The configuration file, without its folder. */
  readonly title: string;
  readonly currency: string;
  readonly scenarios: readonly string[];
  readonly headline: string;
  readonly totals: readonly EachTotal[];
  readonly recordings: readonly EachRow[];
  readonly markets: readonly EachGroup[];
  readonly underlyings: readonly EachGroup[];
  readonly days: readonly EachGroup[];
  /** What the table of each run alone would have below it. */
  readonly remarks: readonly {
    readonly recording: string;
    readonly instance: string;
    readonly text: string;
  }[];
}

/** A finished backtest of one instance on one recording. */
export interface EachRun {
  readonly recording: string;
  readonly day: string;
  readonly instance: string;
  readonly strategy: string;
  readonly runId: string;
  /** One for each scenario. */
  readonly analyses: readonly RunAnalysis[];
  /** Place of its scenario. */
  readonly headline: number;
  readonly faults: readonly string[];
  readonly remarks: readonly string[];
  readonly page: string | null;
}

/** Adds up backtests one by one: of each only its sums are kept. */
export class EachBooks {
  private readonly rows: EachRow[] = [];
  private readonly markets = new Map<string, EachGroup>();
  private readonly underlyings = new Map<string, EachGroup>();
  private readonly days = new Map<string, EachGroup>();
  private readonly remarks: EachReport['remarks'][number][] = [];
  private first: Pick<EachReport, 'currency' | 'scenarios' | 'headline'> | null = null;

  constructor(private readonly title: string) {}

  add(run: EachRun): void {
    const { recording, day, instance, strategy, runId, analyses, headline, faults, page } = run;
    const chosen = analyses[headline]!;
    const scenarios = analyses.map(({ scenario }) => scenario);
    this.first ??= { currency: chosen.currency, scenarios, headline: chosen.scenario };
    const events = chosen.events;
    const stops = analyses.flatMap(({ guards }) => stoppedBy(guards?.stops ?? []));
    this.rows.push({
      instance,
      strategy,
      recording,
      runId,
      page,
      underlying: listed(events.map(({ underlying }) => underlying)),
      day,
      stoppedBy: [...new Set([...(faults.length === 0 ? [] : ['strategy-fault']), ...stops])],
      ...sumsOf(
        analyses.map(({ total }) => total),
        headline,
      ),
    });
    this.remarks.push(...run.remarks.map((text) => ({ recording, instance, text })));
    chosen.markets.forEach((market, place) => {
      const event = events.find(({ id }) => id === market.eventId)?.title ?? market.eventId;
      const name = event === market.title ? event : `${event} – ${market.title}`;
      count(
        this.markets,
        instance,
        name,
        sumsOf(
          analyses.map((one) => one.markets[place]!),
          headline,
        ),
      );
    });
    events.forEach(({ underlying }, place) =>
      count(
        this.underlyings,
        instance,
        underlying,
        sumsOf(
          analyses.map((one) => one.events[place]!),
          headline,
        ),
      ),
    );
    chosen.days.forEach(({ day, shares, amount, fees, drawdown }, place) => {
      const profits = analyses.map(({ days }) => days[place]?.profit ?? 0);
      const fills = analyses.map(({ days }) => days[place]?.fills ?? 0);
      count(this.days, instance, day, { profits, fills, shares, amount, fees, drawdown });
    });
  }

  /** @returns null when nothing was added */
  report(): EachReport | null {
    if (this.first === null) return null;
    const instances = [...new Set(this.rows.map(({ instance }) => instance))];
    return {
      kind: 'oddsmith-each',
      version: 1,
      id: idOf(this.rows),
      title: this.title,
      ...this.first,
      totals: instances.map((name) => totalOf(this.rows.filter(({ instance }) => instance === name))),
      recordings: this.rows,
      markets: [...this.markets.values()],
      underlyings: [...this.underlyings.values()],
      days: [...this.days.values()],
      remarks: this.remarks,
    };
  }
}

/** The same backtests, the same id. */
const idOf = (rows: readonly EachRow[]): string =>
  `each-${createHash('sha256')
    .update(rows.map(({ runId }) => runId).join(' '))
    .digest('hex')
    .slice(0, 16)}`;

const listed = (texts: readonly string[]): string => [...new Set(texts)].toSorted().join(', ');

const sumsOf = (groups: readonly GroupFigures[], headline: number): EachSums => {
  const { fills, profit, drawdown } = groups[headline]!;
  return {
    profits: groups.map((group) => group.profit.executable),
    fills: groups.map((group) => group.fills.count),
    shares: fills.shares,
    amount: fills.amount,
    fees: profit.fees - profit.rebates,
    drawdown: drawdown.worst,
  };
};

const added = (one: EachSums, other: EachSums): EachSums => ({
  profits: one.profits.map((profit, place) => profit + other.profits[place]!),
  fills: one.fills.map((fills, place) => fills + other.fills[place]!),
  shares: one.shares + other.shares,
  amount: one.amount + other.amount,
  fees: one.fees + other.fees,
  drawdown: Math.max(one.drawdown, other.drawdown),
});

function count(groups: Map<string, EachGroup>, instance: string, name: string, sums: EachSums): void {
  const key = `${instance} ${name}`;
  const known = groups.get(key);
  const { recordings = 0 } = known ?? {};
  groups.set(key, {
    instance,
    name,
    recordings: recordings + 1,
    ...(known === undefined ? sums : added(known, sums)),
  });
}

/** @param rows of one instance, at least one */
function totalOf(rows: readonly EachRow[]): EachTotal {
  const clusters = new Map<string, EachRow[]>();
  for (const row of rows) {
    const name = `${row.day} ${row.underlying}`;
    clusters.set(name, [...(clusters.get(name) ?? []), row]);
  }
  const [{ instance, strategy }] = rows as readonly [EachRow];
  const means = rows[0]!.profits.map((_, place) =>
    clusterMean([...clusters.values()].map((cluster) => cluster.map(({ profits }) => profits[place]!))),
  );
  return {
    instance,
    strategy,
    recordings: rows.length,
    independent: clusters.size,
    ...rows.map(sumsAlone).reduce(added),
    means: means.map(({ mean }) => mean),
    errors: means.map(({ error }) => error),
  };
}

const sumsAlone = ({ profits, fills, shares, amount, fees, drawdown }: EachSums): EachSums => ({
  profits,
  fills,
  shares,
  amount,
  fees,
  drawdown,
});
