import type { Fills } from './fills.js';
import type { ForeignVolume } from './foreign-volume.js';
import type { LevelGrid } from './level-grid.js';
import type { OccupiedLevels } from './occupied-levels.js';
import type { OrderIndex } from './order-index.js';
import type { OrderRecords } from './order-records.js';

/** What a book consists of. */
export interface BookParts {
  readonly grid: LevelGrid;
  readonly records: OrderRecords;
  readonly index: OrderIndex;
  readonly occupied: OccupiedLevels;
  readonly fills: Fills;
  /** Null in a book of our orders alone. */
  readonly foreign: ForeignVolume | null;
}
