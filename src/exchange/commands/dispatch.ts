import type { Command, OutcomeOf } from '../contract.js';
import type { Floor } from '../floor.js';
import { executeAddAccount, executeAddEvent, executeAddMarket } from './adding.js';
import { executeCancelAll, executeCancelBatch, executeCancelOrder } from './cancelling.js';
import { executePlaceBatch, executePlaceOrder } from './creating.js';
import { executeDeposit } from './depositing.js';
import {
  executeForeignMoment,
  executeForeignOrder,
  executeForeignPrint,
  executeSetForeignBook,
} from './foreign.js';
import { executeRegisterSafe } from './registering.js';
import {
  executeResolveEvent,
  executeReverseEvent,
  executeSetEventStatus,
  executeSetLive,
  executeSetMarketStatus,
} from './statuses.js';
import { executePostComment, executeTestEvent } from './telling.js';
import { executeUpdateBatch } from './updating.js';

/** One handler per command, so that a forgotten one does not compile. */
type Handlers = {
  readonly [C in Command as C['kind']]: (floor: Floor, command: C) => OutcomeOf[C['kind']];
};

const HANDLERS: Handlers = {
  'place-order': executePlaceOrder,
  'place-batch': executePlaceBatch,
  'update-batch': executeUpdateBatch,
  'cancel-order': executeCancelOrder,
  'cancel-batch': executeCancelBatch,
  'cancel-all': executeCancelAll,
  'register-safe': executeRegisterSafe,
  'advance-time': () => ({ ok: true }),
  'add-account': executeAddAccount,
  'add-event': executeAddEvent,
  'add-market': executeAddMarket,
  'set-event-status': executeSetEventStatus,
  'set-market-status': executeSetMarketStatus,
  'resolve-event': executeResolveEvent,
  'reverse-event': executeReverseEvent,
  'set-live': executeSetLive,
  deposit: executeDeposit,
  'post-comment': executePostComment,
  'send-test-event': executeTestEvent,
  'set-foreign-book': executeSetForeignBook,
  'foreign-print': executeForeignPrint,
  'foreign-moment': executeForeignMoment,
  'foreign-order': executeForeignOrder,
};

/** Runs the handler of a command. The table's type says that handler and outcome belong to the command's kind. */
export function dispatch<C extends Command>(floor: Floor, command: C): OutcomeOf[C['kind']] {
  return run(floor, command) as OutcomeOf[C['kind']];
}

/** What a busy venue is asked all the time is called by its name: such a call can be compiled into its caller. */
function run(floor: Floor, command: Command): unknown {
  const { kind } = command;
  if (kind === 'place-order') return HANDLERS['place-order'](floor, command);
  if (kind === 'cancel-order') return HANDLERS['cancel-order'](floor, command);
  if (kind === 'update-batch') return HANDLERS['update-batch'](floor, command);
  return (HANDLERS[kind] as (floor: Floor, command: Command) => unknown)(floor, command);
}
