/**
 * Compiles src/ and strategies/ into dist/ when they differ from what dist/ was made of; `--force` always does.
 * Each run compiles into a directory of its own and swaps it in whole, so outputs of deleted sources do not
 * linger, a failed build leaves the last good one, and runs at the same time cannot mix their files.
 * Stdout stays empty: it belongs to the results of the command that runs next.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCES = ['src', 'strategies', 'tsconfig.json', 'package.json'];
const STAMP = '.sources.sha256';
/** A build takes seconds; what is older was left by a run that got killed. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Makes dist/ of the project at `root` agree with its sources.
 * @param {string} root
 * @param {{ force: boolean }} options
 * @returns {boolean} false when the sources do not compile; the compiler has said why on stderr
 */
export function build(root, { force }) {
  const fingerprint = fingerprintOf(root);
  if (!force && isCurrent(root, fingerprint)) return true;
  process.stderr.write('building ...\n');
  const staging = stagingFor(root);
  try {
    if (!compile(root, staging)) return false;
    finish(staging, fingerprint);
    publish(staging, join(root, 'dist'), () => !force && isCurrent(root, fingerprint));
    return true;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** @param {string} root  @returns {string} a hash over path and content of every source, in sorted order */
function fingerprintOf(root) {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesUnder(root, source))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} root  @param {string} path  @returns {string[]} */
function filesUnder(root, path) {
  const absolute = join(root, path);
  if (!existsSync(absolute)) return [];
  if (!statSync(absolute).isDirectory()) return [path];
  return readdirSync(absolute)
    .sort()
    .flatMap((name) => filesUnder(root, join(path, name)));
}

/** @param {string} root  @param {string} fingerprint */
function isCurrent(root, fingerprint) {
  try {
    return readFileSync(join(root, 'dist', STAMP), 'utf8') === fingerprint;
  } catch {
    return false; // no build yet
  }
}

/** @param {string} root  @returns {string} an empty directory no other run uses, on the same file system as dist/ */
function stagingFor(root) {
  const parent = join(root, '.build');
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > ABANDONED_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
  const staging = join(parent, `${process.pid}-${Date.now()}`);
  mkdirSync(staging);
  return staging;
}

/** @param {string} root  @param {string} outDir */
function compile(root, outDir) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json', '--outDir', outDir], {
    cwd: root,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  if (run.error !== undefined) process.stderr.write(`cannot run the compiler: ${run.error.message}\n`);
  return run.status === 0;
}

/** @param {string} staging  @param {string} fingerprint */
function finish(staging, fingerprint) {
  const command = join(staging, 'src', 'cli', 'main.js');
  if (existsSync(command)) chmodSync(command, 0o755);
  writeFileSync(join(staging, STAMP), fingerprint);
}

/**
 * Swaps `staging` in as `target`. Another run may publish between our two renames: then the last rename finds a
 * full directory, and the swap is tried again.
 * @param {string} staging
 * @param {string} target
 * @param {() => boolean} alreadyThere  whether another run has published the same sources meanwhile
 */
function publish(staging, target, alreadyThere) {
  const retired = `${staging}-retired`;
  while (!alreadyThere()) {
    if (existsSync(target)) moveAway(target, retired);
    try {
      renameSync(staging, target);
      return;
    } catch (error) {
      if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    }
  }
}

/** @param {string} target  @param {string} retired */
function moveAway(target, retired) {
  try {
    renameSync(target, retired);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error; // another run was quicker
  }
  rmSync(retired, { recursive: true, force: true });
}

/** @param {unknown} error  @param {string[]} codes */
function isCode(error, ...codes) {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(import.meta.dirname, '..');
  if (!build(root, { force: process.argv.includes('--force') })) process.exitCode = 1;
}
