/** A thread that makes one snapshot and ends. */
import { workerData } from 'node:worker_threads';
import { makeSnapshot } from './durable-exchange.js';
import type { SnapshotTask } from './snapshots.js';

const { dir, config, sequence } = workerData as SnapshotTask;
makeSnapshot(dir, config, sequence);
