import type { Micros } from '../../../domain/units.js';
import type { EngineParts } from '../parts.js';

/** Before the run quotes it loses nothing: what changes till then is what the shares held are known to be worth. */
export function watchLosses({ life, lossWatch, positions }: EngineParts, at: Micros): void {
  if (life.phase === 'starting') lossWatch.open(positions.profit());
  else lossWatch.check(positions.profit(), at);
}
