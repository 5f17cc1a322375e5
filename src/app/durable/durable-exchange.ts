/** An exchange that outlives its process. */
import { join } from 'node:path';
import type { Command, ExchangeConfig } from '../../exchange/contract.js';
import type { Exchange } from '../../exchange/exchange.js';
import type { Logger } from '../../ports/logger.js';
import {
  type FileCommandLog,
  openLog,
  prepareFolder,
  type SegmentSize,
} from '../../runtime/command-folder/index.js';
import { acquireLock } from '../../runtime/lock-file.js';
import { hashOf, recover, type Recovered } from './recovery.js';
import { type SnapshotFigures, Snapshots } from './snapshots.js';
import { startSnapshotThread, type SnapshotTask, type SnapshotUnderWay } from './snapshot-thread.js';

export interface DurableOptions {
  /** Folder of this exchange alone, created when missing. */
  readonly dir: string;
  readonly config: ExchangeConfig;
  /** Commands from one snapshot to the next. */
  readonly snapshotEvery: number;
  readonly logger: Logger;
  /** How a snapshot is made; in a thread unless a test says otherwise. */
  readonly startSnapshot?: (task: SnapshotTask) => SnapshotUnderWay;
}

export interface DurableExchange {
  readonly exchange: Exchange;
  readonly log: FileCommandLog<Command>;
  readonly snapshots: () => SnapshotFigures;
  readonly close: () => Promise<void>;
}

/** A file of commands ends at this size at the latest, so that it can be read back whole. */
const SEGMENT_BYTES = 64 * 1_048_576;

/**
 * Brings the exchange of a folder back, and keeps what it does from now on. While it runs, commands go into files; at
 * each file's end a thread makes a snapshot from the folder alone, so the exchange itself only begins a new file.
 * @throws LockHeldError when another process has the folder
 * @throws CommandLogError when commands are damaged or missing
 * @throws UsageError when the folder belongs to another configuration
 */
export function openDurableExchange(options: DurableOptions): DurableExchange {
  const { dir } = options;
  const lock = acquireLock(join(dir, 'lock'), `the exchange in ${dir}`);
  try {
    return opened(options, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

function opened(
  { dir, config, snapshotEvery, logger, startSnapshot }: DurableOptions,
  release: () => void,
): DurableExchange {
  prepareFolder(dir);
  const recovered = recover(dir, config);
  tell(logger, recovered);
  const start = startSnapshot ?? startSnapshotThread;
  const snapshots = new Snapshots({
    start: (sequence) => start({ dir, config, sequence }),
    logger,
    newest: recovered.snapshot,
  });
  const size: SegmentSize = { records: snapshotEvery, bytes: SEGMENT_BYTES };
  const log = openLog<Command>(
    {
      dir,
      configHash: hashOf(config),
      size,
      onSegmentEnd: (last) => snapshots.want(last),
      onSyncFailure: (error) =>
        logger.error('commands may not be on the disk; none is taken any more', { err: error }),
    },
    recovered.lastSegment,
  );
  if (recovered.lastSegment !== null) snapshots.want(recovered.lastSegment.first - 1);
  return {
    exchange: recovered.exchange,
    log,
    snapshots: () => snapshots.figures,
    close: async () => {
      await snapshots.close();
      await log.close();
      release();
    },
  };
}

function tell(logger: Logger, { commands, snapshot, damaged, lastSegment }: Recovered): void {
  for (const what of damaged) logger.error('a snapshot is damaged; the one before it is used', { what });
  const tornBytes = lastSegment?.tornBytes ?? 0;
  logger.info('the exchange is as it was', { snapshot, commands, tornBytes });
}
