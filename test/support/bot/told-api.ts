/** A local API that notes what it is told, for tests of what is in front of it. */
import type { Action, BotApi } from '../../../src/ops/http/contract.js';

const NOTHING = {} as never;

/** @param changes answers of its own for some of its parts */
export function toldApi(changes: Partial<BotApi> = {}): { readonly api: BotApi; readonly told: Action[] } {
  const told: Action[] = [];
  const api: BotApi = {
    status: () => NOTHING,
    markets: () => [],
    row: () => null,
    changed: () => [],
    market: () => null,
    history: () => [],
    profit: () => [],
    event: () => null,
    orders: () => [],
    fills: (since) => ({ fills: [], last: since }),
    positions: () => [],
    decisions: () => [],
    alarms: () => [],
    config: () => Promise.resolve({ file: 'bot.yaml', inUse: {}, differences: [], problem: null }),
    act: (action) => {
      told.push(action);
      return { code: 200, text: `done: ${action.action}` };
    },
    ...changes,
  };
  return { api, told };
}
