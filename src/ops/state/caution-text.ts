import { currencyUnits } from '../../domain/units.js';
import type { Cautions } from '../../core/risk/index.js';
import { isoTime } from './latches.js';

/** What guards latched, for a person: amounts in units of their currency, moments as dates; what is empty is left out. */
export function cautionsText(cautions: Cautions): Readonly<Record<string, readonly unknown[]>> {
  const { coolDowns, markOuts, reversed, taken, losses } = cautions;
  const told = {
    coolDowns: coolDowns.map(({ until, ...where }) => ({ ...where, until: isoTime(until) })),
    markOuts,
    reversed,
    taken: taken.map(({ currency, at, amount }) => `${currencyUnits(amount)} ${currency} at ${isoTime(at)}`),
    losses: losses.map(
      ({ currency, lost, fell }) =>
        `${currencyUnits(lost)} ${currency} lost, ${currencyUnits(fell)} ${currency} below the best`,
    ),
  };
  return Object.fromEntries(Object.entries(told).filter(([, { length }]) => length > 0));
}
