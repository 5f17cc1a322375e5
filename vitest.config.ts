import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * What takes long runs by `npm run test:deep` alone: the files that say so in their name, every property with all of its
 * runs, and many more seeds of the simulation.
 */
const isDeep = process.env['ODDSMITH_DEEP'] === '1';
const DEEP = '**/*.deep.test.ts';

/** The files of a suite that run now. */
const filesOf = (name: string): string[] => {
  if (!isDeep || name === 'property') return [`test/${name}/**/*.test.ts`];
  const deep = [`test/${name}/${DEEP}`];
  return name === 'simulation' ? [...deep, 'test/simulation/{seeds,second-venue}.test.ts'] : deep;
};

/**
 * A suite is a folder of test/, and takes as long as its slowest honest test on a busy machine. What a test polls for may
 * take nearly as long as the test, so that one that waits in vain says for what.
 */
const suite = (name: string, testTimeout: number) => ({
  extends: true as const,
  test: {
    name,
    include: filesOf(name),
    exclude: isDeep ? [] : [DEEP],
    setupFiles: ['test/support/setup/property-seed.ts', 'test/support/setup/user-state.ts'],
    testTimeout,
    hookTimeout: testTimeout,
    expect: { poll: { timeout: 0.9 * testTimeout, interval: 10 } },
  },
});

/** Where .ci/run wants the counts, beside what a person reads. */
const report = process.env['ODDSMITH_TEST_REPORT'];

export default defineConfig({
  resolve: {
    alias: [
      { find: /^oddsmith\/sdk$/, replacement: at('./src/core/strategy/sdk.ts') },
      { find: /^oddsmith\/sdk\/testing$/, replacement: at('./src/runs/strategies/testing.ts') },
      { find: /^oddsmith\/strategies\/(.*)$/, replacement: `${at('./strategies')}/$1.ts` },
      { find: /^oddsmith$/, replacement: at('./src/index.ts') },
    ],
  },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    passWithNoTests: isDeep,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    projects: [
      suite('unit', 60_000),
      suite('property', isDeep ? 300_000 : 60_000),
      suite('simulation', 300_000),
      suite('contract', 60_000),
      suite('venues', 60_000),
      suite('integration', 60_000),
      suite('architecture', 60_000),
      suite('e2e', 180_000),
    ],
  },
});
