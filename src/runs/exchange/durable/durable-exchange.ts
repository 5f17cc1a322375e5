/** An exchange that outlives its process. */
import { join } from 'node:path';
import { UsageError } from '../../../domain/errors.js';
import type { Command, ExchangeConfig } from '../../../exchange/contract.js';
import type { Exchange } from '../../../exchange/exchange.js';
import type { Logger } from '../../../core/ports/logger.js';
import {
  type FileCommandLog,
  openLog,
  prepareFolder,
  readBeginning,
  type SegmentSize,
  writeBeginning,
} from '../../../storage/command-log/index.js';
import { acquireLock } from '../../../storage/state/lock-file.js';
import { additionsTo } from './additions.js';
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
 * @throws UsageError when the configuration changes what exists in the folder; what it adds is added
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
  const held = readBeginning(dir) as ExchangeConfig | null;
  const beginning = held ?? config;
  const recovered = recover(dir, beginning);
  const additions = additionsTo(dir, recovered.exchange.configuration(), config);
  if (held === null) writeBeginning(dir, beginning);
  tell(logger, recovered);
  const start = startSnapshot ?? startSnapshotThread;
  const snapshots = new Snapshots({
    start: (sequence) => start({ dir, config: beginning, sequence }),
    logger,
    newest: recovered.snapshot,
  });
  const size: SegmentSize = { records: snapshotEvery, bytes: SEGMENT_BYTES };
  const log = openLog<Command>(
    {
      dir,
      configHash: hashOf(beginning),
      size,
      onSegmentEnd: (last) => snapshots.want(last),
      onSyncFailure: (error) =>
        logger.error('commands may not be on the disk; none is taken any more', { err: error }),
    },
    recovered.lastSegment,
  );
  if (recovered.lastSegment !== null) snapshots.want(recovered.lastSegment.first - 1);
  for (const command of additions) add(dir, recovered.exchange, log, command);
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

/** Journalled like any other command, at the time at which the exchange stopped. @throws UsageError when refused */
function add(dir: string, exchange: Exchange, log: FileCommandLog<Command>, command: Command): void {
  const at = exchange.now();
  log.append({ sequence: log.lastSequence + 1, at, command });
  const { outcome } = exchange.execute(command, at);
  if ('detail' in outcome)
    throw new UsageError(`${dir}: the file adds what cannot be added: ${outcome.detail}`);
}

function tell(logger: Logger, { commands, snapshot, damaged, lastSegment }: Recovered): void {
  for (const what of damaged) logger.error('a snapshot is damaged; the one before it is used', { what });
  const tornBytes = lastSegment?.tornBytes ?? 0;
  logger.info('the exchange is as it was', { snapshot, commands, tornBytes });
}
