import type { Micros } from '../../domain/units.js';
import type { LossCaution } from '../../risk/index.js';
import type { EngineParts } from '../parts.js';

/** Before the run quotes it loses nothing: what changes till then is what the shares held are known to be worth. */
export function watchLosses({ life, lossWatch, positions }: EngineParts, at: Micros): void {
  if (life.phase === 'starting') lossWatch.open(positions.profit());
  else lossWatch.check(positions.profit(), at);
}

/** What is lost now in the currency of the run; of others what the run was told. */
export function lossesOf({ lossWatch, options }: EngineParts): readonly LossCaution[] {
  const { currency } = options.terms;
  const others = options.cautions.losses.filter((one) => one.currency !== currency);
  const { lost, fell } = lossWatch.counting;
  return lost === 0 && fell === 0 ? others : [...others, { currency, lost, fell }];
}
