/**
 * How `oddsmith apply` and a running bot find each other: the bot writes down what it runs with, the command leaves its
 * request beside it, and the bot answers there.
 */
import { rmSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import type { StrategyInstance } from '../../core/strategy/instance.js';
import { UsageError } from '../../domain/errors.js';
import type { OperatorCommand, ParameterChange } from '../../domain/inputs.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import { afterDelay } from '../../storage/clocks/system-clock.js';
import { isGone, parseHeartbeat, readHeartbeatText } from '../../storage/state/heartbeat-file.js';
import { acquireLock } from '../../storage/state/lock-file.js';
import type { StatePaths } from './account-folder.js';
import { textOf } from './risk-file.js';
import { isoTime } from './latches.js';

const VALUES = z.record(z.string(), z.json());
const RUNNING = z.object({
  runId: z.string(),
  /** Where its local API is: `http://127.0.0.1:9464`. */
  url: z.string(),
  pid: z.int(),
  /** What cannot be changed while running, by its path in the file. */
  fixed: z.record(z.string(), z.object({ value: z.string(), written: z.string().nullable() })),
  /** Parameters of each instance in force, and of its modifiers. */
  instances: z.record(z.string(), z.object({ params: VALUES, modifiers: z.array(VALUES) })),
});
export type Running = z.infer<typeof RUNNING>;

const REQUEST = z.object({
  id: z.string(),
  by: z.string(),
  changes: z.array(z.object({ instance: z.string(), params: VALUES, modifiers: z.array(VALUES) })),
});
const ANSWER = z.object({ id: z.string(), problem: z.string().nullable() });

const filesIn = ({ folder }: Pick<StatePaths, 'folder'>) => ({
  running: join(folder, 'running.json'),
  request: join(folder, 'apply.json'),
  answer: join(folder, 'applied.json'),
  lock: join(folder, 'apply.lock'),
});

export interface ParameterChangesOptions {
  readonly paths: StatePaths;
  readonly runId: string;
  readonly url: string;
  readonly fixed: Running['fixed'];
  readonly instances: readonly StrategyInstance[];
  readonly logger: Pick<Logger, 'warn'>;
  /** Takes effect before it returns. */
  readonly command: (command: OperatorCommand) => void;
}

/** The side of the bot. */
export class ParameterChanges {
  readonly #files: ReturnType<typeof filesIn>;

  /** What a request before this run asked for is not done. */
  constructor(private readonly options: ParameterChangesOptions) {
    this.#files = filesIn(options.paths);
    this.#attempt(() => rmSync(this.#files.request, { force: true }));
    this.#tell();
  }

  /** Called with every beat. */
  review(): void {
    this.#attempt(() => {
      const text = textOf(this.#files.request);
      if (text === null) return;
      rmSync(this.#files.request, { force: true });
      const { id, by, changes } = REQUEST.parse(JSON.parse(text));
      const problem = this.#carryOut(by, changes);
      this.#tell();
      replaceFile(this.#files.answer, JSON.stringify({ id, problem }));
    });
  }

  close(): void {
    this.#attempt(() => rmSync(this.#files.running, { force: true }));
  }

  #carryOut(by: string, changes: readonly ParameterChange[]): string | null {
    const { instances, command } = this.options;
    command({ kind: 'command', command: 'configure', by, events: [], instances: changes, leaving: [] });
    const missed = changes.flatMap((change) => {
      const { issues, differences } = instances.find(({ name }) => name === change.instance)!.judge(change);
      return [...issues.map(({ name }) => name), ...differences.map(({ name }) => name)];
    });
    return missed.length === 0 ? null : `the bot did not take over ${missed.join(', ')}; its log says why`;
  }

  #tell(): void {
    const { runId, url, fixed, instances } = this.options;
    const running = {
      runId,
      url,
      pid: process.pid,
      fixed,
      instances: Object.fromEntries(
        instances.map(({ name, parameters, modifiers }) => [
          name,
          { params: parameters, modifiers: modifiers.map((use) => use.parameters) },
        ]),
      ),
    };
    this.#attempt(() => replaceFile(this.#files.running, JSON.stringify(running)));
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.options.logger.warn(
        'oddsmith apply cannot reach this bot: a file in its folder is not as it should be',
        {
          folder: this.options.paths.folder,
          err: error,
        },
      );
    }
  }
}

export interface RunningBot {
  readonly paths: StatePaths;
  readonly running: Running;
}

/** The bots that run now, of these accounts. */
export function runningBots(places: readonly StatePaths[]): readonly RunningBot[] {
  return places.flatMap((paths) => {
    const heartbeat = parseHeartbeat(readHeartbeatText(paths.heartbeat) ?? '');
    const text = textOf(filesIn(paths).running);
    if (heartbeat === null || heartbeat.ended !== null || isGone(heartbeat) || text === null) return [];
    const running = runningIn(text, paths);
    return running.runId === heartbeat.runId ? [{ paths, running }] : [];
  });
}

function runningIn(text: string, { folder }: StatePaths): Running {
  try {
    return RUNNING.parse(JSON.parse(text));
  } catch (cause) {
    throw new UsageError(
      `running.json in ${folder} cannot be read: restart the bot, which reads its file then`,
      {
        cause,
      },
    );
  }
}

const ANSWER_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * Asks a running bot to take over parameters, and waits for its answer.
 * @returns who asked, as the log of the bot says it
 * @throws UsageError when the bot did not do it; LockHeldError while another such command waits
 */
export async function requestChange(
  { paths }: RunningBot,
  changes: readonly ParameterChange[],
  clock: Clock,
): Promise<string> {
  const files = filesIn(paths);
  const lock = acquireLock(files.lock, 'oddsmith apply');
  try {
    const id = randomUUID();
    const by = `${userInfo().username}@${hostname()} at ${isoTime(clock.now())}`;
    replaceFile(files.request, JSON.stringify({ id, by, changes }));
    const problem = await answerTo(id, files.answer);
    rmSync(files.request, { force: true });
    if (problem !== null) throw new UsageError(problem);
    return by;
  } finally {
    lock.release();
  }
}

async function answerTo(id: string, path: string): Promise<string | null> {
  for (let waited = 0; waited < ANSWER_WITHIN_MS; waited += LOOK_EVERY_MS) {
    const text = textOf(path);
    if (text !== null) {
      const answer = ANSWER.parse(JSON.parse(text));
      if (answer.id === id) return answer.problem;
    }
    await new Promise<void>((resolve) => void afterDelay(LOOK_EVERY_MS, resolve));
  }
  return `the bot did not answer within ${ANSWER_WITHIN_MS / 1_000} s; nothing was asked of it any more, its log says what it does`;
}
