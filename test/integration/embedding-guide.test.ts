/** The program of the guide for embedding, run as it stands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pageText } from '../support/project/documents.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const [, program = ''] = /```js\n(.*?)```/s.exec(pageText('docs/guides/embed.md')) ?? [];

it('the program of the guide for embedding starts a bot, sees orders and ends clean', async () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'oddsmith'));
  writeFileSync(join(folder, 'embedded.mjs'), program);
  const parameters = ['embedded.mjs', join(ROOT, 'config', 'demo.yaml')];
  const child = spawn(process.execPath, parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  await once(child, 'close');
  expect(printed).toBe('clean 0\n');
});
