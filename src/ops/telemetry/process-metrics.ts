/** The process itself; prom-client's own set does not pass promtool's check. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IntervalHistogram } from 'node:perf_hooks';
import type { Metric, Sample } from './metric.js';
import { plain } from './metric.js';

/** The event loop under observation; stop it with `disable`. */
export type LoopMonitor = IntervalHistogram;

const RESOLUTION_MS = 10;
const NANOS_PER_MS = 1e6;
const NANOS_PER_SECOND = 1e9;
const MICROS_PER_SECOND = 1e6;

/** Begins to observe the event loop, every 10 ms. */
export function watchLoop(): LoopMonitor {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  monitor.enable();
  return monitor;
}

export const PROCESS_METRICS: readonly Metric<LoopMonitor>[] = [
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

/** Each reading begins anew. */
function loopDelays(monitor: LoopMonitor): readonly Sample[] {
  const intervals = { p50: monitor.percentile(50), p99: monitor.percentile(99), max: monitor.max };
  const measured = monitor.count > 0;
  monitor.reset();
  return Object.entries(intervals).map(([statistic, nanos]) => ({
    labels: { statistic },
    value: measured ? lateness(nanos) : 0,
  }));
}

/** The monitor measures from tick to tick, so a loop that is never late shows its resolution. */
const lateness = (nanos: number): number =>
  Math.max(nanos - RESOLUTION_MS * NANOS_PER_MS, 0) / NANOS_PER_SECOND;
