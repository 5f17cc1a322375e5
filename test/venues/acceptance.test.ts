/** The acceptance list for every adapter that there is. The table of it is printed at the end. */
import { afterAll, describe, expect, test } from 'vitest';
import { CASES } from './cases.js';
import { futuur } from './futuur.js';
import { harbour } from './harbour.js';
import { Scene } from './scene.js';
import type { Venue } from './venue-under-test.js';

const VENUES: readonly Venue[] = [futuur, harbour];
const passed = new Set<string>();

const reasonOf = (venue: Venue, id: string): string | null =>
  CASES.find((one) => one.id === id)!.missing?.(venue) ?? null;

describe.each(VENUES)('$name', (venue) => {
  const offered = CASES.filter(({ id }) => reasonOf(venue, id) === null);
  test.each(offered.map((one) => [`${one.id} ${one.section}: ${one.title}`, one] as const))(
    '%s',
    async (_name, { id, run, clockAheadMs }) => {
      const opened = await venue.open(clockAheadMs);
      try {
        await expect(run(new Scene(opened))).resolves.toBeUndefined();
        passed.add(`${venue.name} ${id}`);
      } finally {
        await opened.close();
      }
    },
  );
});

test('what a venue does not offer is said, not left out', () => {
  const missing = VENUES.flatMap((venue) =>
    CASES.flatMap(({ id }) => {
      const reason = reasonOf(venue, id);
      return reason === null ? [] : [`${venue.name} ${id}: ${reason}`];
    }),
  );
  expect(missing).toMatchInlineSnapshot(`
    [
      "futuur V-14: the grid of a market stays",
      "futuur V-21: every order may take",
      "futuur V-53: every refusal of this kind says how long",
      "harbour V-20: every order rests",
      "harbour V-31: orders are not changed",
      "harbour V-32: orders are not changed",
      "harbour V-37: orders are not changed",
      "harbour V-41: nothing cancels a whole event",
    ]
  `);
});

afterAll(() => {
  const cell = (venue: Venue, id: string): string => {
    const reason = reasonOf(venue, id);
    if (reason !== null) return `not offered by this venue: ${reason}`;
    return passed.has(`${venue.name} ${id}`) ? 'passed' : 'FAILED';
  };
  const rows = CASES.map(({ id, section, title }) => {
    const cells = VENUES.map((venue) => cell(venue, id));
    return `| ${[id, section, title, ...cells].join(' | ')} |`;
  });
  const head = ['case', 'section', 'what', ...VENUES.map(({ name }) => name)];
  console.info([`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows].join('\n'));
});
