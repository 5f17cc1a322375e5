/** The client in the guide of the exchange, run as it stands against the exchange that the guide starts. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { pageText } from '../support/project/documents.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const [, client = ''] = /```js\n(.*?)```/s.exec(pageText('docs/guides/exchange.md')) ?? [];

/** @returns where the exchange of `config/exchange.yaml` listens, on a free port */
async function startExchange(): Promise<string> {
  const parameters = ['dist/src/cli/main.js', 'exchange', 'config/exchange.yaml', '--port', '0', '--json'];
  const exchange = spawn(process.execPath, parameters, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    exchange.kill('SIGTERM');
    await once(exchange, 'exit');
  });
  const [line] = (await once(createInterface(exchange.stdout), 'line')) as [string];
  return (JSON.parse(line) as { rest: string }).rest;
}

it('the client of the guide places an order on the exchange of the guide', async () => {
  const rest = await startExchange();
  const file = join(scratchFolder(), 'place-order.mjs');
  writeFileSync(file, client);
  const { stdout } = spawnSync(process.execPath, [file, rest], { encoding: 'utf8' });
  expect(stdout).toMatch(
    /^201 \{"id":\d+,"market":2231,"side":"bid",.*"status":"(open|filled|partial_filled)"/,
  );
});
