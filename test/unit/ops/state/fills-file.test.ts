import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { micros } from '../../../../src/domain/units.js';
import { emptyHoldings, FillsFile, readBooks } from '../../../../src/ops/state/fills-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { fillOf } from '../../../support/orders/fills.js';

const fill = fillOf(48, 4);

function opened(path: string, runId = 'r1') {
  const errors: string[] = [];
  const instances = [{ instance: { name: 'mine' }, markets: [fill.marketId] }] as never;
  const logger = { error: (text: string) => void errors.push(text) };
  return { file: new FillsFile({ path, runId, currency: fill.currency, instances, logger }), errors };
}

const kindsIn = async (path: string) => (await readBooks(path)).lines.map(({ kind }) => kind);

it('has a line for each fill before the call returns, over runs, and none of a process that was killed is lost', async () => {
  const path = join(scratchFolder(), 'fills.ndjson');
  const { file } = opened(path);
  file.filled(fill);
  expect(await readBooks(path)).toEqual({
    lines: [{ kind: 'fill', runId: 'r1', instance: 'mine', fill }],
    unread: 0,
  });
  // Killed in the middle of a line.
  appendFileSync(path, '\n{"kind":"fill","runId":"r1","inst');
  const later = opened(path, 'r2').file;
  later.filled({ ...fill, marketId: 'elsewhere' as never });
  later.resolved(fill.marketId, micros(5), 'long');
  later.reversed(fill.marketId, micros(6));
  later.close();
  const { lines, unread } = await readBooks(path);
  expect(unread).toBe(1);
  expect(lines.slice(1)).toMatchObject([
    { kind: 'fill', runId: 'r2', instance: null },
    { kind: 'resolved', at: 5, resolution: 'long' },
    { kind: 'resolved', at: 6, resolution: null },
  ]);
});

it('keeps what it cannot write, says so once, and writes it later', async () => {
  const folder = join(scratchFolder(), 'account');
  const path = join(folder, 'fills.ndjson');
  mkdirSync(folder);
  const { file, errors } = opened(path);
  file.filled(fill);
  rmSync(folder, { recursive: true });
  file.filled(fill);
  file.filled(fill);
  file.review();
  expect(errors).toHaveLength(1);
  mkdirSync(dirname(path));
  file.review();
  expect(await kindsIn(path)).toEqual(['fill', 'fill']);
  file.close();
});

it('says that a venue is gone where there are books, and makes none', async () => {
  const path = join(scratchFolder(), 'fills.ndjson');
  emptyHoldings(path);
  expect(await kindsIn(path)).toEqual([]);
  writeFileSync(path, '');
  emptyHoldings(path);
  expect(readFileSync(path, 'utf8')).toBe('\n{"kind":"emptied"}');
});

it('has what was held at the start, and of what came otherwise than by a fill only what came later', async () => {
  const path = join(scratchFolder(), 'fills.ndjson');
  const { file } = opened(path);
  const { eventId, marketId, position, currency, shares } = fill;
  file.transferred(marketId, micros(1), position, shares, 4_800);
  file.opened([{ eventId, marketId, position, currency, shares, purchasesAmount: 1.92 }], micros(1), null);
  file.transferred(marketId, micros(2), position, -100 as never, 5_000);
  file.close();
  const one = { eventId, marketId, position };
  expect((await readBooks(path)).lines).toEqual([
    { kind: 'held', at: 1, runId: 'r1', currency, holdings: [{ ...one, shares, purchasesAmount: 1.92 }] },
    { kind: 'moved', at: 2, runId: 'r1', currency, ...one, shares: -100, longPrice: 5_000 },
  ]);
  // Of which currency it was held cannot be known.
  appendFileSync(path, '\n{"kind":"held","at":3,"runId":"r1","holdings":[]}');
  expect((await readBooks(path)).unread).toBe(1);
});

it('of a part of an account has what its own markets held, of each since it joined', async () => {
  const path = join(scratchFolder(), 'fills.ndjson');
  const { file } = opened(path);
  const { eventId, marketId, position, currency, shares } = fill;
  const later = 'later' as typeof marketId;
  const holding = { eventId, position, currency, shares, purchasesAmount: null };
  file.opened([{ ...holding, marketId }], micros(1), [marketId]);
  file.transferred(marketId, micros(2), position, shares, 5_000);
  file.transferred(later, micros(3), position, shares, 5_000);
  file.opened([{ ...holding, marketId: later }], micros(3), [later]);
  file.transferred(later, micros(4), position, shares, 5_000);
  file.close();
  expect((await readBooks(path)).lines).toMatchObject([
    { kind: 'held', at: 1, markets: [marketId] },
    { kind: 'moved', at: 2, marketId },
    { kind: 'held', at: 3, markets: [later], holdings: [{ marketId: later }] },
    { kind: 'moved', at: 4, marketId: later },
  ]);
});
