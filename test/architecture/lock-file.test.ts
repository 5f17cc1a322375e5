import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/project/small-house.js';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
}

/**
 * A lock file that names download addresses ties every clone to one host; one that lacks a version or a checksum
 * does not lock. The root entry, under the empty path, is the project itself.
 */
function faultsIn(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages).flatMap(([path, { version, resolved, integrity }]) => [
    ...(resolved === undefined ? [] : [`${path} names a download address`]),
    ...(path === '' || version !== undefined ? [] : [`${path} has no version`]),
    ...(path === '' || integrity !== undefined ? [] : [`${path} has no checksum`]),
  ]);
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const lock = read('package-lock.json') as { readonly packages: Readonly<Record<string, LockedPackage>> };

describe('package-lock.json', () => {
  it('locks every package and names no download address', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(1);
    expect(faultsIn(lock.packages)).toEqual([]);
  });

  it('is seen naming an address, and lacking a version or a checksum', () => {
    const whole = { version: '1.0.0', integrity: 'sha512-x' };
    expect(
      faultsIn({ '': {}, 'node_modules/a': { ...whole, resolved: 'https://example.org/a.tgz' } }),
    ).toEqual(['node_modules/a names a download address']);
    expect(faultsIn({ 'node_modules/a': {} })).toEqual([
      'node_modules/a has no version',
      'node_modules/a has no checksum',
    ]);
  });

  it('agrees with package.json, which pins exact versions', () => {
    const { dependencies, devDependencies } = read('package.json') as Record<string, Record<string, string>>;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });
});
