import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The root of this project. */
export const ROOT = join(import.meta.dirname, '..', '..', '..');

/** What the tool chain reads beside the sources, taken over as it is. */
const FURNITURE = [
  'tsconfig.json',
  'test/tsconfig.json',
  'tools',
  '.oxlintrc.json',
  '.prettierrc.json',
  '.gitignore',
  'knip.jsonc',
];

/** A faultless program with one module, one user of it and one strategy. */
const SOURCES: Readonly<Record<string, string>> = {
  'src/index.ts': "export { touch } from './core/mirror/touch.js';\n",
  'src/core/mirror/touch.ts': 'export const touch = (bid: number, ask: number): number => ask - bid;\n',
  'src/core/strategy/sdk.ts': 'export const tick = 1;\n',
  'src/cli/main.ts':
    "import { touch } from '../core/mirror/touch.js';\n\nprocess.stdout.write(`${touch(1, 2)}\\n`);\n",
  'strategies/still.ts': "import { tick } from 'oddsmith/sdk';\n\nexport const still = tick;\n",
};

/**
 * Builds a small project in a temporary directory with this project's own tool chain and configuration, so that
 * a violation can be planted and seen reported; removed when the test ends.
 * @param planted  further files by path, or replacements of the faultless ones
 * @returns its root
 */
export function smallHouse(planted: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'oddsmith-house-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of FURNITURE) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'package.json'), ownPackage());
  for (const [path, text] of Object.entries({ ...SOURCES, ...planted })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Imported by the tools. */
const TOOL_PACKAGES = ['oxc-parser'];

/** The small project uses no other package, and one that is named and not used would be a violation. */
function ownPackage(): string {
  const { devDependencies, ...whole } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const kept = Object.entries(whole).filter(([key]) => !/dependencies/i.test(key));
  const tools = Object.fromEntries(TOOL_PACKAGES.map((name) => [name, devDependencies[name]]));
  return `${JSON.stringify({ ...Object.fromEntries(kept), devDependencies: tools }, null, 2)}\n`;
}
