/** An exchange that outlives its process. */
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UsageError } from '../../../domain/errors.js';
import type { Command, ExchangeConfig } from '../../../exchange/contract.js';
import { Exchange } from '../../../exchange/exchange.js';
import type { Logger } from '../../../core/ports/logger.js';
import {
  FileCommandLog,
  prepareFolder,
  readBeginning,
  type SegmentSize,
  writeBeginning,
  prune,
  readBase,
  readCommands,
  writeSnapshot,
} from '../../../storage/command-log/index.js';
import { acquireLock } from '../../../storage/state/lock-file.js';
import { additionsTo } from './configuration-changes.js';
import {
  type SnapshotFigures,
  Snapshots,
  startSnapshotThread,
  type SnapshotTask,
  type SnapshotUnderWay,
} from './snapshots.js';
import { replaceFileUnsynced } from '../../../storage/files/whole-files.js';
import type { RequestUsage, UsageStore } from '../../../exchange-server/index.js';

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
  const log = new FileCommandLog<Command>(
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

/** The exchange as a folder remembers it. */

/** An exchange as it was, and what it took to get there. */
export interface Recovered {
  readonly exchange: Exchange;
  /** The last file of commands; null in an empty folder. */
  readonly lastSegment: ReturnType<typeof readCommands>;
  /** The last command in the snapshot from which it began; 0 without one. */
  readonly snapshot: number;
  /** Commands executed again. */
  readonly commands: number;
  /** What was wrong with newer snapshots. */
  readonly damaged: readonly string[];
}

/** What a folder belongs to: commands give the same exchange with the same configuration only. */
export const hashOf = (config: ExchangeConfig): string =>
  createHash('sha256').update(JSON.stringify(config)).digest('hex');

/**
 * Executes the commands of a folder again, from its newest snapshot on.
 * @param upTo the last one; its file has ended. Absent: all there are
 * @throws CommandLogError when commands are damaged or missing; UsageError when they were given to another exchange
 */
export function recover(dir: string, config: ExchangeConfig, upTo?: number): Recovered {
  const configHash = hashOf(config);
  const { snapshot, sequence: after, damaged } = readBase(dir, configHash);
  const exchange = snapshot === null ? new Exchange(config) : Exchange.restore(snapshot);
  let commands = 0;
  const range = upTo === undefined ? { after } : { after, upTo };
  const lastSegment = readCommands<Command>(dir, configHash, range, ({ command, at }) => {
    exchange.execute(command, at);
    commands += 1;
  });
  return { exchange, lastSegment, snapshot: after, commands, damaged };
}

/**
 * Writes the snapshot after a command that ended a file, from the folder alone, and removes what no start needs any
 * more. The exchange that is running takes no part in it.
 * @throws Error of the file system, CommandLogError: the folder is as good as before
 */
export function makeSnapshot(dir: string, config: ExchangeConfig, sequence: number): void {
  const { exchange } = recover(dir, config, sequence);
  writeSnapshot(dir, hashOf(config), sequence, exchange.snapshot());
  prune(dir);
}

const NAME = 'requests.json';

/**
 * Counts of the rate limit as a file of the exchange's folder, replaced whole without waiting for the
 * disk: they are saved every second beside the requests, and a start that finds none of them whole says so.
 */
export class UsageFile implements UsageStore {
  readonly #path: string;

  constructor(
    dir: string,
    private readonly logger: Logger,
  ) {
    this.#path = join(dir, NAME);
  }

  load(): RequestUsage {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as RequestUsage;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.logger.warn('the counts of the rate limit are lost', { err: error });
      return [];
    }
  }

  save(usage: RequestUsage): void {
    try {
      replaceFileUnsynced(this.#path, JSON.stringify(usage));
    } catch (error) {
      this.logger.warn('the counts of the rate limit were not saved', { err: error });
    }
  }
}
