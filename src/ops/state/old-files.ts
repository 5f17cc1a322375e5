/** What lies in a state folder and belongs to nobody any more: runs, sweeps, logs and tapes that nothing was added to for long. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isGone, parseHeartbeat, readHeartbeatText } from '../../storage/state/heartbeat-file.js';

/** Folders of things to keep for a while. State of accounts (latches, journals, books) is never among them. */
export const CLEANED = ['runs', 'sweeps', 'logs', 'tapes'] as const;
export type CleanedKind = (typeof CLEANED)[number];

/** A run, a sweep, a log or a tape. */
export interface OldItem {
  readonly kind: CleanedKind;
  readonly path: string;
  readonly bytes: number;
  /** When something of it was written last; milliseconds. */
  readonly lastMs: number;
}

/**
 * What nothing was added to since a moment; nothing of a bot that runs.
 * @param beforeMs milliseconds since 1970
 * @throws an error of the file system
 */
export function oldItems(
  stateDir: string,
  kinds: readonly CleanedKind[],
  beforeMs: number,
): readonly OldItem[] {
  const running = runningIds(stateDir);
  return kinds.flatMap((kind) =>
    namesIn(join(stateDir, kind)).flatMap((name) => {
      const path = join(stateDir, kind, name);
      const item = { kind, path, ...measured(path) };
      const isRunning = running.some((id) => name.startsWith(id));
      return item.lastMs < beforeMs && !isRunning ? [item] : [];
    }),
  );
}

/** @throws an error of the file system */
export const removeItem = ({ path }: OldItem): void => rmSync(path, { recursive: true });

/** Runs whose process still lives, or lives on another machine. */
const runningIds = (stateDir: string): readonly string[] =>
  namesIn(join(stateDir, 'accounts')).flatMap((name) => {
    const path = join(stateDir, 'accounts', name, 'heartbeat.json');
    const heartbeat = existsSync(path) ? parseHeartbeat(readHeartbeatText(path) ?? '') : null;
    return heartbeat === null || heartbeat.ended !== null || isGone(heartbeat) ? [] : [heartbeat.runId];
  });

function measured(path: string): { readonly bytes: number; readonly lastMs: number } {
  const stat = statSync(path);
  if (!stat.isDirectory()) return { bytes: stat.size, lastMs: stat.mtimeMs };
  const inside = readdirSync(path).map((name) => measured(join(path, name)));
  return {
    bytes: inside.reduce((sum, { bytes }) => sum + bytes, 0),
    lastMs: Math.max(stat.mtimeMs, ...inside.map(({ lastMs }) => lastMs)),
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
