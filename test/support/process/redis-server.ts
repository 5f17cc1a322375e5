import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.js';
import { scratchFolder } from '../disk/scratch-folder.js';

const PROGRAM = '/usr/bin/redis-server';

/** Whether Debian's redis-server is installed; a suite that runs without it says so. */
export const hasRedis = existsSync(PROGRAM);
if (!hasRedis) process.stdout.write(`skipped: ${PROGRAM} is not there, no sweep goes over Redis\n`);

export interface RedisServer {
  /** Without credentials. */
  readonly url: string;
  readonly port: number;
  /** Ends it at once, and everything that it knew. */
  readonly kill: () => Promise<void>;
}

/**
 * A Redis of its own, on a free port, that writes nothing to a disk; it ends with the test.
 * @param settings as on its command line, such as `--requirepass secret`
 * @param port of one that was killed, for one in its place
 */
export async function startRedis(settings: readonly string[] = [], port?: number): Promise<RedisServer> {
  const chosen = port ?? (await freePort());
  const flags = ['--port', String(chosen), '--bind', '127.0.0.1', '--dir', scratchFolder()];
  const child = spawn(PROGRAM, [...flags, '--save', '', '--appendonly', 'no', ...settings]);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = (): Promise<void> => {
    child.kill('SIGKILL');
    return ended;
  };
  onTestFinished(kill);
  await saysReady(child, ended);
  return { url: `redis://127.0.0.1:${chosen}`, port: chosen, kill };
}

async function saysReady(child: ChildProcess, ended: Promise<void>): Promise<void> {
  let said = '';
  const ready = new Promise<void>((resolve) =>
    child.stdout!.on('data', (text) => {
      said += text;
      if (said.includes('Ready to accept connections')) resolve();
    }),
  );
  const early = ended.then(() => Promise.reject(new Error(`redis-server ended:\n${said}`)));
  early.catch(() => undefined);
  await Promise.race([ready, early]);
}
