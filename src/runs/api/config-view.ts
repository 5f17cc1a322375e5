import type { StrategyInstance } from '../../core/strategy/instance.js';
import {
  changedParameters,
  checkParameters,
  type ParameterDeclarations,
} from '../../core/strategy/parameters.js';
import type { ConfigJson } from '../../ops/http/contract.js';
import { createRedactor } from '../../ops/telemetry/redaction.js';
import { type BotSettings, type Loaded, loadKeylessSettings } from '../../settings/index.js';
import { differingValues } from '../live/configured-values.js';
import { secretsOf } from '../secrets.js';

/** What a bot runs with, and what of its file is another by now. @param privateKey for the redaction alone */
export function configView(
  inUse: Loaded<BotSettings>,
  instances: readonly StrategyInstance[],
  privateKey: string | null,
): ConfigJson {
  const { settings, source } = inUse;
  const redactor = createRedactor(secretsOf(settings, privateKey));
  const given = { file: source.file, inUse: redactor.value(settings) };
  try {
    const onDisk = loadKeylessSettings(source.file, process.env, source.overrides);
    const both = createRedactor([...secretsOf(settings, privateKey), ...secretsOf(onDisk.settings, null)]);
    const differing = differences(inUse, onDisk, instances);
    return { ...given, differences: both.value(differing) as typeof differing, problem: null };
  } catch (error) {
    return { ...given, differences: [], problem: redactor.text((error as Error).message) };
  }
}

function differences(
  inUse: Loaded<BotSettings>,
  onDisk: Loaded<BotSettings>,
  instances: readonly StrategyInstance[],
): ConfigJson['differences'] {
  const fixed = differingValues(inUse, onDisk).map(({ path, inUse: now, given }) => ({
    path,
    inUse: now?.value ?? null,
    onDisk: given?.value ?? null,
  }));
  const tuned = onDisk.settings.instances.flatMap(({ name, params, modifiers }) => {
    const running = instances.find((one) => one.name === name);
    if (running === undefined) return [];
    const own = changed(`${name}.`, running.strategy.params, running.parameters, params);
    const others = modifiers.flatMap(({ modifier, params: given }, place) => {
      const now = running.modifiers[place];
      return now?.modifier.name === modifier
        ? changed(`${name}.${modifier}.`, now.modifier.params, now.parameters, given)
        : [];
    });
    return [...own, ...others];
  });
  return [...fixed, ...tuned];
}

type Values = Readonly<Record<string, unknown>>;

/** Compares what a strategy would be given: the file may write a number as text, and leave defaults out. */
function changed(
  prefix: string,
  declared: ParameterDeclarations,
  inUse: Values,
  onDisk: Values,
): ConfigJson['differences'] {
  const told = (path: string, now: unknown, given: string | undefined) => ({
    path,
    inUse: JSON.stringify(now) ?? null,
    onDisk: given ?? null,
  });
  const check = checkParameters(declared, onDisk);
  return check.ok
    ? changedParameters(declared, inUse, check.values, prefix).map(({ name, before, after }) =>
        told(name, before, JSON.stringify(after)),
      )
    : check.issues.map(({ name, found, expected }) =>
        told(`${prefix}${name}`, inUse[name], `${JSON.stringify(found)}, expected ${expected}`),
      );
}
