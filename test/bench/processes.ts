import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** What a process of a bench imports before anything else: `--import` takes its address. */
export const BUILT_PROGRAM = import.meta.resolve('./built-program.mjs');
/**
 * Node's options, as `npm start` gives them to the program: room for young objects, so that what lives for one request
 * is not copied, and one thread that compiles.
 */
export const NODE_OPTIONS = ['--max-semi-space-size=64', '--v8-pool-size=1'] as const;

/**
 * Runs a job of a bench in a fresh process.
 * @param flags of node; none: its defaults
 * @returns what the bench's `job` returned, through JSON
 * @throws Error when the process fails; its stderr has gone to ours
 */
export async function fresh<Result>(
  bench: string,
  job: object,
  flags: readonly string[] = NODE_OPTIONS,
): Promise<Result> {
  const args = [...flags, join(import.meta.dirname, 'main.mjs'), bench, '--job', JSON.stringify(job)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((settle, fail) => {
    child.on('error', fail);
    child.on('close', settle);
  });
  if (code !== 0) throw new Error(`a job of bench ${bench} ended with ${code}: ${JSON.stringify(job)}`);
  return JSON.parse(output) as Result;
}
