import type { InstanceFigures, SettingFigures } from '../../../analytics/analysis.js';
import type { RiskLimits } from '../../../domain/risk-limits.js';
import { MONEY_ONE, PRICE_ONE, SHARE_ONE } from '../../../domain/units.js';
import type { ParameterDeclarations } from '../../strategy/parameters.js';
import type { EngineOptions, QuotingInstance } from '../options.js';

/** What instances run with now, with what their declarations and the defaults of the file fill in. */
export const describedInstances = ({
  instances,
  terms,
}: Pick<EngineOptions, 'instances' | 'terms'>): readonly InstanceFigures[] =>
  instances.map(({ instance, markets, limits }) => ({
    name: instance.name,
    strategy: instance.strategy.name,
    markets: markets.length,
    parameters: parametersOf(instance, terms.currency),
    limits: limitsOf(limits, terms.currency),
  }));

function parametersOf(
  { strategy, parameters, modifiers }: QuotingInstance['instance'],
  currency: string,
): readonly SettingFigures[] {
  const own = settingsOf('', strategy.params, parameters, currency);
  const laidOver = modifiers.flatMap(({ modifier, parameters: values }) =>
    settingsOf(`${modifier.name}.`, modifier.params, values, currency),
  );
  return [...own, ...laidOver];
}

const settingsOf = (
  prefix: string,
  declared: ParameterDeclarations,
  values: Readonly<Record<string, unknown>>,
  currency: string,
): readonly SettingFigures[] =>
  Object.entries(declared).map(([name, declaration]) => {
    const unit = declaration.type === 'number' ? declaration.unit : '';
    return { name: prefix + name, value: shown(values[name]), unit: unit === 'currency' ? currency : unit };
  });

type Value = SettingFigures['value'];

/** Lists and records as JSON. */
const shown = (value: unknown): Value =>
  value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
    ? value
    : (JSON.stringify(value) ?? null);

/** Which of them are counted in what; all others as they are. */
const SCALES: Readonly<Record<string, readonly [scale: number, unit: string]>> = {
  maxOrderShares: [SHARE_ONE, 'shares'],
  maxOrderAmount: [MONEY_ONE, 'currency'],
  maxPositionShares: [SHARE_ONE, 'shares'],
  maxEventLoss: [MONEY_ONE, 'currency'],
  maxCategoryLoss: [MONEY_ONE, 'currency'],
  maxAccountLoss: [MONEY_ONE, 'currency'],
  maxLocked: [MONEY_ONE, 'currency'],
  maxLoss: [MONEY_ONE, 'currency'],
  maxDrawdown: [MONEY_ONE, 'currency'],
  maxTakenAmount: [MONEY_ONE, 'currency an hour'],
  taking: [MONEY_ONE, 'currency an hour'],
  priceCollar: [PRICE_ONE, 'probability'],
  ordersPerMinute: [1, 'orders a minute'],
  'fillBreaker.windowMs': [1, 'ms'],
  'fillBreaker.maxShares': [SHARE_ONE, 'shares'],
  'fillBreaker.maxAmount': [MONEY_ONE, 'currency'],
  'fillBreaker.coolDownMs': [1, 'ms'],
  'fillBreaker.stepMs': [1, 'ms'],
  'markOut.horizonMs': [1, 'ms'],
  'markOut.maxLoss': [PRICE_ONE, 'probability a share'],
};

function limitsOf(limits: RiskLimits, currency: string): readonly SettingFigures[] {
  const { fillBreaker, markOut, ...others } = limits;
  const parts = { ...others, ...prefixed('fillBreaker', fillBreaker), ...prefixed('markOut', markOut) };
  return Object.entries(parts).map(([name, value]) => {
    const [scale, unit] = SCALES[name] ?? [1, ''];
    return {
      name,
      value: typeof value === 'number' ? value / scale : value,
      unit: unit.replace('currency', currency),
    };
  });
}

const prefixed = (prefix: string, values: object): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, shown(value)]));
