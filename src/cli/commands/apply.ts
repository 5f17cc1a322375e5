/** `oddsmith apply <config.yaml>`: hands the live parameters of a file to the bot that runs it. */
import type { QuotingInstance } from '../../core/engine/options.js';
import {
  changedParameters,
  differenceText,
  type ParameterDifference,
} from '../../core/strategy/parameters.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import type { ParameterChange } from '../../domain/inputs.js';
import {
  requestChange,
  type Running,
  type RunningBot,
  runningBots,
} from '../../ops/state/parameter-change.js';
import { withKeptSelection } from '../../ops/state/selection-file.js';
import { statePlaces } from '../../ops/state/account-folder.js';
import { venueRulesOf } from '../../runs/backtest/backtest-setup.js';
import { engineOptionsOf } from '../../runs/live/engine-options.js';
import { fixedSettings } from '../../runs/live/fixed-settings.js';
import { loadKeylessSettings } from '../../settings/index.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import { paperOverrides } from '../option-values.js';
import { print, printJson, remark } from '../output.js';

export interface ApplyArguments {
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly paper: boolean;
}

/** @throws SettingsError, UsageError for a file that is not valid; UsageError when no bot of it runs */
export async function applyConfiguration(file: string, given: ApplyArguments): Promise<ExitCode> {
  const { dryRun, json } = given;
  const { settings: stated, source } = loadKeylessSettings(file, process.env, paperOverrides(given));
  const settings = withKeptSelection(stated, statePlaces(stated));
  const random = seededRandom(settings.seed);
  const { instances } = await engineOptionsOf({
    settings,
    source,
    venue: venueRulesOf(settings),
    random,
    runId: 'apply',
  });
  const bot = onlyOne(runningBots(statePlaces(settings)), file);
  const difference = differenceOf(bot.running, fixedSettings({ settings, source }), instances);
  const { changes, refused } = difference;
  const isSent = refused.length === 0 && changes.length > 0 && !dryRun;
  if (!json) show(difference);
  const by = isSent ? await requestChange(bot, changesOf(instances), new SystemClock()) : null;
  if (json) printJson({ runId: bot.running.runId, changes, refused, applied: by !== null, by });
  else if (by !== null) print(`applied by ${by}`);
  else if (refused.length > 0) remark('nothing was applied');
  else print(changes.length === 0 ? 'nothing changes' : 'nothing was applied: --dry-run');
  return refused.length > 0 ? EXIT.usage : EXIT.clean;
}

function onlyOne(bots: readonly RunningBot[], file: string): RunningBot {
  const [bot, other] = bots;
  if (bot === undefined)
    throw new UsageError(`no bot of ${file} runs here; the file is valid, and counts at the next start`);
  if (other === undefined) return bot;
  throw new UsageError(
    `several bots may be meant: ${bots.map(({ paths }) => paths.folder).join(', ')}. Stop all but one`,
  );
}

interface Difference {
  readonly changes: readonly string[];
  readonly refused: readonly string[];
}

function differenceOf(
  running: Running,
  fixed: Running['fixed'],
  instances: readonly QuotingInstance[],
): Difference {
  const keys = [...new Set([...Object.keys(running.fixed), ...Object.keys(fixed)])];
  const others = keys
    .filter((key) => running.fixed[key]?.value !== fixed[key]?.value)
    .map((key) => `${key}: ${said(running.fixed[key])} -> ${said(fixed[key])}: ${AT_THE_START}`);
  // A strategy that is another has other parameters.
  if (others.some((text) => /^(?:instances\.|code of )/.test(text))) return { changes: [], refused: others };
  const changed = instances.flatMap(({ instance }) => {
    const before = running.instances[instance.name]!;
    return [
      ...changedParameters(instance.strategy.params, before.params, instance.parameters),
      ...instance.modifiers.flatMap(({ modifier, parameters }, at) =>
        changedParameters(modifier.params, before.modifiers[at]!, parameters, `${modifier.name}.`),
      ),
    ].map((one): [string, ParameterDifference] => [`${instance.name}.${differenceText(one)}`, one]);
  });
  return {
    changes: changed.flatMap(([text, { live }]) => (live ? [text] : [])),
    refused: [
      ...others,
      ...changed.flatMap(([text, { live }]) =>
        live ? [] : [`${text}: declared live: false; ${AT_THE_START}`],
      ),
    ],
  };
}

/** As a person wrote it. */
const said = (setting: Running['fixed'][string] | undefined): string =>
  setting === undefined ? 'nothing' : (setting.written ?? 'the default');

const AT_THE_START = 'read at the start only, so it takes a restart';

function show({ changes, refused }: Difference): void {
  if (changes.length > 0) print('changes:', ...changes.map((text) => `  ${text}`));
  if (refused.length > 0)
    remark('cannot be changed while the bot runs:', ...refused.map((text) => `  ${text}`));
}

const changesOf = (instances: readonly QuotingInstance[]): readonly ParameterChange[] =>
  instances.map(({ instance: { name, parameters, modifiers } }) => ({
    instance: name,
    params: parameters,
    modifiers: modifiers.map((use) => use.parameters),
  }));
