/** Raw recordings of real markets, where there are any: what an import makes of them is what others made, or counted. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linesOf, rawFiles } from '../../../src/recordings/raw-files.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { ROOT } from '../../support/project/small-house.js';
import { importFiles, importFrames, neutralLines, words } from '../../support/tape/raw-import.js';

const DATA = process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data');
const RAW = join(DATA, 'raw');
const isMissing = !existsSync(RAW);
if (isMissing) console.log(`${RAW} is missing: imports of real recordings are not checked`);

interface Runner {
  readonly id: number;
  readonly trd?: readonly (readonly [number, number])[];
}
interface Message {
  readonly mc?: readonly { readonly img?: boolean; readonly rc?: readonly Runner[] }[];
}

/** Rises of the sum of each runner's traded ladder, of both stakes, images apart. */
async function ownTurnover(path: string): Promise<number> {
  const ladders = new Map<number, Map<number, number>>();
  let risen = 0;
  for await (const lines of linesOf(rawFiles([path])[0]!))
    for (const { value } of lines)
      for (const { img, rc = [] } of (value as Message).mc ?? []) {
        const sum = (): number =>
          [...ladders.values()].reduce(
            (all, ladder) => all + [...ladder.values()].reduce((a, b) => a + b, 0),
            0,
          );
        for (const id of new Set(rc.map((runner) => runner.id))) {
          const before = sum();
          const ladder = ladders.get(id) ?? new Map<number, number>();
          ladders.set(id, ladder);
          for (const { trd = [] } of rc.filter((runner) => runner.id === id))
            for (const [odds, size] of trd) ladder.set(odds, size);
          if (img !== true) risen += Math.max(0, sum() - before);
        }
      }
  return risen;
}

describe.skipIf(isMissing)('imports of real recordings', () => {
  it('give the lines of Kalshi that others converted', async () => {
    const name = 'kxgold15m-26aug101900-00.ndjson.gz';
    const raw = join(RAW, 'kalshi', 'gold15m_KXGOLD15M-26AUG101900-00_2026-08-10.ndjson.gz');
    const { files } = await importFiles(scratchFolder(), [raw]);
    const told = neutralLines(join(DATA, 'kalshi-gold15m', name)).map((line) => ({
      ...line,
      event: 1,
      market: 1,
    }));
    expect(words(files.get(name)!)).toEqual(words(told));
  });

  it('give the turnover that a file of Betfair has itself', async () => {
    const raw = join(RAW, 'betfair', '1-166564490.bz2');
    const { markets, lines } = await importFiles(scratchFolder(), [raw], { grid: 1 });
    const stakes = lines
      .filter(({ type }) => type === 'trade')
      .reduce((sum, { price, shares }) => sum + 2 * Number(price) * Number(shares), 0);
    const own = await ownTurnover(raw);
    expect(Math.abs(stakes / own - 1)).toBeLessThan(1e-4);
    expect(markets.map(({ resolution }) => resolution)).toEqual([null, null]);
  });

  it('give the best prices that frames of Polymarket state', async () => {
    const [file] = rawFiles([
      join(RAW, 'polymarket', 'lens-less-eth-updown-15m-1785207600-price_change-cut.jsonl'),
    ]);
    const frames: unknown[] = [];
    for await (const lines of linesOf(file!)) frames.push(...lines.map(({ value }) => value));
    const book = {
      event_type: 'book',
      market: '0x779291bef19b6709f61e9764a954aafe9ffae488d50ae674aabdcb4f248006d5',
      asset_id: '8761897749749422724209054078244794145777693856614463256546737399611489089783',
      timestamp: '1785207904000',
      bids: [{ price: '0.57', size: '1' }],
      asks: [{ price: '0.58', size: '1' }],
    };
    const { counts, lines } = await importFrames(scratchFolder(), [book, ...frames]);
    expect(counts.touchDiffers).toBeUndefined();
    expect(lines.filter(({ type }) => type === 'book').length).toBeGreaterThan(3);
  });

  it.each(['BASIC-1.132153978.gz', '1.230478683.bz2'])('refuse the last prices of %s', async (name) => {
    const files = [join(RAW, 'betfair', name)];
    await expect(importFiles(scratchFolder(), files)).rejects.toThrow(
      `${name}:2: last traded prices alone (BASIC tier)`,
    );
  });
});
