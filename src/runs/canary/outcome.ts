/** What became of a canary, on the disk; and the file that takes its parameters over, or forgets them. */
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isSeq, parseDocument } from 'yaml';
import { z } from 'zod';
import { UsageError } from '../../domain/errors.js';
import type { BotSettings, CanarySettings } from '../../settings/index.js';
import { makeFolder, replaceFile } from '../../storage/files/whole-files.js';
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
 * @throws UsageError where the file has no such instance; an error of the file system
 */
export function promoteIn(file: string, { instance, params }: CanarySettings): void {
  changeFile(file, (document) => {
    const list = document.get('instances');
    const at = isSeq(list) ? list.items.findIndex((one) => isMap(one) && one.get('name') === instance) : -1;
    if (at < 0) throw new UsageError(`${file} has no instance ${instance}`);
    for (const [name, value] of Object.entries(params))
      document.setIn(['instances', at, 'params', name], document.createNode(value));
    document.delete('canary');
  });
}

/** Removes the section `canary`. @throws an error of the file system */
export const rollBackIn = (file: string): void =>
  changeFile(file, (document) => void document.delete('canary'));

function changeFile(file: string, change: (document: ReturnType<typeof parseDocument>) => void): void {
  const path = realpathSync(file);
  const document = parseDocument(readFileSync(path, 'utf8'));
  change(document);
  replaceFile(path, document.toString({ lineWidth: 0 }));
}
