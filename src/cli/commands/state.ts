/** `oddsmith state`: what strategies remember of their markets. */
import {
  type KeptStrategyState,
  readStrategyStates,
  resetStrategyStates,
  type StateSelection,
} from '../../ops/state/strategy-states.js';
import { statePlaces } from '../../ops/state/account-folder.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { loadKeylessSettings } from '../../settings/index.js';
import { paperOverrides } from '../option-values.js';
import { print, printJson } from '../output.js';

export interface StateShowArguments {
  readonly json: boolean;
  readonly paper: boolean;
}

export interface StateResetArguments extends StateSelection {
  readonly paper: boolean;
}

/** @throws StateUnreadableError for a damaged file */
export function showState(file: string, given: StateShowArguments): ExitCode {
  const { settings } = loadKeylessSettings(file, process.env, paperOverrides(given));
  const places = statePlaces(settings).map(({ strategyStates: path }) => ({
    path,
    states: readStrategyStates(path),
  }));
  const told = places.filter(({ states }) => states.length > 0);
  if (given.json) printJson(told);
  else if (told.length === 0) print('nothing is kept: no strategy with a stateVersion has left a state');
  else for (const { path, states } of told) print(path, ...states.map(lineOf));
  return EXIT.clean;
}

const lineOf = ({ instance, strategy, stateVersion, id, state }: KeptStrategyState): string =>
  `  ${instance} (${strategy}, stateVersion ${stateVersion}) ${id}: ${JSON.stringify(state)}`;

/** @throws LockHeldError while the bot runs */
export function resetState(file: string, selection: StateResetArguments): ExitCode {
  const { settings } = loadKeylessSettings(file, process.env, paperOverrides(selection));
  const removed = [...resetStrategyStates(settings, selection)].filter(([, count]) => count > 0);
  print(...removed.map(([path, count]) => `removed ${count} from ${path}`));
  if (removed.length === 0) print('nothing was kept');
  return EXIT.clean;
}
