/** A step that ends early because nothing follows from a book, and a look that does, must have left nothing out. */
import { expect, test } from 'vitest';
import type { Engine } from '../../src/core/engine/engine.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { runSeed, type SeedReport } from '../support/simulation/scenario/run-seed.js';
import { UNCHANGED } from '../support/simulation/seam.js';

interface Life {
  readonly report: SeedReport;
  /** Of every run of the bot, in order. */
  readonly decisions: readonly string[];
  /** Steps that ended early. */
  readonly short: number;
}

/** What decides whether a step ends early. */
interface Shortcut {
  endsHere(...args: unknown[]): boolean;
}

/** @param shortcut asked in the place of the engine's own */
async function lifeOf(seed: number, shortcut: (ends: boolean) => boolean): Promise<Life> {
  const engines: Engine[] = [];
  let short = 0;
  const engine = (bot: Engine): void => {
    engines.push(bot);
    const own = bot as unknown as Shortcut;
    const endsHere = own.endsHere.bind(bot);
    own.endsHere = (...args) => {
      const ends = shortcut(endsHere(...args));
      if (ends) short += 1;
      return ends;
    };
  };
  const report = await runSeed(seed, { folder: scratchFolder(), seam: { ...UNCHANGED, engine } });
  return { report, decisions: engines.map(({ decisionHash }) => decisionHash), short };
}

test.each([3, 17, 22, 41, 77, 120, 151])(
  'life %i is the same with every step run to its end',
  async (seed) => {
    const [asIs, thorough] = [await lifeOf(seed, (ends) => ends), await lifeOf(seed, () => false)];
    expect(asIs.short).toBeGreaterThan(20);
    expect(thorough.short).toBe(0);
    expect(asIs.report).toEqual(thorough.report);
    expect(asIs.decisions).toEqual(thorough.decisions);
  },
);
