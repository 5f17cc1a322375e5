/** Quotes of a configuration that its own limits never let pass: valid, but hardly what anybody meant. */
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import type { ParameterUnit } from '../../core/strategy/parameters.js';
import { MONEY_ONE, PRICE_ONE, SHARE_ONE } from '../../domain/units.js';
import { describeProblem, type SettingsSource } from '../../settings/index.js';

/** How bundled strategies call the shares of one quote, and the distance of a quote from fair value. */
const SIZES = ['shares', 'avgShares'] as const;
const DISTANCES = ['halfSpread', 'avgMargin', 'edge'] as const;

/** @returns sentences with file, line and column, for people */
export const limitRemarks = (
  { instances, events }: Pick<EngineOptions, 'instances' | 'events'>,
  source: SettingsSource,
): readonly string[] =>
  instances.flatMap((instance, index) => {
    const tick = leastTick(instance, events);
    const found = [
      ...SIZES.flatMap((name) =>
        refusals(instance, name, 'shares', (size) => refusedSize(instance, size, tick)),
      ),
      ...DISTANCES.flatMap((name) =>
        refusals(instance, name, 'probability', (distance) => refusedDistance(instance, distance)),
      ),
    ];
    return found.map(({ name, message }) => {
      const problem = source.problem(['instances', index, 'params'], message, name);
      return describeProblem(source.file, problem);
    });
  });

function refusals(
  { instance: { strategy, parameters } }: QuotingInstance,
  name: string,
  unit: ParameterUnit,
  judge: (value: number) => string | null,
): readonly { readonly name: string; readonly message: string }[] {
  const [value, declared] = [parameters[name], strategy.params[name]];
  if (typeof value !== 'number' || declared?.type !== 'number' || declared.unit !== unit) return [];
  const message = judge(value);
  return message === null ? [] : [{ name, message: `${message}: risk control refuses them` }];
}

/** The lowest price of the markets: there an order costs least. */
function leastTick({ markets }: QuotingInstance, events: EngineOptions['events']): number {
  const quoted = events.flatMap((event) => event.markets).filter(({ id }) => markets.includes(id));
  return Math.min(...quoted.map(({ tickUnits }) => tickUnits)) / PRICE_ONE;
}

/** The first limit below the size; null when there is none. */
function refusedSize({ limits }: QuotingInstance, size: number, tick: number): string | null {
  for (const name of ['maxOrderShares', 'maxPositionShares'] as const) {
    const most = limits[name] / SHARE_ONE;
    if (size > most) return `quotes of ${size} shares are more than limits.${name} allows, which is ${most}`;
  }
  for (const name of ['maxOrderAmount', 'maxEventLoss', 'maxLocked'] as const) {
    const most = limits[name];
    if (most !== null && size * tick > most / MONEY_ONE)
      return `quotes of ${size} shares cost ${size * tick} at the lowest price, more than limits.${name} allows, which is ${most / MONEY_ONE}`;
  }
  return null;
}

const refusedDistance = ({ limits }: QuotingInstance, distance: number): string | null =>
  distance * PRICE_ONE > limits.priceCollar
    ? `quotes ${distance} away from fair value are further than limits.priceCollar allows, which is ${limits.priceCollar / PRICE_ONE}`
    : null;
