/** `oddsmith reload <config.yaml>`: hands a changed file to the bot that runs it. */
import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { statePlaces } from '../../ops/state/account-folder.js';
import { onlyBot, requestReload, runningBots, whoAsks } from '../../ops/state/running-bot.js';
import { loadKeylessSettings } from '../../settings/index.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import { paperOverrides } from '../option-values.js';
import { print, printJson, remark } from '../output.js';

export interface ReloadArguments {
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly paper: boolean;
  readonly shard?: number;
}

/** @throws SettingsError, UsageError for a file that is not valid; UsageError when no bot of it runs */
export async function reloadConfiguration(file: string, given: ReloadArguments): Promise<ExitCode> {
  const { dryRun: isTrial, json } = given;
  const { settings } = loadKeylessSettings(file, process.env, paperOverrides(given));
  const bot = onlyBot(runningBots(statePlaces(settings)), file);
  const by = whoAsks(new SystemClock());
  const answer = await requestReload(bot, { file: resolve(file), by, isTrial });
  const { problem, changes, refused, isApplied } = answer;
  if (json)
    printJson({
      runId: bot.running.runId,
      problem,
      changes,
      refused,
      applied: isApplied,
      by: isApplied ? by : null,
    });
  else {
    if (changes.length > 0) print('changes:', ...changes.map((text) => `  ${text}`));
    if (refused.length > 0)
      remark('cannot be changed while the bot runs:', ...refused.map((text) => `  ${text}`));
    if (problem !== null) remark(problem);
    if (isApplied) print(`applied by ${by}`);
    else if (problem !== null || refused.length > 0) remark('nothing was applied');
    else print(changes.length === 0 ? 'nothing changes' : 'nothing was applied: --dry-run');
  }
  return problem !== null || refused.length > 0 ? EXIT.usage : EXIT.clean;
}
