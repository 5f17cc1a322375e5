/** Files of raw recordings: folders, patterns and archives, and the JSON in them. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { basename, join, sep } from 'node:path';
import { unzipSync } from 'fflate';
import { UsageError } from '../domain/errors.js';
import { LineSplitter, type OnRead, textOf, unpacked } from '../storage/tape/packed-text.js';
import { RecordingError, TapeError } from '../storage/tape/tape-files.js';

/** A file as a recorder wrote it, or a member of a zip archive. */
export interface RawFile {
  /** For messages: its path, in an archive followed by the name of the member. */
  readonly name: string;
  readonly path: string;
  /** Name of the member in the archive; null: no archive. */
  readonly member: string | null;
}

/** A line of a raw file, or a document of several lines. */
export interface RawLine {
  readonly value: unknown;
  /** From 1. */
  readonly line: number;
}

const PATTERN = /[*?]/;
const ZIP_MAGIC = 'PK\u0003\u0004';
const LONGEST_DOCUMENT = 64 * 1024 * 1024;

/**
 * Finds the files that paths name. A folder stands for all files below it, a pattern for all that match it.
 * @returns files in the order of the paths; within a folder or pattern by name
 * @throws UsageError for a path or pattern without a file
 */
export function rawFiles(paths: readonly string[]): readonly RawFile[] {
  const files = paths.flatMap((path) => {
    if (statSync(path, { throwIfNoEntry: false }) === undefined && PATTERN.test(path)) {
      const found = matching(path);
      if (found.length === 0) throw new UsageError(`${path}: no file matches this pattern`);
      return found;
    }
    return filesAt(path);
  });
  return [...new Set(files)].flatMap(membersOf);
}

function filesAt(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`${path}: there is no such file or folder`);
  // Opening a pipe would wait for a writer.
  if (!found.isFile() && !found.isDirectory())
    throw new UsageError(`${path}: is a pipe or a device; expected a file`);
  const files = found.isFile() ? [path] : below(path);
  if (files.length > 0) return files;
  throw new UsageError(`${path}: is an empty folder; it holds no tape and no recording`);
}

const below = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

/** `*` and `?` match within a name, `**` matches folders. */
function matching(pattern: string): readonly string[] {
  const parts = pattern.split(sep);
  const first = parts.findIndex((part) => PATTERN.test(part));
  const folder = parts.slice(0, first).join(sep) || (pattern.startsWith(sep) ? sep : '.');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const source = parts
    .slice(first)
    .map((part) => (part === '**' ? '(?:.*/)?' : `${nameSource(part)}/`))
    .join('')
    .replace(/\/$/, '');
  const match = new RegExp(`^${source}$`);
  return below(folder).filter((file) => match.test(file.slice(join(folder, 'x').length - 1)));
}

const nameSource = (part: string): string =>
  part
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');

function membersOf(path: string): readonly RawFile[] {
  if (!isZip(path)) return [{ name: path, path, member: null }];
  const members: string[] = [];
  unzipped(path, (member) => {
    if (!member.endsWith('/')) members.push(member);
    return false;
  });
  return members.toSorted().map((member) => ({ name: `${path}/${member}`, path, member }));
}

function isZip(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(ZIP_MAGIC.length);
    readSync(file, head, 0, head.length, 0);
    return head.toString('latin1') === ZIP_MAGIC;
  } finally {
    closeSync(file);
  }
}

/** @throws RecordingError when the archive is damaged */
function unzipped(path: string, filter: (member: string) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(readFileSync(path), { filter: ({ name }) => filter(name) });
  } catch (error) {
    throw new RecordingError(path, 0, `the zip archive is cut off or damaged (${(error as Error).message})`);
  }
}

/** Bytes that will be read, for progress. */
export const bytesToRead = (files: readonly RawFile[]): number =>
  [...new Set(files.map(({ path }) => path))].reduce((sum, path) => sum + statSync(path).size, 0);

/** SHA-256 of a file on disk. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** Whether its name is one that recorders give to tables beside recordings. */
export const isTable = ({ name }: Pick<RawFile, 'name'>): boolean => /\.csv$/i.test(basename(name));

async function* bytesOf(file: RawFile, onRead: OnRead): AsyncGenerator<Buffer> {
  const { name, path, member } = file;
  if (member === null) return yield* textOf(path, onRead, 'whole');
  const bytes = unzipped(path, (found) => found === member)[member] ?? new Uint8Array();
  yield* unpacked(name, [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)], 'whole');
}

/**
 * Reads JSON line by line. A file that is one JSON document over several lines counts as one line. A last line that was
 * torn, because the recorder was stopped, is left out.
 * @param onTorn called when the last line is torn
 * @throws RecordingError with the line
 */
export async function* linesOf(
  file: RawFile,
  onRead: OnRead = () => undefined,
  onTorn: () => void = () => undefined,
): AsyncGenerator<readonly RawLine[]> {
  const reader = new JsonLines(file.name);
  const splitter = new LineSplitter((bytes, from, to) => reader.line(bytes.toString('utf8', from, to)));
  try {
    for await (const piece of bytesOf(file, onRead)) {
      splitter.push(piece);
      yield reader.take();
    }
  } catch (error) {
    throw error instanceof TapeError ? new RecordingError(file.name, reader.count, error.problem) : error;
  }
  const isTorn = splitter.pending > 0;
  splitter.end();
  if (reader.end(isTorn)) onTorn();
  yield reader.take();
}

class JsonLines {
  count = 0;
  private lines: RawLine[] = [];
  /** Lines of a document that is not complete yet; null: the file has an object on each line. */
  private document: string[] | null = null;
  private bytes = 0;
  /** A line that is no JSON: an error, unless it is the last. */
  private bad: { readonly text: string; readonly line: number } | null = null;

  constructor(private readonly name: string) {}

  line(text: string): void {
    this.count += 1;
    if (this.bad !== null) this.refuseBad();
    if (this.document !== null) return this.gather(text);
    if (text.trim() === '') return;
    const value = parsed(text);
    if (value !== undefined) this.lines.push({ value, line: this.count });
    else if (this.count === 1) this.gather(text);
    else this.bad = { text, line: this.count };
  }

  take(): readonly RawLine[] {
    const { lines } = this;
    this.lines = [];
    return lines;
  }

  /** @returns whether a torn line was left out */
  end(isTorn: boolean): boolean {
    if (this.bad !== null && !isTorn) this.refuseBad();
    if (this.document !== null) {
      const value = parsed(this.document.join('\n'));
      if (value === undefined) this.refuse(1, this.document[0] ?? '');
      this.lines.push({ value, line: 1 });
    }
    return this.bad !== null;
  }

  private gather(text: string): void {
    this.document ??= [];
    this.document.push(text);
    this.bytes += text.length;
    if (this.bytes > LONGEST_DOCUMENT) this.refuse(1, this.document[0] ?? '');
  }

  private refuseBad(): never {
    this.refuse(this.bad!.line, this.bad!.text);
  }

  private refuse(line: number, text: string): never {
    const found = text.length > 60 ? `${text.slice(0, 60)}...` : text;
    throw new RecordingError(this.name, line, `expected one JSON object a line, found ${found}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
