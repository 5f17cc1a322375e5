import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainJson, plainText } from '../../../src/domain/plain-text.js';
import { statusLine } from '../../../src/cli/screen/bot-lines.js';
import { drawScreen } from '../../../src/cli/screen/dashboard.js';
import { COLOURED } from '../../../src/cli/screen/format.js';
import { prettyLine } from '../../../src/ops/telemetry/logger.js';
import { csvTables } from '../../../src/report/csv.js';
import { reportPage } from '../../../src/report/html.js';
import { engineView, marketView } from '../../support/bot/engine-view.js';
import { sampleReport } from '../../support/report/sample-report.js';

const HOSTILE = [
  '\u001B[8m',
  '\u009B31m',
  '\u001B]0;',
  '\u202E',
  '\u2066',
  '\u200F',
  '\u061C',
  '\u2028',
  '\r',
  '\b',
];
const foreign = array(oneof(string(), constantFrom(...HOSTILE, '=', '+', '-', '@', ' ', '"', ','))).map(
  (parts) => parts.join(''),
);
const OBEYED = /(?!\n)[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u;
/** Colours of our own. */
const COLOUR = new RegExp(
  String.fromCharCode(27) + String.raw`\[(?:1|2|22|31|32|33|36|37|39|41|49|90)m`,
  'g',
);

const report = sampleReport();
const [run] = report.scenarios;

describe('a text of others, such as a title', () => {
  it('brings no control, escape or direction character to the screen', () => {
    assert(
      property(foreign, (text) => {
        const fault = text;
        const view = engineView({
          markets: [marketView({ title: text, eventTitle: text, halted: text })],
          connection: { state: 'connecting', reason: text },
          killed: text,
          alarms: [{ code: 'a', text }],
          instances: [{ name: 'demo', strategy: 'mine', fault }],
        });
        const frame = { title: 'oddsmith', view, elapsedMs: 0, links: [], hint: 'Ctrl-C' };
        const lines = drawScreen(frame, { rows: 40, columns: 120 }, COLOURED);
        for (const line of lines) expect(line.replaceAll(COLOUR, '')).not.toMatch(OBEYED);
        expect(plainText(statusLine(view, 0))).not.toMatch(OBEYED);
      }),
    );
  });

  it('brings none to a log that a person reads', () => {
    assert(
      property(foreign, (text) => {
        const entry = {
          level: 'warn',
          time: '2026-01-31T09:30:00.250Z',
          msg: text,
          title: text,
          err: { stack: text },
        };
        expect(prettyLine(JSON.stringify(entry)).replaceAll(COLOUR, '')).not.toMatch(OBEYED);
      }),
    );
  });

  it('is escaped in JSON, which stays what it was', () => {
    assert(
      property(foreign, (text) => {
        const json = plainJson(JSON.stringify({ text }));
        expect(json).not.toMatch(OBEYED);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });

  it('brings none to a table, and nothing that a spreadsheet would run', () => {
    assert(
      property(foreign, (text) => {
        const scenarios = [{ ...run!, total: { ...run!.total, title: text } }];
        const groups = csvTables({ ...report, scenarios }).find(({ name }) => name === 'groups')!.text;
        expect(groups).not.toMatch(OBEYED);
        const [, cell] = /^pessimistic,run,run,("(?:[^"]|"")*"|[^,]*),/m.exec(groups)!;
        expect(cell!.replace(/^"/, '').trim()).not.toMatch(/^[=+@-]/);
      }),
    );
  });

  it('brings none to the page of a report', () => {
    assert(
      property(foreign, (text) => {
        const page = reportPage({ ...report, title: text, remarks: [text], scenarios: [] });
        expect(page).not.toContain('\u202E');
        expect(page).not.toContain('\u001B');
        expect(page).not.toContain('\\u001b');
      }),
      { numRuns: 5 },
    );
  });
});
