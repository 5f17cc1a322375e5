import { createHash } from 'node:crypto';
import type { BotSettings } from '../../settings/index.js';
import type { RecordingSource } from '../../storage/index.js';
import { notesHash } from './recording-notes.js';

/**
 * The run id of a backtest: a hash of what determines it, that is configuration, strategies, recordings with what is noted
 * beside them, and seed. Where files lie and what nothing depends on (keys, folders, ports) is left out, so that the same
 * backtest has the same id anywhere.
 * @throws UsageError when notes cannot be read
 */
export function backtestId(
  settings: BotSettings,
  strategies: readonly string[],
  recordings: readonly RecordingSource[],
): string {
  const {
    venue,
    exchange,
    stateDir: _stateDir,
    http: _http,
    log: _log,
    journal: _journal,
    report: _report,
    sweep: _sweep,
    ...rest
  } = settings;
  const notes = recordings.map(({ name }) => notesHash(name));
  const parts = {
    ...rest,
    guard: { ...rest.guard, ...(rest.guard.publicKey !== null && HAS_KEYS) },
    venue: venue === null ? null : withoutKeys(venue),
    exchange: exchange === null ? null : { fees: exchange.fees, rateLimit: exchange.rateLimit },
    strategies,
    recordings: recordings.map(({ sha256 }) => sha256),
    ...(notes.some((hash) => hash !== null) && { notes }),
  };
  return `bt-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`;
}

/** That a guard has keys of its own leaves the bot its allowance; which they are is nobody's business. */
const HAS_KEYS = { publicKey: '', privateKey: '' };

function withoutKeys({
  publicKey: _public,
  privateKey: _private,
  ...venue
}: NonNullable<BotSettings['venue']>) {
  return venue;
}
