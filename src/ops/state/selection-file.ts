/** The markets that the last run of an account chose at the venue, for a later run and for commands that ask no venue. */
import { z } from 'zod';
import type { EngineView } from '../../core/engine/observing/view.js';
import type { Logger } from '../../core/ports/logger.js';
import { eventId, marketId } from '../../domain/ids.js';
import {
  type BotSettings,
  type Chosen,
  expanded,
  isSelecting,
  NOTHING_CHOSEN,
} from '../../settings/index.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import type { StatePaths } from './account-folder.js';
import { textOf } from './risk-file.js';

const MARKETS = z.array(
  z.object({
    eventId: z.string().transform((id) => eventId(id)),
    marketId: z.string().transform((id) => marketId(id)),
  }),
);
const CHOSEN = z.object({ whole: MARKETS, selected: z.record(z.string(), MARKETS), watched: MARKETS });

/** @throws an error of the file system */
export const keepSelection = ({ selection }: Pick<StatePaths, 'selection'>, chosen: Chosen): void =>
  replaceFile(selection, JSON.stringify(chosen));

/** As {@link keepSelection}; a disk that is full ends no run. */
export function rememberSelection(
  paths: Pick<StatePaths, 'selection'>,
  chosen: Chosen,
  logger: Pick<Logger, 'warn'>,
): void {
  try {
    keepSelection(paths, chosen);
  } catch (error) {
    logger.warn('the markets of the run could not be written down', { err: error });
  }
}

/** A clean run has ended: of earlier choices those are watched on of which shares are held. */
export function forgetFlat(
  paths: Pick<StatePaths, 'selection'>,
  chosen: Chosen,
  { markets }: Pick<EngineView, 'markets'>,
  logger: Pick<Logger, 'warn'>,
): void {
  const held = markets.flatMap(({ marketId: id, inventory: { long, short } }) =>
    long + short > 0 ? [id] : [],
  );
  const watched = chosen.watched.filter(({ marketId: id }) => held.includes(id));
  rememberSelection(paths, { ...chosen, watched }, logger);
}

/** What the last run chose; nothing where no run chose, or the file cannot be read. */
export function keptSelection({ selection }: Pick<StatePaths, 'selection'>): Chosen {
  try {
    const text = textOf(selection);
    return text === null ? NOTHING_CHOSEN : CHOSEN.parse(JSON.parse(text));
  } catch {
    return NOTHING_CHOSEN;
  }
}

/** Settings with the markets that the last run of each of these accounts chose. */
export function withKeptSelection(
  settings: BotSettings,
  places: readonly Pick<StatePaths, 'selection'>[],
): BotSettings {
  if (!isSelecting(settings)) return settings;
  return places.reduce((known, place) => expanded(known, keptSelection(place)), settings);
}
