import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notesBeside } from '../../src/runs/backtest/recording-notes.js';
import { marketId } from '../../src/domain/ids.js';
import { NeutralDecoder, parseNeutral } from '../../src/storage/recordings/neutral.js';
import { writeNeutralLine } from '../support/tape/neutral-lines.js';
import { pageText, tableRows } from '../support/project/documents.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const PAGE = pageText('docs/guides/recordings.md');
const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!);
const [LINES = '', NOTES = ''] = blocks('json');
const code = (cell = ''): string => cell.replace(/^`|`$/g, '');

type Fields = Record<string, unknown>;
const FIELDS = tableRows(PAGE, 'fields').map(([field, kind, , , when]) => ({
  field: code(field),
  kind,
  when,
}));
/** One line of each type, with every field. */
const SAMPLES: readonly Fields[] = LINES.trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Fields);

/** What two readers say of a recording; they agree. */
function said(...lines: readonly string[]): string {
  const text = `${lines.join('\n')}\n`;
  const attempt = (read: () => unknown): string => {
    try {
      read();
      return '';
    } catch (error) {
      return (error as { readonly text: string }).text;
    }
  };
  const decoder = new NeutralDecoder('x');
  const streamed = attempt(() => [decoder.push(Buffer.from(text)), decoder.end()]);
  expect(attempt(() => parseNeutral(text, 'x'))).toBe(streamed);
  return streamed;
}

describe('docs/guides/recordings.md', () => {
  it('shows lines as the program reads and writes them', () => {
    const lines = LINES.trim().split('\n');
    expect(parseNeutral(LINES, 'x').map(writeNeutralLine)).toEqual(lines);
  });

  it('names every field that is written, and no others but those that may be missing', () => {
    const written = new Set(SAMPLES.flatMap((line) => Object.keys(line)));
    const told = FIELDS.filter(({ when }) => when !== 'may be missing').map(({ field }) => field);
    expect(told.toSorted()).toEqual([...written].toSorted());
    const other = { ...SAMPLES[0], status: 'resolved', void: true, inplay: true };
    const [line] = parseNeutral(JSON.stringify(other), 'x');
    expect(Object.keys(JSON.parse(writeNeutralLine(line!)) as Fields).toSorted()).toEqual(
      FIELDS.filter(({ kind }) => kind === 'all' || kind === 'status')
        .map(({ field }) => field)
        .toSorted(),
    );
  });

  it.each(FIELDS)('says when $field has to be there', ({ field, kind, when }) => {
    const of = SAMPLES.filter(({ type }) => kind === 'all' || kind === type);
    for (const { [field]: _left, ...rest } of of) {
      const isNeeded = when === 'always' || (when === 'when resolved' && rest['status'] === 'resolved');
      expect(said(JSON.stringify(rest)).startsWith(`${field}: expected`)).toBe(isNeeded);
    }
  });

  it.each(tableRows(PAGE, 'refused'))('says of %s what the program says', (line, text) => {
    const [before] = /\{.*\}/.exec(PAGE.split('<!-- refused -->')[1]!)!;
    expect(said(before, code(line))).toBe(text);
  });

  it('names every member of markets.json, as they are read', () => {
    const dir = scratchFolder();
    writeFileSync(join(dir, 'markets.json'), NOTES);
    const [note] = JSON.parse(NOTES) as readonly [Fields];
    const told = tableRows(PAGE, 'notes').flatMap(([names]) => names!.split(', ').map(code));
    expect(told.filter((name) => name !== 'runner').toSorted()).toEqual(Object.keys(note).toSorted());
    const read = notesBeside(join(dir, String(note['file']))).get(marketId(1014));
    expect(Object.values(read!).filter((value) => value === null)).toEqual([]);
  });

  it('makes a recording of a table of updates and trades', () => {
    const dir = scratchFolder();
    writeFileSync(join(dir, 'csv-to-recording.mjs'), blocks('js')[0]!);
    writeFileSync(join(dir, 'gold.csv'), blocks('csv')[0]!);
    const made = spawnSync(process.execPath, ['csv-to-recording.mjs', 'gold.csv', 'long'], {
      cwd: dir,
      encoding: 'utf8',
    });
    expect(made.stderr).toBe('');
    const told = parseNeutral(made.stdout, 'gold.ndjson').map(
      (line) => JSON.parse(writeNeutralLine(line)) as Fields,
    );
    expect(
      told.map(({ t, type, bid, ask, price, resolution }) => [t, type, bid ?? price ?? resolution, ask]),
    ).toEqual([
      [1786401938338, 'book', [[0.52, 150]], [[0.54, 173.12]]],
      [1786401938602, 'trade', 0.54, undefined],
      [1786401938602, 'book', [[0.52, 150]], [[0.54, 164]]],
      [1786401938700, 'book', [[0.51, 46]], [[0.54, 164]]],
      [1786401938700, 'status', 'long', undefined],
    ]);
  });
});
