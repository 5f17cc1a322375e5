/** What became of a canary, on the disk; and the file that takes its parameters over, or forgets them. */
import { chmodSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isSeq, parseDocument, visit, type YAMLMap } from 'yaml';
import { z } from 'zod';
import { UsageError } from '../../domain/errors.js';
import {
  type BotSettings,
  type CanarySettings,
  checkBotSettings,
  SettingsError,
  SettingsSource,
} from '../../settings/index.js';
import { makeFolder, replaceFile } from '../../storage/files/whole-files.js';
import { strategyProblems } from '../strategies/instances.js';
import type { CanaryVerdict } from './judgement.js';

const OUTCOME = z.object({
  runId: z.string(),
  instance: z.string(),
  params: z.record(z.string(), z.unknown()),
  outcome: z.enum(['better', 'worse', 'undecided']),
  text: z.string(),
});
export type CanaryOutcome = z.infer<typeof OUTCOME>;

const fileOf = ({ stateDir }: Pick<BotSettings, 'stateDir'>): string =>
  join(stateDir, 'canary', 'latest.json');

export function keepOutcome(
  settings: Pick<BotSettings, 'stateDir'>,
  runId: string,
  { instance, params }: CanarySettings,
  { outcome, text }: CanaryVerdict,
): void {
  makeFolder(join(settings.stateDir, 'canary'));
  const kept: CanaryOutcome = { runId, instance, params, outcome, text };
  replaceFile(fileOf(settings), JSON.stringify(kept));
}

/** The outcome of the last canary, if it tried these very parameters. */
export function outcomeOf(
  settings: Pick<BotSettings, 'stateDir'>,
  { instance, params }: CanarySettings,
): CanaryOutcome | null {
  try {
    const kept = OUTCOME.parse(JSON.parse(readFileSync(fileOf(settings), 'utf8')));
    const isIt = kept.instance === instance && JSON.stringify(kept.params) === JSON.stringify(params);
    return isIt ? kept : null;
  } catch {
    return null;
  }
}

/**
 * Writes the parameters into their instance and removes the section `canary`. Comments stay.
 * @throws UsageError where the file has no such instance, shares its parameters with other places, or would not be accepted
 *   afterwards; an error of the file system
 */
export async function promoteIn(file: string, { instance, params }: CanarySettings): Promise<void> {
  const text = changed(file, (document) => {
    const list = document.get('instances');
    const at = isSeq(list) ? list.items.findIndex((one) => isMap(one) && one.get('name') === instance) : -1;
    if (at < 0) throw new UsageError(`${file} has no instance ${instance}`);
    const path = ['instances', at, 'params'];
    const node = document.getIn(path, true);
    if (node !== undefined && (!isMap(node) || isShared(node)))
      throw new UsageError(
        `${file}: params of ${instance} are no map of their own (expected one without anchors and aliases): change them by hand`,
      );
    for (const [name, value] of Object.entries(params))
      document.setIn([...path, name], document.createNode(value));
    document.delete('canary');
  });
  await refuseUnusable(file, text);
  write(file, text);
}

/** Removes the section `canary`. @throws UsageError where other places refer to it; an error of the file system */
export const rollBackIn = (file: string): void =>
  write(
    file,
    changed(file, (document) => void document.delete('canary')),
  );

function changed(file: string, change: (document: ReturnType<typeof parseDocument>) => void): string {
  const document = parseDocument(readFileSync(file, 'utf8'));
  change(document);
  try {
    return document.toString({ lineWidth: 0 });
  } catch (cause) {
    const why = (cause as Error).message;
    throw new UsageError(`${file} stays as it is: ${why}; change it by hand`, { cause });
  }
}

/** Whether something of it is defined elsewhere, or meant elsewhere, too. */
function isShared(node: YAMLMap): boolean {
  let found = false;
  visit(node, {
    Alias: () => void (found = true),
    Value: (_key, { anchor }) => void (found ||= anchor !== undefined),
  });
  return found;
}

/** What `oddsmith config check` would say of the values. */
async function refuseUnusable(file: string, text: string): Promise<void> {
  try {
    const source = SettingsSource.parse(text, file, process.env, [], 'no keys');
    checkBotSettings(source);
    const problems = await strategyProblems(source);
    if (problems.length > 0) throw new SettingsError(file, problems);
  } catch (cause) {
    if (!(cause instanceof SettingsError)) throw cause;
    throw new UsageError(`${file} stays as it is; with the new parameters: ${cause.message}`, { cause });
  }
}

/** Whoever could read the file still can. */
function write(file: string, text: string): void {
  const path = realpathSync(file);
  const { mode } = statSync(path);
  replaceFile(path, text);
  chmodSync(path, mode & 0o777);
}
