import type { RegisterSafe, RegisterSafeOutcome } from '../contract.js';
import type { Floor } from '../floor.js';
import { accountView } from '../reads/account-reads.js';

/** `POST /me/safe/` (specification 4.2): remembers the wallet. */
export function executeRegisterSafe(floor: Floor, command: RegisterSafe): RegisterSafeOutcome {
  const account = floor.accounts.find(command.account);
  if (account === null) return { ok: false, why: 'not-found' };
  account.safe = { address: command.safeAddress, chainId: command.chainId };
  return { ok: true, account: accountView(account) };
}
