import type { Command, OutcomeOf } from '../contract.js';
import type { State } from '../state.js';
import * as admin from './admin.js';
import * as foreign from './foreign.js';
import * as orders from './orders.js';

/** One handler per command, so that a forgotten one does not compile. */
type Handlers = {
  readonly [C in Command as C['kind']]: (state: State, command: C) => OutcomeOf[C['kind']];
};

const HANDLERS: Handlers = {
  'place-order': orders.executePlaceOrder,
  'place-batch': orders.executePlaceBatch,
  'update-batch': orders.executeUpdateBatch,
  'cancel-order': orders.executeCancelOrder,
  'cancel-batch': orders.executeCancelBatch,
  'cancel-all': orders.executeCancelAll,
  'register-safe': admin.executeRegisterSafe,
  'advance-time': () => ({ ok: true }),
  'add-account': admin.executeAddAccount,
  'add-event': admin.executeAddEvent,
  'add-market': admin.executeAddMarket,
  'set-event-status': admin.executeSetEventStatus,
  'set-market-status': admin.executeSetMarketStatus,
  'resolve-event': admin.executeResolveEvent,
  'reverse-event': admin.executeReverseEvent,
  'set-live': admin.executeSetLive,
  deposit: admin.executeDeposit,
  'post-comment': admin.executePostComment,
  'send-test-event': admin.executeTestEvent,
  'set-foreign-book': foreign.executeSetForeignBook,
  'foreign-print': foreign.executeForeignPrint,
  'foreign-moment': foreign.executeForeignMoment,
  'foreign-order': foreign.executeForeignOrder,
};

/** Runs the handler of a command. The table's type says that handler and outcome belong to the command's kind. */
export function dispatch<C extends Command>(state: State, command: C): OutcomeOf[C['kind']] {
  const handler = HANDLERS[command.kind] as (state: State, command: Command) => unknown;
  return handler(state, command) as OutcomeOf[C['kind']];
}
