/** Imports invented frames of a venue, and gives what came of them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type ImportOptions,
  type ImportRequest,
  importRaw,
  USUAL_OPTIONS,
} from '../../../src/recordings/index.js';

const requestFor = (
  paths: readonly string[],
  options: Partial<ImportOptions> = {},
  more: Partial<ImportRequest> = {},
): ImportRequest => ({
  paths,
  from: 'auto',
  options: { ...USUAL_OPTIONS, ...options },
  names: [],
  resolutions: [],
  ...more,
});

type Line = Readonly<Record<string, unknown>> & {
  readonly t: number;
  readonly type: string;
  readonly market: number;
};

/** Lines of a neutral file, without the version that the first one states. */
export const neutralLines = (path: string): readonly Line[] =>
  gunzipSync(readFileSync(path))
    .toString()
    .trim()
    .split('\n')
    .map((line) => {
      const { version: _version, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return rest as Line;
    });

/** @param folder an empty one */
export async function importFrames(
  folder: string,
  frames: readonly unknown[],
  options: Partial<ImportOptions> = {},
  more: Partial<ImportRequest> = {},
) {
  const raw = join(folder, 'raw.ndjson');
  writeFileSync(raw, frames.map((frame) => JSON.stringify(frame)).join('\n') + '\n');
  return importFiles(folder, [raw], options, more);
}

export async function importFiles(
  folder: string,
  paths: readonly string[],
  options: Partial<ImportOptions> = {},
  more: Partial<ImportRequest> = {},
) {
  const out = join(folder, 'out');
  const { session, notes } = await importRaw(requestFor(paths, options, more), out);
  const names = readdirSync(out).filter((name) => name.endsWith('.gz'));
  const files = new Map(names.map((name) => [name, neutralLines(join(out, name))]));
  const lines = [...files.values()].flat();
  const markets = JSON.parse(readFileSync(join(out, 'markets.json'), 'utf8')) as Record<string, unknown>[];
  return { out, files, lines, markets, counts: session.counts, notes };
}

/** `type t` and what matters of each line, for comparison. */
export const words = (lines: readonly Line[]): readonly string[] =>
  lines.map(({ t, type, market, ...rest }) => {
    const { bid, ask, price, shares, taker_side: taker, status, resolution, payout, reduction, tick } = rest;
    if (type === 'book') return `${t} ${market} book ${JSON.stringify(bid)} ${JSON.stringify(ask)}`;
    if (type === 'trade') return `${t} ${market} trade ${String(price)} ${String(shares)} ${String(taker)}`;
    const extra = {
      ...(payout !== undefined && { payout }),
      ...(reduction !== undefined && { reduction }),
      ...(tick !== undefined && { tick }),
    };
    const told = [
      status,
      resolution ?? '',
      ...Object.entries(extra).map(([name, value]) => `${name}=${Number(value)}`),
    ];
    return `${t} ${market} ${told.filter((word) => word !== '').join(' ')}`;
  });
