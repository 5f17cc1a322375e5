/** Packed files, archives, folders and patterns; files that are cut off. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { linesOf, rawFiles } from '../../../src/recordings/raw-files.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

const TEXT = '{"a":1}\n{"a":2}\n';
/** `TEXT`, packed by bzip2. */
const BZIP2 = Buffer.from(
  'QlpoOTFBWSZTWSKd4ukAAAZZgAAQEAAwECAAAAogADEMCBKAeonCJoaL4u5IpwoSBFO8XSA=',
  'base64',
);

function folderOf(files: Readonly<Record<string, Uint8Array | string>>): string {
  const folder = scratchFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

async function valuesOf(path: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const file of rawFiles([path]))
    for await (const lines of linesOf(file)) found.push(...lines.map(({ value }) => value));
  return found;
}

const namesOf = (folder: string, path: string): readonly string[] =>
  rawFiles([path]).map(({ name }) => name.slice(folder.length + 1));

describe('raw files', () => {
  it.each([
    ['plain', Buffer.from(TEXT)],
    ['gzip', gzipSync(TEXT)],
    ['two gzip members', Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"a":2}\n')])],
    ['bzip2', BZIP2],
    ['zip', zipSync({ 'x.json': Buffer.from(TEXT) })],
    ['zip of gzip', zipSync({ 'x.gz': gzipSync(TEXT) })],
  ])('are read when they are %s', async (_, bytes) => {
    const folder = folderOf({ file: bytes });
    expect(await valuesOf(join(folder, 'file'))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('may be several bzip2 streams behind each other', async () => {
    const folder = folderOf({ file: Buffer.concat([BZIP2, BZIP2]) });
    expect(await valuesOf(join(folder, 'file'))).toHaveLength(4);
  });

  it('may be one JSON document over several lines', async () => {
    const folder = folderOf({ file: JSON.stringify({ a: [1, 2] }, null, 2) });
    expect(await valuesOf(join(folder, 'file'))).toEqual([{ a: [1, 2] }]);
  });

  it('lose a last line that was torn, and no other', async () => {
    const torn = folderOf({ file: `${TEXT}{"a":` });
    expect(await valuesOf(join(torn, 'file'))).toHaveLength(2);
    const bad = folderOf({ file: `{"a":1}\n{"a":\n{"a":3}\n` });
    await expect(valuesOf(join(bad, 'file'))).rejects.toThrow(/file:2: expected one JSON object a line/);
  });

  it.each([
    ['gzip', gzipSync(TEXT).subarray(0, -9), /cut off|damaged/],
    ['bzip2', BZIP2.subarray(0, -6), /the bzip2 data are cut off or damaged; fetch the file again$/],
    ['bzip2 without its end', BZIP2.subarray(0, -10), /the bzip2 data are cut off or damaged; fetch/],
    ['zip', zipSync({ x: Buffer.from(TEXT) }).subarray(0, -9), /the zip archive is cut off or damaged/],
  ])('are refused when they are %s and cut off', async (_, bytes, message) => {
    await expect(valuesOf(join(folderOf({ file: bytes }), 'file'))).rejects.toThrow(message);
  });

  it('are found in folders, archives and by patterns', () => {
    const folder = folderOf({
      'b/2.json': TEXT,
      'b/1.json': TEXT,
      'a.gz': gzipSync(TEXT),
      'z.zip': zipSync({ 'm.json': Buffer.from(TEXT) }),
    });
    expect(namesOf(folder, folder)).toEqual(['a.gz', 'b/1.json', 'b/2.json', 'z.zip/m.json']);
    expect(namesOf(folder, join(folder, '**', '?.json'))).toEqual(['b/1.json', 'b/2.json']);
    expect(namesOf(folder, join(folder, 'b', '*2*'))).toEqual(['b/2.json']);
    expect(() => rawFiles([join(folder, '*.txt')])).toThrow('no file matches this pattern');
    expect(() => rawFiles([join(folder, 'none')])).toThrow('there is no such file or folder');
  });
});
