/** The exchange as a folder remembers it. */
import { createHash } from 'node:crypto';
import type { Command, ExchangeConfig } from '../../../exchange/contract.js';
import { Exchange } from '../../../exchange/exchange.js';
import { prune, readBase, readCommands, writeSnapshot } from '../../../storage/command-log/index.js';

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
