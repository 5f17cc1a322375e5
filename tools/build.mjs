/**
 * Compiles src/ and strategies/ into dist/ when they differ from what dist/ was made of; `--force` always does.
 * Each run compiles into a directory of its own and swaps it in whole, so outputs of deleted sources do not
 * linger, a failed build leaves the last good one, and runs at the same time cannot mix their files.
 * A strategy that does not compile fails when it is loaded, so that it stops neither `kill` nor any other bot.
 * Stdout stays empty: it belongs to the results of the command that runs next.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCES = ['src', 'strategies', 'tsconfig.json', 'package.json'];
const STAMP = '.sources.sha256';
/** Says what code came of them: a program knows by it whether it was changed since. */
const CODE_STAMP = '.code.sha256';
const CODE = ['src', 'strategies'];
/** A build takes seconds; what is older was left by a run that got killed. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Makes dist/ of the project at `root` agree with its sources.
 * @param {string} root
 * @param {{ force: boolean }} options
 * @returns {boolean} false when the sources do not compile, with `force` the strategies, too; the compiler has said why
 *   on stderr
 */
export function build(root, { force }) {
  const paths = SOURCES.flatMap((source) => filesUnder(root, source));
  const fingerprint = fingerprintOf(root, paths);
  const isCurrent = () => !force && stampOf(root) === fingerprint;
  if (isCurrent()) return true;
  process.stderr.write('building ...\n');
  const staging = stagingFor(root);
  try {
    const problems = compile(root, staging);
    if (problems.length > 0 && (force || !problems.every(isInStrategy))) return false;
    leaveOut(problems, staging);
    for (const path of paths) if (isAsset(path)) fs.cpSync(join(root, path), join(staging, path));
    makeExecutable(join(staging, 'src', 'cli', 'main.js'));
    const code = CODE.flatMap((folder) => filesUnder(staging, folder)).filter((path) =>
      /\.[cm]?js$/.test(path),
    );
    fs.writeFileSync(join(staging, CODE_STAMP), fingerprintOf(staging, code));
    fs.writeFileSync(join(staging, STAMP), fingerprint);
    publish(staging, join(root, 'dist'), isCurrent);
    return true;
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/** @param {string} root  @param {string} path  @returns {string[]} sorted, relative to the root */
function filesUnder(root, path) {
  const found = fs.statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  const names = fs.readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesUnder(root, join(path, name)));
}

/** @param {string} root  @param {string[]} paths  @returns {string} a hash over path and content of each */
function fingerprintOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = fs.readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} root  @returns {string | null} the fingerprint dist/ was made of; null when there is none */
function stampOf(root) {
  try {
    return fs.readFileSync(join(root, 'dist', STAMP), 'utf8');
  } catch {
    return null;
  }
}

/** @param {string} root  @returns {string} an empty directory of this run alone, on the file system of dist/ */
function stagingFor(root) {
  const parent = join(root, '.build');
  fs.mkdirSync(parent, { recursive: true });
  for (const name of fs.readdirSync(parent)) discardAbandoned(join(parent, name));
  const staging = join(parent, `${process.pid}-${Date.now()}`);
  fs.mkdirSync(staging);
  return staging;
}

/** @param {string} path */
function discardAbandoned(path) {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found === undefined || Date.now() - found.mtimeMs < ABANDONED_AFTER_MS) return;
  fs.rmSync(path, { recursive: true, force: true });
}

/** @param {string} root  @param {string} outDir  @returns {string[]} what the compiler objects to; it is on stderr, too */
function compile(root, outDir) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json', '--outDir', outDir], {
    cwd: root,
    stdio: ['ignore', 'pipe', process.stderr.fd],
    encoding: 'utf8',
  });
  if (run.error !== undefined) process.stderr.write(`cannot run the compiler: ${run.error.message}\n`);
  if (run.status === 0) return [];
  process.stderr.write(run.stdout ?? '');
  const problems = (run.stdout ?? '').split('\n').filter((line) => /^\S/.test(line));
  return problems.length > 0 ? problems : ['the compiler failed'];
}

const STRATEGY_PROBLEM = /^(strategies\/.*)\.ts\(\d+,\d+\): error /;

/** @param {string} problem */
const isInStrategy = (problem) => STRATEGY_PROBLEM.test(problem);

/** Instead of each strategy that does not compile stands one that says so. @param {string[]} problems @param {string} outDir */
function leaveOut(problems, outDir) {
  for (const name of new Set(problems.map((problem) => STRATEGY_PROBLEM.exec(problem)?.[1]))) {
    const its = problems.filter((problem) => problem.startsWith(`${name}.ts(`)).join('\n');
    fs.writeFileSync(join(outDir, `${name}.js`), `throw new SyntaxError(${JSON.stringify(its)});\n`);
  }
}

/** What the running program reads beside its code, such as the pages of the dashboard. @param {string} path */
const isAsset = (path) => path.startsWith(join('src', '/')) && !path.endsWith('.ts');

/** @param {string} command */
function makeExecutable(command) {
  if (fs.existsSync(command)) fs.chmodSync(command, 0o755);
}

/**
 * Swaps `staging` in as `target`. When another run publishes between our two renames, the second one finds a
 * full directory, and the swap is tried again.
 * @param {string} staging
 * @param {string} target
 * @param {() => boolean} isCurrent  whether another run has published the same sources meanwhile
 */
function publish(staging, target, isCurrent) {
  const retired = `${staging}-retired`;
  while (!isCurrent()) {
    tolerating(['ENOENT'], () => fs.renameSync(target, retired));
    fs.rmSync(retired, { recursive: true, force: true });
    if (tolerating(['ENOTEMPTY', 'EEXIST'], () => fs.renameSync(staging, target))) return;
  }
}

/** @param {string[]} codes  @param {() => void} act  @returns {boolean} whether `act` went through */
function tolerating(codes, act) {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return false;
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const built = build(dirname(import.meta.dirname), { force: process.argv.includes('--force') });
  process.exitCode = built ? 0 : 1;
}
