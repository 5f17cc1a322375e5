import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/domain/errors.js';
import { csvTables } from '../../../src/report/csv.js';
import { reportPage } from '../../../src/report/html.js';
import { readReport, writeReport } from '../../../src/report/report-files.js';
import { REPORT_VERSION, reportOf } from '../../../src/report/run-report.js';
import { sampleReport } from '../../support/report/sample-report.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { WatchedRun } from '../../support/report/watched-run.js';

const sample = sampleReport();

/** The table of a name, as lines. */
const linesOf = (name: string): string[] =>
  csvTables(sample)
    .find((table) => table.name === name)!
    .text.split('\n');

describe('a report', () => {
  it('reads back as it was written, and is written alike twice', () => {
    const folder = scratchFolder();
    const { json, page } = writeReport(folder, sample);
    expect(readReport(folder)).toEqual(JSON.parse(JSON.stringify(sample)));
    const before = [readFileSync(json, 'utf8'), readFileSync(page, 'utf8')];
    writeReport(folder, readReport(folder));
    expect([readFileSync(json, 'utf8'), readFileSync(page, 'utf8')]).toEqual(before);
  });

  it('is one page that names nothing outside of it', () => {
    const html = reportPage(sample);
    expect(html).not.toMatch(/(?:src|href)="(?!data:)/);
    expect(html).not.toMatch(/@import|url\(|fetch\(|XMLHttpRequest/);
    expect(html).not.toMatch(/\$\w+\$/);
    expect(html.match(/<script/g)).toHaveLength(3);
  });

  it('is a page on which nothing runs but its own scripts, by their hashes', () => {
    const html = reportPage(sample);
    const policy = /content="(default-src[^"]+)"/.exec(html)![1]!;
    expect(policy).not.toContain('unsafe');
    const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text]) => text!);
    expect(scripts).toHaveLength(2);
    for (const text of scripts)
      expect(policy).toContain(`sha256-${createHash('sha256').update(text).digest('base64')}`);
  });

  it('is a page that holds its tables before its script has run', () => {
    const [, content] = /<main id="page">([^]*?)<\/main>/.exec(reportPage(sample))!;
    const rows = content!.match(/<tr/g)!.length;
    expect(rows).toBeGreaterThan(20);
    expect(content).toContain('Oddsmith · backtest');
    expect(content).toContain('invented &lt;script&gt;alert(1)&lt;/script&gt; &amp; drawn');
  });

  it('has a page even for a run in which nothing happened', () => {
    const report = reportOf({
      title: 'empty',
      mode: 'live',
      facts: [],
      scenarios: [new WatchedRun().end(1)],
    });
    expect(reportPage(report)).toContain('"profit":0');
    const heads = csvTables(report).map(({ text }) => text.split('\n')[0]);
    for (const head of heads) expect(head).toMatch(/^scenario,/);
  });

  it.each([
    ['nothing', null, 'holds no report of a run, and no tape of one to make it from'],
    ['no JSON', '{"kind":', 'no JSON'],
    ['something else', '{"kind":"oddsmith-run"}', 'is no report of a run'],
    [
      'one without depth',
      '{"kind":"oddsmith-report","version":1}',
      `of version 1; this program reads version ${REPORT_VERSION}`,
    ],
    [
      'a later version',
      `{"kind":"oddsmith-report","version":${REPORT_VERSION + 1}}`,
      `of version ${REPORT_VERSION + 1}`,
    ],
  ])('is refused when the folder holds %s', (_what, text, problem) => {
    const folder = scratchFolder();
    if (text !== null) writeFileSync(join(folder, 'report.json'), text);
    expect(() => readReport(folder)).toThrow(UsageError);
    expect(() => readReport(folder)).toThrow(problem);
  });
});

describe('the tables beside it', () => {
  it('have a row for every group under every scenario, as wide as their head', () => {
    const [head, ...rows] = linesOf('groups');
    // The run, two events, two strategies, three markets; a last empty line.
    expect(rows).toHaveLength(3 * 8 + 1);
    const width = head!.split(',').length;
    for (const row of rows.slice(0, -1)) expect(row.split(',')).toHaveLength(width);
    expect(rows[0]).toMatch(/^pessimistic,run,run,whole run,/);
  });

  it('state times in UTC to the microsecond', () => {
    expect(linesOf('equity')[1]).toMatch(/,2026-11-20T00:\d\d:\d\d\.\d{6}Z,/);
  });

  it('quote what must be quoted, and leave spreadsheets nothing to calculate', () => {
    const [scenario] = sample.scenarios;
    const titled = (title: string) => ({
      ...sample,
      scenarios: [{ ...scenario!, total: { ...scenario!.total, title } }],
    });
    const cellOf = (title: string) => csvTables(titled(title))[0]!.text.split('\n')[1];
    expect(cellOf('rain, or "sun"')).toContain(',"rain, or ""sun""",');
    expect(cellOf('=HYPERLINK(1)')).toContain(",'=HYPERLINK(1),");
  });
});
