/** Where a bot keeps the state of its account, and what has to be settled before it may live there. */
import type { AccountId } from '../../domain/ids.js';
import type { Lock } from '../../storage/state/lock-file.js';
import { lockAccount } from '../../ops/state/account-lock.js';
import { accountScopes } from '../../ops/state/account-scopes.js';
import type { BotOptions } from '../../ops/state/options.js';
import { requireNoFence } from '../../ops/state/latches.js';
import { takeOverJournals } from '../../ops/state/other-journals.js';
import {
  type LatchedElsewhere,
  requireNoFenceElsewhere,
  takeOverLatches,
} from '../../ops/state/other-latches.js';
import { botLockOf, type StatePaths, statePathsOf } from '../../ops/state/state-paths.js';

/** Whose state a bot keeps, and where. */
export interface Home {
  readonly paths: StatePaths;
  readonly account: AccountId;
  /** Path of the lock of the account. */
  readonly lock: string;
}

/** What else is of the account: nothing at an exchange that the bot brought along. */
export const elsewhere = ({ settings, venue }: BotOptions, account: AccountId): LatchedElsewhere =>
  settings.venue === null ? { others: [], kills: [] } : accountScopes(settings, venue, account);

/**
 * Takes the lock of the account, and what its runs left open or latched in other places, unless a fence stands. Who is
 * turned away lets go of the lock, and of what the one before it told of a fence in another folder.
 * @param keep is handed the lock as soon as it is held
 * @throws LockHeldError, FencedError, JournalCorruptError, CautionsUnreadableError; an error of the file system
 */
export async function moveIn(
  options: BotOptions,
  account: AccountId,
  keep: (lock: Lock) => void,
): Promise<Home> {
  const { settings, venue, logger, source } = options;
  const home = { paths: statePathsOf(settings, venue), account, lock: botLockOf(settings, venue, account) };
  const { paths, lock } = home;
  const scopes = elsewhere(options, account);
  const { others } = scopes;
  const whose = { lock, file: source.file };
  requireNoFenceElsewhere(paths, others, whose);
  keep(lockAccount(options, lock, account));
  requireNoFence(paths.fence, source.file);
  const away = others.filter(({ kinship }) => kinship === 'away').map((other) => other.paths);
  await takeOverJournals(options, paths, lock, away);
  takeOverLatches({ own: paths, lock, logger }, scopes);
  requireNoFenceElsewhere(paths, others, whose);
  return home;
}
