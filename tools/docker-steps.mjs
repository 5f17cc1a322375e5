/**
 * Does what the Dockerfile says, without a container engine: copies what it copies, runs what it runs, in a temporary folder, and
 * in the end the program with its health check. `node tools/docker-steps.mjs [file]`; exit code 1 when a step fails.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {{ word: string, text: string }} Step
 * @typedef {{ name: string, from: string, steps: Step[] }} Stage
 */

/** What only an engine does; the script shows it and goes on. */
const OF_THE_ENGINE = ['VOLUME', 'USER', 'STOPSIGNAL', 'EXPOSE', 'LABEL'];
const KNOWN = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD', ...OF_THE_ENGINE];

/**
 * @param {string} text  of a Dockerfile
 * @returns {Stage[]}
 * @throws {Error} for an instruction that is not understood
 */
export function stagesOf(text) {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  /** @type {Stage[]} */
  const stages = [];
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (!KNOWN.includes(word)) throw new Error(`expected one of ${KNOWN.join(', ')}, found: ${line}`);
    if (word !== 'FROM') {
      stages.at(-1)?.steps.push({ word, text: rest });
      continue;
    }
    const [, from = '', name = `stage ${stages.length}`] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
    stages.push({ name, from, steps: [] });
  }
  return stages;
}

/**
 * Files that a COPY from the context names and that are not there, or that .dockerignore keeps out.
 * @param {string} root
 * @param {Stage[]} stages
 */
export function missingFiles(root, stages) {
  const kept = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  const isKept = (/** @type {string} */ name) =>
    kept.some((one) => one === name || one.startsWith(`${name}/`) || name.startsWith(`${one}/`));
  return stages
    .flatMap(({ steps }) => steps)
    .filter(({ word, text }) => word === 'COPY' && !text.startsWith('--from='))
    .flatMap(({ text }) => text.split(/\s+/).slice(0, -1))
    .filter((name) => !existsSync(join(root, name)) || !isKept(name));
}

/** @param {string} file */
async function main(file) {
  const root = dirname(resolve(file));
  const stages = stagesOf(readFileSync(file, 'utf8'));
  const work = mkdtempSync(join(tmpdir(), 'docker-steps-'));
  try {
    for (const stage of stages) build(stage, { root, work, stages });
    const last = stages.at(-1);
    if (last !== undefined) await start(last, join(work, last.name, workdirOf(last, stages)));
    console.log('ok   every step of the image');
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {Stage} stage
 * @param {{ root: string, work: string, stages: Stage[] }} place
 */
function build(stage, { root, work, stages }) {
  const folder = join(work, stage.name);
  if (stages.some(({ name }) => name === stage.from))
    cpSync(join(work, stage.from), folder, { recursive: true, verbatimSymlinks: true });
  let at = join(folder, workdirOf(stage, stages));
  for (const { word, text } of stage.steps) {
    console.log(`${stage.name}: ${word} ${text}`);
    if (word === 'WORKDIR') at = join(folder, text);
    mkdirSync(at, { recursive: true });
    if (word === 'COPY') copy(text, { root, work, at });
    if (word === 'RUN') run(text, at, work);
  }
}

/**
 * The folder in which a stage begins: that of the stage it is made of.
 * @param {Stage} stage
 * @param {Stage[]} stages
 * @returns {string}
 */
function workdirOf({ from }, stages) {
  const below = stages.find(({ name }) => name === from);
  if (below === undefined) return '/';
  return below.steps.findLast(({ word }) => word === 'WORKDIR')?.text ?? workdirOf(below, stages);
}

/**
 * @param {string} text
 * @param {{ root: string, work: string, at: string }} place
 */
function copy(text, { root, work, at }) {
  const [, stage, rest = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
  const names = rest.split(/\s+/);
  const target = names.pop() ?? '.';
  for (const name of names) {
    const source = stage === undefined ? join(root, name) : join(work, stage, name);
    const isFolder = target.endsWith('/');
    cpSync(source, join(at, target, isFolder ? basename(name) : ''), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

/**
 * @param {string} command
 * @param {string} at
 * @param {string} work
 */
function run(command, at, work) {
  const bin = join(work, 'bin');
  if (!existsSync(bin)) {
    mkdirSync(bin);
    // The user of the image is not there outside of it.
    writeFileSync(join(bin, 'chown'), '#!/bin/sh\necho "skipped: chown $*"\n');
    chmodSync(join(bin, 'chown'), 0o755);
  }
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  const { status } = spawnSync('/bin/sh', ['-c', command], { cwd: at, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`RUN ${command}: exit code ${status}`);
}

/**
 * Runs the image's command until its health check passes, and stops it with the image's signal.
 * @param {Stage} stage
 * @param {string} cwd
 */
async function start({ steps }, cwd) {
  const textOf = (/** @type {string} */ word) => steps.findLast((one) => one.word === word)?.text ?? '';
  const listOf = (/** @type {string} */ text) => /** @type {string[]} */ (JSON.parse(text));
  const words = [...listOf(textOf('ENTRYPOINT')), ...listOf(textOf('CMD')), '--json'];
  const program = words.shift() ?? '';
  const [, check = '[]'] = /CMD (\[.*\])$/.exec(textOf('HEALTHCHECK')) ?? [];
  const env = { ...process.env, XDG_STATE_HOME: join(cwd, '.oddsmith', 'user') };
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'inherit', 'ignore'] });
  const ended = new Promise((settle) => child.once('exit', settle));
  const given = listOf(check);
  const probe = given.shift() ?? '';
  let isHealthy = false;
  for (let attempt = 0; attempt < 60 && !isHealthy && child.exitCode === null; attempt += 1) {
    await pause(500);
    isHealthy = spawnSync(probe, given, { cwd }).status === 0;
  }
  child.kill(/** @type {NodeJS.Signals} */ (textOf('STOPSIGNAL') || 'SIGTERM'));
  const code = await ended;
  if (!isHealthy || code !== 0)
    throw new Error(
      `expected a healthy program that ends with 0, found ${isHealthy ? 'a healthy' : 'an unhealthy'} one that ended with ${String(code)}`,
    );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main(process.argv[2] ?? 'Dockerfile');
  } catch (error) {
    console.error(`FAIL ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
