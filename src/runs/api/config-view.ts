import type { StrategyInstance } from '../../core/strategy/instance.js';
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
    const own = changed(`${name}.`, running.parameters, params);
    const others = modifiers.flatMap(({ modifier, params: given }, place) =>
      changed(`${name}.${modifier}.`, running.modifiers[place]?.parameters ?? {}, given),
    );
    return [...own, ...others];
  });
  return [...fixed, ...tuned];
}

type Values = Readonly<Record<string, unknown>>;

const changed = (prefix: string, inUse: Values, onDisk: Values): ConfigJson['differences'] =>
  Object.entries(onDisk)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(inUse[name]))
    .map(([name, value]) => ({
      path: `${prefix}${name}`,
      inUse: JSON.stringify(inUse[name]) ?? null,
      onDisk: JSON.stringify(value),
    }));
