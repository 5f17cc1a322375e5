/** What guards latched and a restart must not forget. Plain values, as a file and a tape keep them. */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Micros, Money } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';

/** Quoting stopped after one-sided fills; sizes come back in steps from `until` on. */
export type CoolDown =
  | { readonly scope: 'market'; readonly marketId: MarketId; readonly until: Micros }
  | { readonly scope: 'event'; readonly eventId: EventId; readonly until: Micros };

/** Fills that went wrong made a market smaller, or stopped it. */
export interface MarkOutCaution {
  readonly marketId: MarketId;
  readonly level: 'reduced' | 'stopped';
}

/** What counts towards the limits of a currency since a person last accepted what was lost. */
export interface LossCaution {
  readonly currency: Currency;
  /** Profit since then, the other way round; not below zero. */
  readonly lost: Money;
  /** By how much profit lies below its best. */
  readonly fell: Money;
}

/** What was taken at once although it was to rest, at one moment. */
export interface TakingCaution {
  readonly currency: Currency;
  readonly at: Micros;
  readonly amount: Money;
}

export interface Cautions {
  readonly coolDowns: readonly CoolDown[];
  readonly markOuts: readonly MarkOutCaution[];
  /** A resolution was taken back there. */
  readonly reversed: readonly MarketId[];
  /** Within the last hour, the oldest first. */
  readonly taken: readonly TakingCaution[];
  /** One entry per currency in which anything is lost. */
  readonly losses: readonly LossCaution[];
}

/** Nothing is latched. */
export const NO_CAUTIONS: Cautions = Object.freeze({
  coolDowns: [],
  markOuts: [],
  reversed: [],
  taken: [],
  losses: [],
});

/**
 * What two runs of one account left latched, the longer and the harder where both did; losses that each counted are one
 * sum.
 */
export const mergedCautions = (one: Cautions, other: Cautions): Cautions => ({
  coolDowns: theWorse([...one.coolDowns, ...other.coolDowns], placeOf, (a, b) =>
    a.until >= b.until ? a : b,
  ),
  markOuts: theWorse(
    [...one.markOuts, ...other.markOuts],
    ({ marketId }) => marketId,
    (a, b) => (a.level === 'stopped' ? a : b),
  ),
  reversed: [...new Set([...one.reversed, ...other.reversed])],
  taken: [...one.taken, ...other.taken].sort((a, b) => a.at - b.at),
  losses: theWorse([...one.losses, ...other.losses], ({ currency }) => currency, summed),
});

const placeOf = (coolDown: CoolDown): string =>
  coolDown.scope === 'market' ? `market ${coolDown.marketId}` : `event ${coolDown.eventId}`;

const summed = (a: LossCaution, b: LossCaution): LossCaution => ({
  currency: a.currency,
  lost: (a.lost + b.lost) as Money,
  fell: (a.fell + b.fell) as Money,
});

function theWorse<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
  worse: (a: Item, b: Item) => Item,
): readonly Item[] {
  const found = new Map<string | number, Item>();
  for (const item of items) {
    const before = found.get(keyOf(item));
    found.set(keyOf(item), before === undefined ? item : worse(before, item));
  }
  return [...found.values()];
}
