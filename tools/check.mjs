/**
 * Every structural check of the house, one line each: `npm run check`, or `npm run check -- types lint`.
 * Exit code 1 when any fails; the output of those that fail is printed in full.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/**
 * What each check runs, from the project's root.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const CHECKS = {
  types: ['node_modules/typescript/bin/tsc', '-p', 'test/tsconfig.json'],
  lint: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  format: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'],
  layers: ['tools/layers.mjs'],
  house: ['tools/house.mjs'],
  walks: ['test/walk/main.mjs', '--check'],
  'dead-code': ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'],
};

/** Checks that consist of several, each with a line and a figure of its own. */
export const SPEAKING = ['house', 'walks'];

/**
 * @param {string} name  a key of {@link CHECKS}
 * @param {string} root  the project to check
 * @returns {Promise<{ name: string, passed: boolean, output: string, seconds: number }>}
 */
export function runCheck(name, root) {
  const started = performance.now();
  const child = spawn(process.execPath, [...(CHECKS[name] ?? [])], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((settle, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      // Some tools colour their words where CI is set; whoever looks for a place in the text must find it.
      const plain = stripVTControlCharacters(output);
      settle({ name, passed: code === 0, output: plain, seconds: (performance.now() - started) / 1000 });
    });
  });
}

/** @param {string[]} names */
async function main(names) {
  const unknown = names.filter((name) => !Object.hasOwn(CHECKS, name));
  if (unknown.length > 0) return refuse(unknown);
  const root = resolve(import.meta.dirname, '..');
  const chosen = names.length > 0 ? names : Object.keys(CHECKS);
  const results = await Promise.all(chosen.map((name) => runCheck(name, root).then(report)));
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
}

/** @param {string[]} unknown */
function refuse(unknown) {
  console.error(`no check is called ${unknown.join(', ')}; there are ${Object.keys(CHECKS).join(', ')}`);
  process.exitCode = 2;
}

/** @param {Awaited<ReturnType<typeof runCheck>>} result */
function report(result) {
  console.log(`${result.passed ? 'ok  ' : 'FAIL'} ${result.name.padEnd(9)} ${result.seconds.toFixed(1)} s`);
  if (!result.passed || SPEAKING.includes(result.name)) console.log(result.output.trimEnd());
  return result;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
