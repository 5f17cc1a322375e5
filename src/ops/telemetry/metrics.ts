import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type { EngineView } from '../../core/engine/observing/view.js';
import type { RequestObserver } from '../../core/ports/telemetry.js';
import {
  byWord,
  ENGINE_METRICS,
  MARKET_METRICS,
  type Metric,
  type MetricHead,
  plain,
  type Sample,
} from './engine-metrics.js';

/** Requests left in each window of the venue: `minute`, `day`. */
export type RequestsLeft = Readonly<Record<string, number>>;

/** What a scrape reads at its moment. */
export interface MetricsSources {
  /** A snapshot of the running engine; null before it runs. */
  readonly view: () => EngineView | null;
  readonly requestsLeft: () => RequestsLeft;
  /** Every metric of a paper run has the label `mode="paper"`. */
  readonly mode?: 'live' | 'paper';
  /** Every metric has this label `account`, where a process runs several bots. */
  readonly account?: string;
  /** One for each source of fair values. */
  readonly fairFigures: () => readonly FairFigures[];
  /** One for each receiver of alerts. */
  readonly alertFigures: () => readonly AlertFigures[];
}

/** What became of the alerts to a receiver. */
export interface AlertFigures {
  readonly receiver: string;
  readonly sent: number;
  /** Attempts without success. */
  readonly failed: number;
  /** Alerts that were given up. */
  readonly leftOut: number;
}

/** What a source of fair values gave. */
export interface FairFigures {
  readonly source: string;
  /** Whether it could be read the last time. */
  readonly isUp: boolean;
  /** Values by outcome: `accepted`, or why they were refused. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface Metrics {
  readonly observeRequest: RequestObserver;
  /** Returns the exposition text of now and its content type. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** Stops watching the event loop. */
  close(): void;
}

/** Buckets in seconds, from a venue on the same machine to a busy one overseas. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const REQUESTS_LEFT = byWord<RequestsLeft>(
  { name: 'oddsmith_requests_left', help: 'Requests that may still be sent in the window.', type: 'gauge' },
  'window',
  (left) => left,
);

const FAIR_METRICS: readonly Metric<readonly FairFigures[]>[] = [
  {
    name: 'oddsmith_fair_values_total',
    help: 'Fair values from outside: accepted, or why they were refused.',
    type: 'counter',
    labels: ['source', 'outcome'],
    read: (all) =>
      all.flatMap(({ source, counts }) =>
        Object.entries(counts).map(([outcome, value]) => ({ labels: { source, outcome }, value })),
      ),
  },
  {
    name: 'oddsmith_fair_source_up',
    help: 'Whether a source of fair values could be read the last time.',
    type: 'gauge',
    labels: ['source'],
    read: (all) => all.map(({ source, isUp }) => ({ labels: { source }, value: isUp ? 1 : 0 })),
  },
];

const ALERT_METRICS: readonly Metric<readonly AlertFigures[]>[] = [
  {
    name: 'oddsmith_alerts_total',
    help: 'Alerts by receiver: sent, attempts that failed, alerts that were left out.',
    type: 'counter',
    labels: ['receiver', 'outcome'],
    read: (all) =>
      all.flatMap(({ receiver, sent, failed, leftOut }) =>
        Object.entries({ sent, failed, 'left-out': leftOut }).map(([outcome, value]) => ({
          labels: { receiver, outcome },
          value,
        })),
      ),
  },
];

/**
 * Keeps the metrics of one bot in its own registry. A scrape copies the counts of the engine's view. Only requests are
 * observed one by one.
 */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({
    ...(sources.mode === 'paper' && { mode: 'paper' }),
    ...(sources.account !== undefined && { account: sources.account }),
  });
  const loop = watchLoop();
  const ofView = [...ENGINE_METRICS, ...MARKET_METRICS].map((metric) => registered(registry, metric));
  const ofLoop = PROCESS_METRICS.map((metric) => registered(registry, metric));
  const showLeft = registered(registry, REQUESTS_LEFT);
  const ofFair = FAIR_METRICS.map((metric) => registered(registry, metric));
  const ofAlerts = ALERT_METRICS.map((metric) => registered(registry, metric));
  return {
    observeRequest: requestObserver(registry),
    async read() {
      const view = sources.view();
      ofView.forEach((show) => show(view));
      ofLoop.forEach((show) => show(loop));
      showLeft(sources.requestsLeft());
      ofFair.forEach((show) => show(sources.fairFigures()));
      ofAlerts.forEach((show) => show(sources.alertFigures()));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => loop.disable(),
  };
}

