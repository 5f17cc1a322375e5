import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../domain/errors.js';
import { DEFAULT_STATE_DIR } from '../settings/bot-schema.js';

/** Where runs and recordings are kept, of those that name no other folder. */
const KEPT = ['runs', 'tapes'];

/**
 * A run, tape or recording by its path; a run also by the id alone that the screen shows.
 * @param stateDir where to look for it
 * @returns a path to something
 * @throws UsageError when there is nothing, which says how a run is named
 */
export function namedRun(text: string, stateDir: string = DEFAULT_STATE_DIR): string {
  if (existsSync(text)) return text;
  if (basename(text) !== text) throw noRunAt(text);
  const places = KEPT.map((kind) => join(stateDir, kind, text));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw noRunAt(text);
  return found;
}

const noRunAt = (text: string): UsageError =>
  new UsageError(
    `there is no run or tape at ${text}; a run is named by its id, or by its folder where that is not ${DEFAULT_STATE_DIR}/runs/<run id>`,
  );
