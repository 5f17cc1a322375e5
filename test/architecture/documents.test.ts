import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../tools/layers.mjs';
import { brokenLinks, pages, pageText, strayPaths, tableRows } from '../support/project/documents.js';
import { ROOT } from '../support/project/small-house.js';

const listed = (cell: string | undefined): string[] =>
  (cell ?? '').split(/,\s*/).filter((word) => word !== '');

/** The layers of a page as `tools/layers.json` states them. */
const layersOf = (text: string) =>
  tableRows(text, 'layers').map(([, rooms, mayMeet]) => ({ rooms: listed(rooms), mayMeet }));

/** The packages of a page with the rooms that may use them. */
const packagesOf = (text: string) =>
  Object.fromEntries(
    tableRows(text, 'packages').map(([name, rooms]) => [name, { rooms: listed(rooms ?? '') }]),
  );

/** The rooms described below `src/` in the first code block that begins with it, each with the rooms it lies in. */
function describedRooms(text: string): string[] {
  const [, block = ''] = /```\nsrc\/\n([\s\S]*?)```/.exec(text) ?? [];
  const path: string[] = [];
  const rooms = [...block.matchAll(/^((?: {2})+)([a-z-]+)\/(?= |$)/gm)].map(([, indent, room]) => {
    path.splice(indent!.length / 2 - 1, Infinity, room!);
    return path.join('/');
  });
  return rooms.toSorted();
}

/** The rooms of `tools/layers.json`, and the folders that they lie in. */
function plannedRooms(): string[] {
  const rooms = RULES.layers.flatMap((layer) => layer.rooms).filter((room) => room !== 'index');
  const around = rooms.flatMap((room) =>
    room.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/')),
  );
  return [...new Set(around)].toSorted();
}

/** What was decided or done once names the files of its time. */
const isRecord = (name: string): boolean => name.startsWith('docs/decisions/') || name === 'CHANGELOG.md';

const page = pageText('docs/architecture.md');

describe('docs/architecture.md', () => {
  it('states the layers that are checked', () => {
    expect(layersOf(page)).toEqual(RULES.layers);
  });

  it('states the packages that are checked', () => {
    expect(packagesOf(page)).toEqual(RULES.packages);
  });

  it('describes the rooms that are checked, and no others', () => {
    expect(describedRooms(page)).toEqual(plannedRooms());
  });

  it('names no room that does not exist', () => {
    expect(plannedRooms().filter((room) => !existsSync(join(ROOT, 'src', room)))).toEqual([]);
  });

  it('is seen stating other layers, other packages and other rooms', () => {
    const moved = page.replace('| cli, index', '| cli').replace('| venues/futuur ', '| venues/futuur, cli ');
    expect(layersOf(moved)).not.toEqual(RULES.layers);
    expect(packagesOf(moved)).not.toEqual(RULES.packages);
    expect(describedRooms(page.replace('  mirror/', '  mirrors/'))).toContain('core/mirrors');
  });
});

describe('the pages of the project', () => {
  it.each(pages())('%s links to files that exist', (name) => {
    expect(brokenLinks(name, pageText(name))).toEqual([]);
  });

  it.each(pages().filter((name) => !isRecord(name)))('%s names files that exist', (name) => {
    expect(strayPaths(name, pageText(name))).toEqual([]);
  });

  it('are seen pointing at nothing', () => {
    const text =
      'see [here](docs/gone.md) and `engine/gone.ts`, not [there](https://example.org) or `text/html`';
    expect(brokenLinks('README.md', text)).toEqual(['README.md: docs/gone.md']);
    expect(strayPaths('README.md', text)).toEqual(['README.md: engine/gone.ts']);
  });

  it('give every decision a number of its own', () => {
    const numbers = readdirSync(join(ROOT, 'docs', 'decisions')).map((file) => Number(file.slice(0, 4)));
    expect(numbers.every((number) => number > 0)).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