/** @returns a function that replaces all samples of the metric by the present ones */
function registered<Source>(registry: Registry, metric: Metric<Source>): (source: Source | null) => void {
  const { name, help, labels } = metric;
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  const shown = metric.type === 'gauge' ? new Gauge(options) : new Counter(options);
  return (source) => {
    shown.reset();
    const samples = source === null ? [] : metric.read(source);
    for (const sample of samples) shown.inc({ ...sample.labels }, sample.value);
  };
}

const REQUESTS: MetricHead = {
  name: 'oddsmith_requests_total',
  help: 'Requests to the venue by endpoint, outcome and error code.',
  type: 'counter',
  labels: ['endpoint', 'outcome', 'code'],
};
const DURATIONS: MetricHead = {
  name: 'oddsmith_request_duration_seconds',
  help: 'From the first byte sent to the outcome.',
  type: 'histogram',
  labels: ['endpoint'],
};

function requestObserver(registry: Registry): RequestObserver {
  const of = ({ name, help, labels }: MetricHead) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  const requests = new Counter(of(REQUESTS));
  const durations = new Histogram({ ...of(DURATIONS), buckets: DURATION_BUCKETS });
  return ({ endpoint, outcome, code, durationMs }) => {
    requests.inc({ endpoint, outcome, code: code ?? '' });
    if (durationMs !== null) durations.observe({ endpoint }, durationMs / 1_000);
  };
}

/** Metrics of the process. prom-client's default set does not pass promtool's check. */

/** A monitor of the event loop. `disable` stops it. */
export type LoopMonitor = IntervalHistogram;

const RESOLUTION_MS = 10;
const NANOS_PER_MS = 1e6;
const NANOS_PER_SECOND = 1e9;
const MICROS_PER_SECOND = 1e6;

/** Starts to monitor the event loop, every 10 ms. */
function watchLoop(): LoopMonitor {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  monitor.enable();
  return monitor;
}

const PROCESS_METRICS: readonly Metric<LoopMonitor>[] = [
  {
    name: 'oddsmith_event_loop_delay_seconds',
    help: 'How late the event loop ran its timers since the last scrape.',
    type: 'gauge',
    labels: ['statistic'],
    read: loopDelays,
  },
  plain({ name: 'oddsmith_process_resident_memory_bytes', help: 'Resident memory.', type: 'gauge' }, () =>
    process.memoryUsage.rss(),
  ),
  plain(
    { name: 'oddsmith_process_heap_used_bytes', help: 'Heap in use.', type: 'gauge' },
    () => process.memoryUsage().heapUsed,
  ),
  plain(
    { name: 'oddsmith_process_start_time_seconds', help: 'Start, since the Unix epoch.', type: 'gauge' },
    () => performance.timeOrigin / 1_000,
  ),
  plain(
    { name: 'oddsmith_process_cpu_seconds_total', help: 'Processor time used.', type: 'counter' },
    cpuSeconds,
  ),
];

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROS_PER_SECOND;
}

/** Reads the delays since the last reading. */
function loopDelays(monitor: LoopMonitor): readonly Sample[] {
  const intervals = { p50: monitor.percentile(50), p99: monitor.percentile(99), max: monitor.max };
  const measured = monitor.count > 0;
  monitor.reset();
  return Object.entries(intervals).map(([statistic, nanos]) => ({
    labels: { statistic },
    value: measured ? lateness(nanos) : 0,
  }));
}

/** The monitor measures from tick to tick, so its resolution is subtracted. */
const lateness = (nanos: number): number =>
  Math.max(nanos - RESOLUTION_MS * NANOS_PER_MS, 0) / NANOS_PER_SECOND;

/** Every metric of a bot, for `docs/metrics.md`. */
export const METRIC_CATALOGUE: readonly MetricHead[] = [
  ...ENGINE_METRICS,
  ...MARKET_METRICS,
  REQUESTS_LEFT,
  REQUESTS,
  DURATIONS,
  ...FAIR_METRICS,
  ...ALERT_METRICS,
  ...PROCESS_METRICS,
];
