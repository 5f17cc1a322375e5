import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DEFAULT_STATE_DIR } from '../settings/state-dir.js';

/** Where runs and recordings are kept, of those that name no other folder. */
const KEPT = ['runs', 'tapes'];

/**
 * A run, tape or recording by its path; a run also by the id alone that the screen shows.
 * @param stateDir where to look for it
 * @returns a path; of what is nowhere the text as it was written, which whoever reads it will refuse
 */
export function namedRun(text: string, stateDir: string = DEFAULT_STATE_DIR): string {
  if (existsSync(text) || basename(text) !== text) return text;
  const places = KEPT.map((kind) => join(stateDir, kind, text));
  return places.find((place) => existsSync(place)) ?? text;
}
