/** What a command prints reaches a slow reader whole. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { configurationJsonSchema } from '../../src/settings/index.js';

const PROGRAM = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

it('a command ends once whoever reads its output has taken all of it', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'config', 'schema'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8');
  // More than a pipe holds is still to come when the command has said everything.
  await new Promise<void>((resolve) => child.stdout.once('readable', resolve));
  let text = '';
  child.stdout.on('data', (part: string) => (text += part));
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
  expect(JSON.parse(text)).toEqual(configurationJsonSchema());
  expect(exit).toBe(0);
});
