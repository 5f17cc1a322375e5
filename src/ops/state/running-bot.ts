/**
 * How the commands of an operator and a running bot find each other: the bot writes down who it is and where it listens. A
 * wish to take over a file is left beside that, and the bot answers there.
 */
import { rmSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import { UsageError } from '../../domain/errors.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import { afterDelay } from '../../storage/clocks/system-clock.js';
import { isGone, parseHeartbeat, readHeartbeatText } from '../../storage/state/heartbeat-file.js';
import { acquireLock } from '../../storage/state/lock-file.js';
import type { StatePaths } from './account-folder.js';
import { textOf } from './risk-file.js';
import { isoTime } from './latches.js';

const RUNNING = z.object({
  runId: z.string(),
  pid: z.int(),
  /** Absolute path of its configuration. */
  file: z.string(),
  /** Such as `http://127.0.0.1:9464`. */
  url: z.string(),
  /** Opens the local API to whoever can read this file. */
  secret: z.string(),
});
export type Running = z.infer<typeof RUNNING>;

const REQUEST = z.object({ id: z.string(), by: z.string(), file: z.string(), isTrial: z.boolean() });
const ANSWER = z.object({
  id: z.string(),
  problem: z.string().nullable(),
  changes: z.array(z.string()),
  refused: z.array(z.string()),
  isApplied: z.boolean(),
});

/** What came of a wish to take over a file. */
export interface ReloadAnswer {
  /** Why the file cannot be used, with its place; null: it can. */
  readonly problem: string | null;
  readonly changes: readonly string[];
  /** What cannot be changed while the bot runs: then nothing is. */
  readonly refused: readonly string[];
  readonly isApplied: boolean;
}

const filesIn = ({ folder }: Pick<StatePaths, 'folder'>) => ({
  running: join(folder, 'running.json'),
  request: join(folder, 'reload.json'),
  answer: join(folder, 'reloaded.json'),
  lock: join(folder, 'reload.lock'),
});

export interface RunningFileOptions {
  readonly paths: StatePaths;
  readonly running: Running;
  readonly logger: Pick<Logger, 'warn'>;
  readonly reload: (file: string, by: string, isTrial: boolean) => Promise<ReloadAnswer>;
}

/** The side of the bot. */
export class RunningFile {
  readonly #files: ReturnType<typeof filesIn>;

  /** What a request before this run asked for is not done. */
  constructor(private readonly options: RunningFileOptions) {
    this.#files = filesIn(options.paths);
    this.#attempt(() => rmSync(this.#files.request, { force: true }));
    this.#attempt(() => replaceFile(this.#files.running, JSON.stringify(options.running)));
  }

  /** Called with every beat. */
  review(): void {
    this.#attempt(() => {
      const text = textOf(this.#files.request);
      if (text === null) return;
      rmSync(this.#files.request, { force: true });
      const { id, by, file, isTrial } = REQUEST.parse(JSON.parse(text));
      void this.options
        .reload(file, by, isTrial)
        .catch((error: unknown) => ({
          problem: `the bot failed to read it: ${String(error)}`,
          changes: [],
          refused: [],
          isApplied: false,
        }))
        .then((answer) =>
          this.#attempt(() => replaceFile(this.#files.answer, JSON.stringify({ ...answer, id }))),
        );
    });
  }

  close(): void {
    this.#attempt(() => rmSync(this.#files.running, { force: true }));
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      const { paths, logger } = this.options;
      logger.warn('commands cannot reach this bot: a file in its folder is not as it should be', {
        folder: paths.folder,
        err: error,
      });
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

/** @throws UsageError where none runs, or several do */
export function onlyBot(bots: readonly RunningBot[], file: string): RunningBot {
  const [bot, other] = bots;
  if (bot === undefined) throw new UsageError(`no bot of ${file} runs here`);
  if (other === undefined) return bot;
  throw new UsageError(
    `several bots may be meant: ${bots.map(({ paths }) => paths.folder).join(', ')}. Name one with --shard, or stop all but one`,
  );
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

/**
 * Who runs this process, in plain characters. A user of a container may have no name.
 * @param look replaced in tests
 */
export function userName(look: () => string = () => userInfo().username): string {
  try {
    const name = look()
      .replaceAll(/[^\x20-\x7e]/gu, '?')
      .slice(0, 60);
    if (name !== '') return name;
  } catch {
    // The number of the user is told instead.
  }
  return `uid ${process.getuid?.()}`;
}

/** Who runs this process, for the log of a bot. */
export const whoAsks = (clock: Pick<Clock, 'now'>): string =>
  `${userName()}@${hostname()} at ${isoTime(clock.now())}`;

const ANSWER_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 50;

/**
 * Asks a running bot to take over a file, and waits for its answer.
 * @throws UsageError when it does not answer; LockHeldError while another such command waits
 */
export async function requestReload(
  { paths }: RunningBot,
  { file, by, isTrial }: { readonly file: string; readonly by: string; readonly isTrial: boolean },
): Promise<ReloadAnswer> {
  const files = filesIn(paths);
  const lock = acquireLock(files.lock, 'oddsmith reload');
  try {
    const id = randomUUID();
    replaceFile(files.request, JSON.stringify({ id, by, file, isTrial }));
    return await answerTo(id, files.answer);
  } finally {
    rmSync(files.request, { force: true });
    lock.release();
  }
}

async function answerTo(id: string, path: string): Promise<ReloadAnswer> {
  for (let waited = 0; waited < ANSWER_WITHIN_MS; waited += LOOK_EVERY_MS) {
    const text = textOf(path);
    if (text !== null) {
      const answer = ANSWER.parse(JSON.parse(text));
      if (answer.id === id) return answer;
    }
    await new Promise<void>((resolve) => void afterDelay(LOOK_EVERY_MS, resolve));
  }
  throw new UsageError(
    `the bot did not answer within ${ANSWER_WITHIN_MS / 1_000} s; it may still take the file over, and its log says so`,
  );
}
