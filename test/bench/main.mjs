/**
 * `npm run bench -- <name> [options]`: runs `test/bench/<name>/bench.ts`. Stdout carries JSON lines only.
 *
 * A bench exports `run(args)`, which prints its figures, and `job(job)`, which does one measurement; `fresh` of
 * `processes.ts` runs a job in a process of its own through `--job <json>` here and gets its result as JSON.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [name = '', ...args] = process.argv.slice(2);
const file = join(import.meta.dirname, name, 'bench.ts');

async function main() {
  await import('./built-program.mjs');
  const bench = await import(file);
  if (args[0] === '--job')
    process.stdout.write(`${JSON.stringify(await bench.job(JSON.parse(args[1] ?? '')))}\n`);
  else await bench.run(args);
}

/** @param {string} text  @param {number} exitCode */
function fail(text, exitCode) {
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}

if (name === '' || !existsSync(file)) {
  const entries = readdirSync(import.meta.dirname, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  fail(`there is no bench "${name}"; there are ${names.join(', ')}`, 2);
} else {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const usage = 'code' in error && error.code === 'ODDSMITH_USAGE';
    fail(usage ? error.message : String(error.stack), usage ? 2 : 1);
  }
}
