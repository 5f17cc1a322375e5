import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  strategyHash,
  bundledStrategies,
  loadedStrategyHash,
  loadStrategy,
} from '../../../../src/runs/strategies/strategies.js';
import { UsageError } from '../../../../src/domain/errors.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const CONFIG = 'config/demo.yaml';
const complaint = async (reference: string, relativeTo = CONFIG): Promise<string> => {
  const error: unknown = await loadStrategy(reference, relativeTo).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message;
};

describe('a strategy by name', () => {
  it('is one of the bundled', async () => {
    expect(bundledStrategies()).toEqual([
      'avellaneda-stoikov',
      'bands',
      'event-coherent',
      'fair-quoter',
      'fixed-spread',
      'glft',
      'inventory-skew',
      'lmsr',
      'outcome-arbitrage',
      'unwind',
    ]);
    for (const name of bundledStrategies()) expect((await loadStrategy(name, CONFIG)).name).toBe(name);
  });

  it('that is unknown brings the nearest known one, or all of them', async () => {
    expect(await complaint('fixd-spread')).toMatch(
      /no strategy named fixd-spread; did you mean fixed-spread\?/,
    );
    expect(await complaint('magic')).toMatch(
      /bundled are avellaneda-stoikov, .*outcome-arbitrage, unwind \(a file of your own/,
    );
  });

  it('cannot lead out of the folder of the bundled', async () => {
    expect(await complaint('..')).toMatch(/no strategy named \.\./);
  });
});

describe('a strategy by path', () => {
  it('starts from the folder of the configuration', async () => {
    const strategy = await loadStrategy('../test/support/strategies/calm-quotes.ts', CONFIG);
    expect(strategy.name).toBe('calm-quotes');
  });

  it('has to exist, as a file of a known kind', async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'a-folder.ts'));
    writeFileSync(join(folder, 'strategy.py'), '');
    writeFileSync(join(folder, 'types.d.ts'), '');
    const config = join(folder, 'bot.yaml');
    expect(await complaint('./missing.ts', config)).toBe(
      `the strategy file ${join(folder, 'missing.ts')} does not exist`,
    );
    expect(await complaint('./a-folder.ts', config)).toMatch(/does not exist$/);
    expect(await complaint('./strategy.py', config)).toMatch(/ends in \.py; expected \.ts or \.js$/);
    expect(await complaint('./types.d.ts', config)).toMatch(/expected \.ts or \.js$/);
  });

  it('that has changed since it was loaded is not taken for what it was', async () => {
    const file = join(scratchFolder(), 'mine.js');
    const text = (name: string): string =>
      `export default { name: '${name}', params: {}, quote: () => ({ bids: [], asks: [] }) };\n`;
    writeFileSync(file, text('first'));
    await expect(loadStrategy(file, file)).resolves.toMatchObject({ name: 'first' });
    await expect(loadStrategy(file, file)).resolves.toMatchObject({ name: 'first' });
    writeFileSync(file, text('second'));
    await expect(loadStrategy(file, file)).rejects.toThrow(
      /mine\.js.* has changed since this process loaded it/,
    );
    writeFileSync(file, text('first'));
    await expect(loadStrategy(file, file)).resolves.toMatchObject({ name: 'first' });
  });

  it('that shares a file with one loaded before is not loaded once that file has changed', async () => {
    const folder = scratchFolder();
    const [one, other] = [join(folder, 'one.js'), join(folder, 'other.js')];
    const shared = join(folder, 'shared.js');
    const user = `import { name } from './shared.js';
export default { name, params: {}, quote: () => ({ bids: [], asks: [] }) };\n`;
    writeFileSync(shared, `export const name = 'old';\n`);
    for (const file of [one, other]) writeFileSync(file, user);
    await expect(loadStrategy(one, one)).resolves.toMatchObject({ name: 'old' });
    writeFileSync(shared, `export const name = 'new';\n`);
    expect(await complaint(other, other)).toBe(
      `the strategy file ${shared}, or one that it imports, has changed since this process loaded it; start it again`,
    );
    expect(loadedStrategyHash(other)).toBeNull();
  });

  it('that was broken when it was first loaded is not taken for the mended one', async () => {
    const file = join(scratchFolder(), 'broken.js');
    writeFileSync(file, `throw new Error('not yet');\n`);
    expect(await complaint(file, file)).toMatch(/cannot be loaded: not yet$/);
    writeFileSync(file, `export default { name: 'a', params: {}, quote: () => ({ bids: [], asks: [] }) };\n`);
    expect(await complaint(file, file)).toMatch(/has changed since this process loaded it; start it again$/);
  });

  it('is known by what was loaded, whatever its file has become', async () => {
    const file = join(scratchFolder(), 'kept.js');
    const text = `export default { name: 'kept', params: {}, quote: () => ({ bids: [], asks: [] }) };\n`;
    writeFileSync(file, text);
    expect(loadedStrategyHash(file)).toBeNull();
    await loadStrategy(file, file);
    const loaded = strategyHash(file);
    writeFileSync(file, `${text}// more\n`);
    expect(loadedStrategyHash(file)).toBe(loaded);
  });
});
