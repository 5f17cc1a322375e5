import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { reenactmentOf } from '../../../../src/runs/recording/reenactment.js';
import type { Micros } from '../../../../src/domain/units.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { linesOfMarket, recordingOf } from '../../../support/tape/neutral-lines.js';
import { ROOT } from '../../../support/project/small-house.js';

const [ONE, OTHER] = [linesOfMarket(3001), linesOfMarket(3002)];
const BOOKS = [ONE, OTHER].map(({ book }) => book(0, [[0.5, 10]], [[0.6, 10]]));
const LONG = [ONE, OTHER].map(({ resolved }) => resolved(9_000, 'long'));

/** @param notes what stands beside it of each market's being exclusive; undefined: no notes */
function modeOf(lines: readonly string[], notes?: readonly (boolean | null)[]): string {
  const file = recordingOf(lines);
  const listed = [3001, 3002].map((market, place) => ({
    event: 300,
    market,
    file: basename(file),
    exclusive: notes?.[place],
  }));
  if (notes !== undefined) writeFileSync(join(dirname(file), 'markets.json'), JSON.stringify(listed));
  const { settings } = loadBotSettings(join(ROOT, 'config/demo.yaml'), {});
  const reenactment = reenactmentOf(
    settings,
    settings.exchange!,
    { file, speed: 1 },
    1_767_225_600_000_000 as Micros,
  );
  expect(reenactment.settings.events[0]!.resolutionMode).toBe(reenactment.exchange.events[0]!.resolutionMode);
  return reenactment.exchange.events[0]!.resolutionMode;
}

it('a recording in which two markets won is not re-enacted as if they excluded each other', () => {
  expect(modeOf([...BOOKS, ...LONG])).toBe('non_exclusive');
  expect(modeOf([...BOOKS, ...LONG], [false, false])).toBe('non_exclusive');
  expect(() => modeOf([...BOOKS, ...LONG], [true, true])).toThrow(
    /recording\.ndjson.*markets 3001 and 3002 resolve long, and markets\.json .*set "exclusive": false/,
  );
});

it('outcomes exclude each other where notes say so of all of them, or no more than one won', () => {
  const once = LONG.slice(0, 1);
  expect(modeOf([...BOOKS, ...once, ...once])).toBe('exclusive');
  expect(modeOf([...BOOKS, ...once], [true, true])).toBe('exclusive');
  expect(modeOf([...BOOKS, ...once], [true, null])).toBe('non_exclusive');
});
