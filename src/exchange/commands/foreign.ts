import type { ForeignOutcome, ForeignPrint, SetForeignBook } from '../contract.js';
import type { Floor } from '../floor.js';

/** Others' book as a recording states it. */
export function executeSetForeignBook(floor: Floor, command: SetForeignBook): ForeignOutcome {
  return { ok: floor.markets.market(command.marketId) !== null };
}

/** Others' trade as a recording states it. */
export function executeForeignPrint(floor: Floor, command: ForeignPrint): ForeignOutcome {
  return { ok: floor.markets.market(command.marketId) !== null };
}
