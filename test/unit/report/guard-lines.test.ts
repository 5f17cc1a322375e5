import { describe, expect, it } from 'vitest';
import { eventId } from '../../../src/domain/ids.js';
import { guardLines, reportOf } from '../../../src/report/run-report.js';
import { csvTables } from '../../../src/report/csv.js';
import { readReport, writeReport } from '../../../src/report/report-files.js';
import { sampleReport } from '../../support/report/sample-report.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

const AT = Date.UTC(2026, 0, 5, 12) * 1_000;
const killed = {
  rule: 'loss-limit',
  scope: 'all',
  id: null,
  text: 'loss limit: lost 12, limit 10',
  times: 1,
  firstAt: AT,
  lastAt: AT,
} as const;
const tripped = {
  ...killed,
  rule: 'fill-breaker',
  scope: 'event',
  id: eventId(300),
  text: '40 shares',
  times: 2,
  lastAt: AT + 60_000_000,
} as const;
const held = (reason: string, share: number) => ({ reason, seconds: share * 100, share });

describe('lines of what guards did', () => {
  it('are one for each kind, with scenarios that say the same together', () => {
    const guards = { stops: [killed], held: [held('killed', 0.5)] };
    expect(
      guardLines([
        { scenario: 'pessimistic', guards },
        { scenario: 'expected', guards },
        { scenario: 'optimistic', guards: { stops: [tripped], held: [held('killed', 0.25)] } },
      ]),
    ).toEqual([
      'stopped by loss-limit: everywhere at 2026-01-05 12:00:00Z: loss limit: lost 12, limit 10 (pessimistic, expected)',
      'stopped by fill-breaker: event 300 2 times from 2026-01-05 12:00:00Z to 2026-01-05 12:01:00Z: 40 shares (optimistic)',
      'not quoted in full, killed: 50.0 s, 50.0 % of the observed time (pessimistic, expected); 25.0 s, 25.0 % of the observed time (optimistic)',
    ]);
  });

  it('leave out what every run has, and what took hardly any time', () => {
    const guards = { stops: [], held: [held('starting', 0.5), held('book-not-read', 0.009)] };
    expect(guardLines([{ scenario: 'live', guards }])).toEqual([]);
  });

  it('stand under the headline of a report and in a table of their own', () => {
    const sample = sampleReport();
    const [first, ...rest] = sample.scenarios;
    const rain = { ...tripped, id: eventId(873) };
    const guards = { stops: [killed, rain], held: [held('killed', 0.5)], markets: [] };
    const { title, mode, facts } = sample;
    const report = reportOf({ title, mode, facts, scenarios: [{ ...first!, guards }, ...rest] });
    expect(report.remarks).toHaveLength(3);
    expect(report.remarks[1]).toContain('stopped by fill-breaker: event 873 (Rain) 2 times');
    const { text } = csvTables(report).find(({ name }) => name === 'guards')!;
    expect(text.split('\n').slice(0, 4)).toEqual([
      'scenario,kind,rule,scope,id,title,times,first,last,seconds,share,text',
      'pessimistic,stopped,loss-limit,all,,,1,2026-01-05T12:00:00.000000Z,2026-01-05T12:00:00.000000Z,,,"loss limit: lost 12, limit 10"',
      'pessimistic,stopped,fill-breaker,event,873,Rain,2,2026-01-05T12:00:00.000000Z,2026-01-05T12:01:00.000000Z,,,40 shares',
      'pessimistic,held,killed,all,,,,,,50,0.5,',
    ]);
  });

  it('say that nothing is known of a report that did not say it yet', () => {
    const folder = scratchFolder();
    const { scenarios, ...sample } = sampleReport();
    const earlier = scenarios.map(({ guards: _, ...run }) => run);
    writeReport(folder, { ...sample, scenarios: earlier as never });
    expect(readReport(folder).remarks).toEqual([
      'what guards stopped is not known: the report was written by a version that did not say',
    ]);
  });
});
